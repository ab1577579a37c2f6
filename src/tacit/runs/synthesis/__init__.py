"""Synthetic tables: invented rows, charged before anything is counted, and published like every release."""
