"""Logistic regression by noisy rounds."""
