"""Randomness: one keyed stream of bits and the exact samplers that read it; nothing here rounds a probability."""
