"""How cells that are no numbers count in an answer over numbers, said with every such answer.

A row may not decide on an error, and a row that is left out would need a private number of those that are left. So a
cell that is missing, a text, or a number with a decimal comma counts as 0, clamped to the declared bounds as any other
(`tacit.data.aggregates.scale`). The sentences depend on the question alone, never on whether there are such cells.
"""

from tacit.runs.answers.question import Question

UNREAD = "If there may be many, leave their rows out of the file first: the interval does not tell of them."


def unread_cells(question: Question) -> tuple[str, ...]:
    """What cells that are no numbers count as, column by column, and what to do; nothing where no numbers are read."""
    counted: dict[str, list[str]] = {}
    for column, number in question.card.takes.unread_as(question.of, question.params).items():
        counted.setdefault(f"{number:g}", []).append(column)
    if not counted:
        return ()
    each = "; ".join(f"{number} in {', '.join(columns)}" for number, columns in counted.items())
    return (f"A cell that is empty or no number (a text, or 1,5 with a comma) counts as {each}.", UNREAD)
