"""Tables: what is counted of them, how values generalise, what is published."""
