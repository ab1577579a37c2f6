"""Synthetic tables: rows that nobody lived, charged for before anything is read, and published like every release."""
