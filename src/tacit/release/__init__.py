"""What a run leaves behind: an envelope that all kinds share, and a body for each."""
