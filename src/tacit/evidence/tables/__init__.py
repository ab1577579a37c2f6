"""The report of a table: its sections, its key figures, and what it does not promise."""
