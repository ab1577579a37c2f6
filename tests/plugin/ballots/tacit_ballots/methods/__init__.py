"""The methods that this package brings."""
