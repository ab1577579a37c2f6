"""Optional parts of a run on a table, one file each."""
