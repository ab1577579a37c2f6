"""Engines: what counts and recodes rows. Deterministic; randomness enters in methods only."""
