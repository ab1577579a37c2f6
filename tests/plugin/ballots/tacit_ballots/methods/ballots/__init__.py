"""Methods on ballots."""
