"""How cells that are no numbers count in an answer over numbers, said with every such answer.

A row may not decide on an error, and a row that is left out would need a private number of those that are left. So a
cell that is missing, a text, or a number with a decimal comma counts as 0, clamped to the declared bounds as any other
(`tacit.data.aggregates.scale`). The sentences depend on the question alone, never on whether there are such cells.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from tacit.cards.takes import AxisColumns, NumberColumn, NumberColumns, ScoreColumns
from tacit.runs.answers.question import Question

UNREAD = "If there may be many, leave their rows out of the file first: the interval does not tell of them."


def unread_cells(question: Question) -> tuple[str, ...]:
    """What cells that are no numbers count as, column by column, and what to do; nothing where no numbers are read."""
    counted: dict[str, list[str]] = {}
    for column, number in _counted(question):
        counted.setdefault(f"{number:g}", []).append(column)
    if not counted:
        return ()
    each = "; ".join(f"{number} in {', '.join(columns)}" for number, columns in counted.items())
    return (f"A cell that is empty or no number (a text, or 1,5 with a comma) counts as {each}.", UNREAD)


def _counted(question: Question) -> Iterator[tuple[str, float]]:
    """The columns that are read as numbers, and 0 within the bounds of each."""
    takes, params = question.card.takes, question.params
    if isinstance(takes, AxisColumns):
        for column, axis in zip(question.of, getattr(params, "axes", ()), strict=False):
            if hasattr(axis, "lower"):
                yield column, _clamped(axis.lower, axis.upper)
    elif isinstance(takes, NumberColumn) and not takes.bounded:
        yield question.of[0], 0.0
    elif isinstance(takes, NumberColumn | NumberColumns | ScoreColumns):
        lower, upper = (_each(getattr(params, end), len(question.of)) for end in ("lower", "upper"))
        for column, low, high in zip(question.of, lower, upper, strict=False):
            yield column, _clamped(low, high)


def _each(ends: Any, number: int) -> Sequence[float]:
    """An end for each column; a label, which comes last, has none."""
    return ends if isinstance(ends, tuple) else (ends,) * number


def _clamped(lower: float, upper: float) -> float:
    return min(max(0.0, lower), upper)
