"""What `tacit inspect` knows: guesses about columns, with reasons, and the draft of a plan."""
