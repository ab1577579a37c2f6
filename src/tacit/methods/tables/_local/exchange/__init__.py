"""Exchange: classes that are dealt in proportion to the sensitive values, and improved by moving combinations."""
