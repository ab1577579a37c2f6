"""Attacks on releases of tables."""
