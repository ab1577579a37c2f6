"""Recursive partitioning, which several table methods share."""
