"""What mechanisms and statistics share."""
