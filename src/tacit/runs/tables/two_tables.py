"""The metrics of any two tables: what was recoded, perturbed, drawn or made up, beside the table that it stands for.

Roles and hierarchies are those of the table before. Both tables are counted by rows: a table after need not tell people
apart. What is found is about the raw rows, so it is as confidential as they are. In particular it is no part of what a
differentially private table may be published with: nothing paid for it.
"""

from collections.abc import Mapping
from dataclasses import replace

from tacit.cards.metric import MetricValue
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, shown_names
from tacit.data.tables.view import view_of
from tacit.engines.engine import Engine
from tacit.errors import BadData
from tacit.measures import AskedMetrics, compare_views, read_view, standard_metrics
from tacit.runs.tables.count import build_table, count


def measure_tables(
    before: Dataset, after: Source, engine: Engine, asked: AskedMetrics | None = None
) -> Mapping[str, MetricValue]:
    """What each metric finds; by default those that are quick and need no parameters."""
    whole = replace(before, unit=None, population=None, survey=None)
    table = build_table(whole, count(whole, engine))
    present = engine.columns(after)
    lacking = [name for name in whole.named("quasi-identifier") if name not in present]
    if lacking:
        raise BadData(f"{after.name} has no column(s) {shown_names(lacking)}, which are compared")
    reading = whole.reading
    shown = replace(reading, sensitive=tuple(name for name in reading.sensitive if name in present))
    view = read_view(engine, after, shown, table.hierarchies)
    names = standard_metrics("two tables") if asked is None else asked
    return compare_views(view_of(table.tally, table.hierarchies), view, names, table.weights.tolist())
