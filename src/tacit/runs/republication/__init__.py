"""Releasing a table again and again."""
