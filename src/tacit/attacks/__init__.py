"""Attacks: what adversaries with stated knowledge learn from a table, several releases, or masked numbers."""
