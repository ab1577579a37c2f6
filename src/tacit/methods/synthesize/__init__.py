"""Synthetic tables: rows that nobody lived, drawn from what was measured of a table with differential privacy."""
