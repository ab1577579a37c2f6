"""Attacks: what adversaries with stated knowledge learn from a table, a series of releases, or masked numbers."""
