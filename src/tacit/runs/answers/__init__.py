"""Private answers to questions about a table."""
