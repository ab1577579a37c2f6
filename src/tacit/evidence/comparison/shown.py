"""A comparison in a notebook, where its page is shown."""

from tacit.evidence.comparison.comparison import ComparisonReport
from tacit.evidence.comparison.page import render_comparison
from tacit.evidence.notebook import framed


class ShownComparison(ComparisonReport):
    """A comparison that shows itself as its page."""

    def _repr_html_(self) -> str:
        """The page, inside a frame of its own."""
        return framed(render_comparison(self))
