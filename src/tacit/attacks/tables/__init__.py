"""Attacks on released tables, one file each."""
