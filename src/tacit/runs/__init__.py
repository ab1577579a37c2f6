"""How each command runs: one order for all kinds, one folder for each kind."""
