"""Private answers in evidence and report: values with their intervals, what epsilon means, what is left."""
