"""Why the amounts of a run need not add up for a reader: two of them are counted in another way, by the ledger."""

from tacit.release.answers import AnswersBody
from tacit.release.synthesis import SynthesisBody


def adding_up(body: AnswersBody | SynthesisBody) -> str:
    """What the ledger counts otherwise than a run, in words; empty where the budget has no delta, since all add up."""
    if not body.budget.delta:
        return ""
    half = f"half of the budget's delta ({body.budget.delta / 2:.3g})"
    return (
        "What was spent in all and what is left are sums of the ledger over all charges, which must hold for questions "
        "that are chosen after seeing answers: they may be more than one run costs by itself, and less than what many "
        f"runs cost one by one; and {half} is kept for them from the first charge on, so it is not left for questions."
    )
