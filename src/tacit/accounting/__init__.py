"""Privacy accounting: events and what they add up to, conversions, calibration, budgets, filters and odometers."""
