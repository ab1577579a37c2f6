"""The report and the lines of a synthetic table: what was measured with noise, and what stands in the invented rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tacit.evidence.answers.adding_up import adding_up
from tacit.evidence.answers.counted import rows_that_count
from tacit.evidence.answers.odds import in_words
from tacit.evidence.answers.page import WORDS as ANSWERS
from tacit.evidence.answers.page import delta_text, price_sections
from tacit.evidence.charts import bar
from tacit.evidence.numerals import chosen, clean, count, listed, measure
from tacit.evidence.page import BodyPage, PageWords, Section, fragment
from tacit.evidence.reading import KeyFigure
from tacit.evidence.svg import SvgWords
from tacit.release.synthesis import SynthesisBody, SynthesisRelease, SyntheticColumn
from tacit.spelling import many, noun

MOST_CELLS, MOST_NAMES = 12, 3
ABOUT = "These rows are invented. The counts that they were drawn from have noise that hides one {}."
ACCURACY = "the error of counts is about the counts of these rows"
LIMITS = (
    "No row is about a real person: do not look people up in the table, and do not count how many rows look like a "
    "person.",
    "The promise bounds what can be learnt about one person; it does not say that every figure is right. The table "
    "contains only what the method measured; the section on columns says what that is.",
    "This report does not say how much the rows differ from the data: such a figure depends on the data, and no budget "
    "paid for it. Somebody who is allowed to see the data can measure it in private (`tacit.measure`), and must not "
    "publish the result.",
    "The bounds and categories of the plan are public. If they were chosen after looking at the data, they reveal "
    "something about it.",
)
OF_ROWS = (
    "The promise bounds what can be learnt about one row of the data, so somebody with several rows is protected less; "
    "it does not say that every figure is right. The table contains only what the method measured; the section on "
    "columns says what that is."
)

WORDS = PageWords(promised=ANSWERS.promised, about_files=ANSWERS.about_files)


@dataclass(frozen=True)
class ShownCell:
    """A cell of a column as the page shows it."""

    name: str
    measured: str
    written: str
    picture: Markup


@dataclass(frozen=True)
class ShownColumn:
    """A column as the page shows it; the cells of `more` stand in the evidence only."""

    name: str
    cells: tuple[ShownCell, ...]
    strays: str
    more: str


def synthesis_page(release: SynthesisRelease) -> BodyPage:
    """What the report shows of a synthetic table."""
    body, (proven, *_) = release.body, release.proven
    whose = "row of the data" if release.unit is None else f"person, named by {release.unit!r}"
    counted = rows_that_count(proven, release.unit, ACCURACY)
    shown_columns = [shown(one) for one in body.columns]
    columns = fragment("synthesis.html", columns=shown_columns, error=_error(body), counted=counted)
    return BodyPage(
        about=" ".join([*([body.loses] if body.loses else []), ABOUT.format(whose)]),
        sections=(Section("columns", "Columns", columns), *price_sections(proven, body, release.unit, "this table")),
        cards=(
            KeyFigure("Invented rows", count(body.rows), many(len(body.columns), "column", "columns")),
            KeyFigure("This table", f"ε {measure(proven.epsilon)}", delta_text(proven.delta)),
            KeyFigure("Counts are off by", _amount(body), f"rows at most, with probability {chosen(body.level)}"),
            KeyFigure(
                "Left",
                f"ε {measure(body.left.epsilon)}",
                f"of {measure(body.budget.epsilon)}; {delta_text(body.left.delta)}",
            ),
        ),
        limits=LIMITS if release.unit is not None else (LIMITS[0], OF_ROWS, *LIMITS[2:]),
        words=WORDS,
    )


def shown(column: SyntheticColumn) -> ShownColumn:
    """The cells of a column with most rows, beside the largest of them."""
    places = sorted(range(len(column.cells)), key=lambda place: -column.written[place])[:MOST_CELLS]
    places = sorted(place for place in places if column.written[place] > 0)
    most = max(*column.written, 1)
    cells = tuple(
        ShownCell(
            column.cells[place],
            measure(column.measured[place]),
            count(column.written[place]),
            bar(column.written[place] / most, SvgWords(column.cells[place], many(column.written[place], "row"))),
        )
        for place in places
    )
    return ShownColumn(column.name, cells, _strays(column), _others(column, places))


def _strays(column: SyntheticColumn) -> str:
    """How many invented rows would have to be others for the column to agree with the noisy counts."""
    rows = column.strays * sum(column.written)
    if rows < 1:
        which = "Fewer than one invented row" if rows else "No invented row"
    else:
        which = f"About {count(round(rows))} of the invented rows ({100 * column.strays:.2g} %)"
    return f"{which} would need another value for the column to match its measured counts."


def _others(column: SyntheticColumn, places: Sequence[int]) -> str:
    """The cells that are not shown, by their names where they are few."""
    others = [place for place in range(len(column.cells)) if place not in places]
    if len(others) > MOST_NAMES:
        return f"{count(len(others))} more cells are only in the evidence."
    empty = [repr(column.cells[place]) for place in others if column.written[place] == 0]
    few = [repr(column.cells[place]) for place in others if column.written[place] > 0]
    none = f"No invented row is in the {noun(len(empty), 'cell')} {listed(empty)}." if empty else ""
    verb = noun(len(few), "cell {} has", "cells {} have").format(listed(few))
    return " ".join(part for part in (none, f"The {verb} no more rows than any that is shown." if few else "") if part)


def synthesis_lines(release: SynthesisRelease) -> list[str]:
    """How many rows there are, how far off counts are, what was spent and what is left."""
    from textwrap import wrap

    body, (proven, *_) = release.body, release.proven
    amounts = (
        ("before", body.before),
        ("now", proven),
        ("in all", body.spent),
        ("left", body.left),
        ("budget", body.budget),
    )
    return [
        f"invented rows   {clean(count(body.rows))} of {many(len(body.columns), 'column')}; no row is about a real "
        "person",
        *wrap(f"accuracy        {_error(body)}", 78, subsequent_indent=" " * 16),
        *wrap(rows_that_count(proven, release.unit, ACCURACY), 78, initial_indent=" " * 16, subsequent_indent=" " * 16),
        *wrap(body.loses, 78),
        "",
        f"{'spent':<12}{'epsilon':>12}{'delta':>14}",
        *(f"  {name:<10}{measure(amount.epsilon):>12}{amount.delta:>14.3g}" for name, amount in amounts),
        "",
        *([*wrap(adding_up(body), 78), ""] if adding_up(body) else []),
        *wrap(in_words(proven.epsilon, proven.delta, release.unit, "this table"), 78),
    ]


def _error(body: SynthesisBody) -> str:
    if body.error is None:
        return "the error of the measured counts is not known"
    rows = noun(body.error, "row")
    return f"each measured count is off by at most {_amount(body)} {rows} with probability {chosen(body.level)}"


def _amount(body: SynthesisBody) -> str:
    return "–" if body.error is None else measure(body.error)
