"""The plan file: its fields, and how it is read."""
