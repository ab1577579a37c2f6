"""Metrics: what a release cost and what it still reveals.

Each public file defines one metric under the constant `METRIC`."""
