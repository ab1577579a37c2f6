"""Benchmarks: every figure in docs/benchmarks.md is printed by one of these."""
