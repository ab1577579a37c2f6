"""The metrics of any two tables: a recoded, perturbed, sampled or invented one beside the table that it represents.

Roles and hierarchies are those of the table before. Both tables are counted by rows: the table after need not identify
people. The findings are about the raw rows, so they are as confidential as these. In particular they may not be
published with a differentially private table: nothing paid for them.
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
from tacit.spelling import noun


def measure_tables(
    before: Dataset, after: Source, engine: Engine, asked: AskedMetrics | None = None
) -> Mapping[str, MetricValue]:
    """What each metric finds; by default those that are quick and need no parameters."""
    whole = replace(before, unit=None, population=None, survey=None)
    table = build_table(whole, count(whole, engine))
    present = engine.columns(after)
    lacking = [name for name in whole.named("quasi-identifier") if name not in present]
    if lacking:
        raise BadData(
            f"{after.name} has no {noun(len(lacking), 'column')} {shown_names(lacking)}, which "
            f"{noun(len(lacking), 'is', 'are')} compared"
        )
    reading = whole.reading
    shown = replace(reading, sensitive=tuple(name for name in reading.sensitive if name in present))
    view = read_view(engine, after, shown, table.hierarchies)
    names = standard_metrics("two tables") if asked is None else asked
    return compare_views(view_of(table.tally, table.hierarchies), view, names, table.weights.tolist())
