"""The methods that are taken where nobody names one; those of a release and of a sample stand in the plan's schema.

Nothing else in the package knows a method by its name.
"""

COUNTS = "counts/suppression"
"""Keeps small counts out of a table."""
KEYS = "statistics/partition-selection"
"""Chooses the groups of a question that nobody declared."""
