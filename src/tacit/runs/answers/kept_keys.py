"""How much of a person counts in an answer about keys, if `contributions` of the plan does not say it."""

from tacit.runs.answers.question import Question
from tacit.spelling import many


def kept_keys(question: Question) -> tuple[str, ...]:
    """How many keys of each person count, for statistics that take a person and a key; otherwise nothing."""
    most = question.card.takes.keys_kept(question.params)
    if most is None:
        return ()
    return (
        f"Here each person counts with at most {many(most, 'key', 'keys')}, chosen at random, and any number of rows.",
    )
