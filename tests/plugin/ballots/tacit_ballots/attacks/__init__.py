"""The attacks that this package brings."""
