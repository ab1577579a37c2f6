"""The guarantees that this package brings."""
