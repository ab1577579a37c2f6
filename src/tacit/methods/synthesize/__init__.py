"""Synthetic tables: invented rows, drawn from measurements of a table with differential privacy."""
