"""Differentially private statistics: bounds, categories and grids are declared, rows are counted in whole numbers."""
