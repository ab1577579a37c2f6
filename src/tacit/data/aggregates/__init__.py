"""Aggregates: the few whole numbers about many rows from which a statistic follows."""
