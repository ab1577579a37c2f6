"""The metrics that this package brings."""
