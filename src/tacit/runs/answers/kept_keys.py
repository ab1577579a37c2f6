"""How much of a person counts in an answer about keys, where `contributions` of the plan does not say it."""

from tacit.runs.answers.question import Question
from tacit.spelling import many


def kept_keys(question: Question) -> tuple[str, ...]:
    """How many keys of each person count, said of statistics that take the person and a key; else nothing."""
    most = question.card.takes.keys_kept(question.params)
    if most is None:
        return ()
    return (
        f"Here each person counts with at most {many(most, 'key', 'keys')}, chosen at random, and any number of rows.",
    )
