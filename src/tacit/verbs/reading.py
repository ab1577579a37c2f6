"""Reading in Python: a dataset from any data with roles, and a first look at data that has none yet."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.verbs.calls import source_of
from tacit.verbs.engine import working
from tacit.verbs.given import GivenRoles, given_data
from tacit.verbs.options import ColumnRoles, DatasetOptions, GivenUnit, ReadingOptions, is_plan, require_known

if TYPE_CHECKING:
    from tacit.inspection.examine import Inspection


def read(
    data: Any,
    columns: "ColumnRoles | Inspection | None" = None,
    *,
    unit: GivenUnit = None,
    **options: Unpack[DatasetOptions],
) -> Dataset:
    """The dataset in a file or data frame, with a role for every column.

    A column is given by its role (`"sensitive"`) or by a mapping as in a plan (`{"role": …, "hierarchy": …}`). You
    may also give the result of `inspect` for all columns, or for the data itself: its draft then says what they are,
    and `columns` replaces some of it. If you give the path of a plan, you get the data of the plan. `unit` is the
    column that tells people apart if they may have several rows, or `"row"` if each row is one person. `options` are
    those of the plan's data section (`delimiter`, `encoding`, `missing`, …), `population`, a file or frame, and
    `survey`, the columns of sampling weights and households (`{"weight": …, "household": …}`).
    """
    require_known("read", options, DatasetOptions, ("columns", "unit"))
    return given_data("read", data, GivenRoles(columns, unit, dict(options))).dataset


def inspect(data: Any, **options: Unpack[ReadingOptions]) -> "Inspection":
    """What each column seems to be and why, who stands out, and a draft plan.

    How to read the file or frame is guessed where `options` do not say it, and the draft says why. You can give the
    result to `read`, `measure`, `check`, `protect`, `compare`, `attack` and `tabulate`.
    """
    from tacit.inspection.examine import Inspection, examine

    require_known("inspect", options, ReadingOptions)
    with working() as work:
        work.progress("looking at the data")
        said = isinstance(data, Dataset | Inspection) or is_plan(data)
        return examine(work.engine, _bare(data, options), None if said else options)


def _bare(data: Any, options: ReadingOptions) -> Source:
    """The rows alone, whatever was said of their columns."""
    from tacit.inspection.examine import Inspection

    if isinstance(data, Dataset | Inspection):
        return data.source if not options else source_of(data.source.path or data.source.frame, **options)
    if is_plan(data):
        from tacit.plan.load import load_plan

        return load_plan(Path(data)).dataset.source
    return source_of(data, **options)
