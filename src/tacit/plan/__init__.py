"""The plan file: what it says, how it is checked against data, how it is run."""
