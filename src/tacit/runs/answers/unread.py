"""How cells that are not numbers count in an answer over numbers, stated with every such answer.

No row may cause an error, and leaving rows out would need a private count of the remaining ones. So a cell that is
missing, a text, or a number with a decimal comma counts as 0, clamped to the declared bounds as any other
(`tacit.data.aggregates.scale`). The sentences depend on the question alone, never on whether there are such cells.
"""

from tacit.runs.answers.question import Question

UNREAD = "If there may be many, leave their rows out of the file first: the interval does not tell of them."


def unread_cells(question: Question) -> tuple[str, ...]:
    """What cells that are not numbers count as, column by column, and what to do; nothing if no numbers are read."""
    counted: dict[str, list[str]] = {}
    for column, number in question.card.takes.unread_as(question.of, question.params).items():
        counted.setdefault(f"{number:g}", []).append(column)
    if not counted:
        return ()
    each = "; ".join(f"{number} in {', '.join(columns)}" for number, columns in counted.items())
    return (f"A cell that is empty or no number (a text, or 1,5 with a comma) counts as {each}.", UNREAD)
