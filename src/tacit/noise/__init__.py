"""What mechanisms and statistics share: noise, grids, answers, accuracy."""
