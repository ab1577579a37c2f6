"""Tables of counts: their cells and sums, what a reader can deduce of hidden ones, and what is published."""
