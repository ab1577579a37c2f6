"""Measures of what a table lost or still reveals, one file each."""
