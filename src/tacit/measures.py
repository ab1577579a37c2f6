"""Metrics of any two tables: recoded, perturbed, drawn or made up, all through the same call.

before = view_of(table.tally, table.hierarchies)
after = read_view(engine, source, reading, table.hierarchies)
compare_views(before, after, ["loss", "total-variation"])
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tacit.cards.metric import MetricValue, Standard
from tacit.catalogue import find_metric, metrics
from tacit.data.sources.arrow import from_numbers
from tacit.data.sources.source import Source
from tacit.data.tables.counting import TallyRequest, rows_of, starred_rows, tally_from
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.view import Comparison, View, compare, view_of
from tacit.engines.engine import Engine
from tacit.errors import BadParameter

FOLDER = "tables/"

AskedMetrics = Sequence[str] | Mapping[str, Mapping[str, Any]]
"""Names of metrics, or names with parameters."""


def standard_metrics(of: Standard) -> tuple[str, ...]:
    """The metrics of tables that are measured by default, in alphabetical order."""
    shelf = metrics()
    return tuple(name.removeprefix(FOLDER) for name in shelf if name.startswith(FOLDER) and of in shelf[name].standard)


def read_view(engine: Engine, source: Source, reading: TallyRequest, hierarchies: Sequence[Hierarchy]) -> View:
    """The view of a table, counted by the engine; rows with `*` in every column that is read are suppressed."""
    distinct = engine.tally(source, reading.columns)
    starred = starred_rows(distinct, reading)
    gone = int(rows_of(distinct)[starred].sum())
    return view_of(tally_from(distinct.filter(from_numbers(~starred)), reading), hierarchies, gone)


def compare_views(
    before: View, after: View, asked: AskedMetrics, weights: Sequence[float] | None = None
) -> dict[str, MetricValue]:
    """What each metric finds; `before` shows plain values, and its hierarchies hold for both."""
    return measure(compare(before, after, weights), asked)


def measure(compared: Comparison, asked: AskedMetrics) -> dict[str, MetricValue]:
    """What each metric finds, with its example's parameters where none are given."""
    found = {}
    for name in asked:
        card = find_metric(name, "tables")
        if card.needs_pairs and compared.pairing is None:
            raise BadParameter(
                f"the metric {name!r} follows rows from the table before to the table after, and these are not known "
                "to be the same rows; leave it out"
            )
        given = asked[name] if isinstance(asked, Mapping) else None
        found[name] = card.run(compared, card.example if given is None else card.params.parse(name, given))
    return found
