"""Whether a search can still prove its best node optimal: how fast the lower bound rises, against what it has to rise.

The number of boxes below a bound grows about as a power of the bound's distance from the root, so the bound rises by
about as much with every doubling of the evaluated nodes. Where the gap to the best cost is many times what the last
doubling brought, no patience closes it: with a gap of 8 doublings a search of ten seconds takes three quarters of an
hour. It is a rule of thumb, told by counts alone, so that a run that it ends repeats itself exactly. The first doubling
tells less than later ones, so after it only a gap of twice as many doublings is given up.
"""

DOUBLINGS = 8
"""A gap that so many doublings would not close is given up."""


class Outlook:
    """What the bound was when the search had evaluated `first` nodes, and twice as many, and so on."""

    def __init__(self, first: int) -> None:
        self.next = first
        self.before: float | None = None
        self.judged = 0

    def is_hopeless(self, evaluated: int, bound: float, cost: float) -> bool:
        """Whether the bound rises too slowly; asked often, it judges at every doubling."""
        if evaluated < self.next:
            return False
        self.next = 2 * evaluated
        before, self.before = self.before, bound
        if before is None:
            return False
        self.judged += 1
        return cost - bound > DOUBLINGS * (2 if self.judged == 1 else 1) * (bound - before)
