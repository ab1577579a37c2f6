"""Tables: what is counted, how values generalise, what is published."""
