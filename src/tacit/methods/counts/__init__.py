"""Tables of counts with their totals."""
