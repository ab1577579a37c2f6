"""Cards: what a method, a metric or an attack says of itself; a class for each kind of method."""
