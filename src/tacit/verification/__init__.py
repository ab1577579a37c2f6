"""A second opinion on a written release: every measured guarantee once more, in SQL, in code that no method shares."""
