"""Metrics on ballots."""
