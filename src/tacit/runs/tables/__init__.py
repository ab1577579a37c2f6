"""Runs on tables: count, decide, recode, read back, check, describe."""
