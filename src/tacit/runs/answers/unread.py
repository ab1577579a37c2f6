"""How cells that are no numbers or no truth values count in an answer over such, stated with every such answer.

No row may cause an error, and leaving rows out would need a private count of the remaining ones. So a cell that is
missing, a text, or a number with a decimal comma counts as 0, clamped to the declared bounds as any other
(`tacit.data.aggregates.scale`), and a cell that does not spell a truth value counts as false. The sentences depend on
the question alone, never on whether there are such cells.
"""

from tacit.data.aggregates.array_cells import TRUE_TEXTS
from tacit.runs.answers.question import Question

UNREAD = (
    "If there may be many such cells, remove their rows from the file first: the interval does not account for them."
)


def unread_cells(question: Question) -> tuple[str, ...]:
    """What cells that are no numbers, or no truth values, count as; nothing if neither are read."""
    return (*_unread_numbers(question), *_unread_truths(question))


def _unread_numbers(question: Question) -> tuple[str, ...]:
    """What cells that are not numbers count as, column by column, and what to do."""
    counted: dict[str, list[str]] = {}
    for column, number in question.card.takes.unread_as(question.of, question.params).items():
        counted.setdefault(f"{number:g}", []).append(column)
    if not counted:
        return ()
    each = "; ".join(f"{number} in {', '.join(columns)}" for number, columns in counted.items())
    return (f"A cell that is empty or not a number (a text, or 1,5 with a comma) counts as {each}.", UNREAD)


def _unread_truths(question: Question) -> tuple[str, ...]:
    """Which cells count as true; a word for yes in another language is none of them."""
    columns = ", ".join(form.column for form in question.forms if form.read_as == "truth")
    if not columns:
        return ()
    *most, last = TRUE_TEXTS
    spelled = f"{', '.join(most)} or {last}"
    return (f"A cell that is {spelled} (in capitals or not) counts as true in {columns}, every other cell as false.",)
