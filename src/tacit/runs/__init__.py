"""How each verb happens: one order for all kinds, one folder for each."""
