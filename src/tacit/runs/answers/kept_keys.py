"""How much of a person counts in an answer about keys, where `contributions` of the plan does not say it."""

from tacit.evidence.numerals import many
from tacit.runs.answers.question import Question


def kept_keys(question: Question) -> tuple[str, ...]:
    """How many keys of each person count, said of statistics that take the person and a key; else nothing."""
    most = getattr(question.params, "most", None)
    if not question.card.takes.by_person or not isinstance(most, int):
        return ()
    return (
        f"Here each person counts with at most {many(most, 'key', 'keys')}, chosen at random, and any number of rows.",
    )
