"""A second opinion on a written release: every guarantee measured again, in SQL, by code that no method shares."""
