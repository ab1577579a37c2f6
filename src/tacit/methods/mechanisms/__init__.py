"""Mechanisms of differential privacy: one question, one private answer, exact noise on a public grid."""
