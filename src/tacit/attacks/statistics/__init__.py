"""Attacks on published statistics: what counts and means tell about one person, exact, blurred and private."""
