"""Private ranks and the intervals around them."""
