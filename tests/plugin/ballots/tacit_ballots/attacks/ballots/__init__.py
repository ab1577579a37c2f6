"""Attacks on ballots."""
