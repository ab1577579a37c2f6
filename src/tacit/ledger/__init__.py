"""The ledger: what was spent on whom, in one file that survives crashes, races and restarts."""
