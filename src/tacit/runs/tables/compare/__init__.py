"""Comparisons of ways to protect a table."""
