"""Why the amounts of a run need not add up for a reader: two of them are counted in another way, by the ledger."""

from tacit.release.answers import AnswersBody
from tacit.release.synthesis import SynthesisBody


def adding_up(body: AnswersBody | SynthesisBody) -> str:
    """What the ledger counts otherwise than a run, in words; empty where the budget has no delta, since all add up."""
    if not body.budget.delta:
        return ""
    half = f"half of the budget's delta ({body.budget.delta / 2:.3g})"
    return (
        "The amounts spent in all and left are the ledger's totals over all charges. They must hold even if questions "
        "are chosen after seeing answers, so they may be more than one run costs by itself, and less than the sum of "
        f"many separate runs; and {half} is reserved for them from the first charge on and is not left for questions."
    )
