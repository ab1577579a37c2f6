"""What an analyst finds before and after: for the owner's report, since it tells of the raw rows.

Insensitive columns are not counted for guarantees, but they are what analysts explain. A few of them are counted here,
each with the quasi-identifiers, as long as the table is not too large.
"""

import numpy as np

from tacit.data.dataset import Dataset
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.hierarchies.masks import MaskSpec
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.tally import SensitiveTally, Tally
from tacit.engines.engine import Engine
from tacit.release.analysis import Analysis
from tacit.runs.tables.first_analysis import analyse

MOST_CARRIED = 4
MOST_ROWS = 1_000_000


def analysis_of(engine: Engine, dataset: Dataset, published: PublishedTable) -> Analysis | None:
    """The analysis of the table; columns whose hierarchy masks characters are codes and not numbers."""
    codes = {name for name, column in dataset.columns.items() if isinstance(column.hierarchy, MaskSpec)}
    return analyse(published, codes, _carried(engine, dataset, published.table.tally))


def _carried(engine: Engine, dataset: Dataset, tally: Tally) -> dict[str, SensitiveTally]:
    """The first insensitive columns, counted as if they were sensitive."""
    if int(tally.rows.sum()) > MOST_ROWS:
        return {}
    found = {}
    for name in dataset.named("insensitive")[:MOST_CARRIED]:
        reading = TallyRequest(quasi_identifiers=tally.columns, sensitive=(name,))
        counted = tally_from(engine.tally(dataset.source, reading.columns), reading)
        if counted.values == tally.values and np.array_equal(counted.codes, tally.codes):
            found[name] = counted.sensitive[name]
    return found
