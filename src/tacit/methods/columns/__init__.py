"""Methods that treat whole columns, one file each."""
