"""The order of a person's rows, by what is read of their cells and never by the type of a column.

A data frame holds whole numbers until one cell is missing, and numbers until one is a text; then every cell of the
column has another type, the cells of other people too. An order of cells as they are stored (numbers by size, texts by
their characters) would then be another for everybody, other rows of everybody would be kept, and one person would have
changed them all. So rows are ordered by the forms in which a question reads them, which follow from each cell alone:

- A number by its size; what is missing or no number comes last.
- A text by its characters; what is missing comes last.
- A truth value false before true; what is missing is false.

Rows that agree in all of these are the same to the question, however they are stored, so that nothing depends on which
of them comes first.
"""

from collections.abc import Iterable, Sequence

from tacit.data.aggregates.rendering import Express
from tacit.data.aggregates.scale import Form
from tacit.data.sql import double


def in_order(forms: Iterable[Form], express: Express) -> tuple[str, ...]:
    """The order of rows that are read in these forms; missing values come last."""
    return tuple(_ordered(form, express(form.column, form.read_as)) for form in dict.fromkeys(forms))


def ranks(columns: Sequence[str], express: Express) -> tuple[str, ...]:
    """The order of cells of these columns: numbers by size, then other cells by their text."""
    found = []
    for column in columns:
        rank = express(column, "rank")
        found += [rank, f"case when {rank} is null then {express(column, 'text')} end"]
    return tuple(found)


def number_or_null(value: str) -> str:
    """The number, with one zero; null where it is missing or none (NaN), which engines disagree about."""
    return f"case when {value} > -{value} or {value} < -{value} then {value} when {value} = 0 then {double(0)} end"


def _ordered(form: Form, value: str) -> str:
    if form.read_as == "truth":
        return f"case when {value} then 1 else 0 end"
    return number_or_null(value) if form.read_as == "number" else value
