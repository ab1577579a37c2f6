"""Whether a person may have several rows although no unit is named.

Five rows of one person are no crowd. If a column tells people apart and repeats, a release that counts rows promises
nothing, so it is refused until the plan names the unit or says that each row is one person. Which column that is, is
found as for a draft (`tacit.inspection.unit`), whatever role the plan gives it.
"""

from tacit.data.dataset import ROW, Dataset
from tacit.engines.engine import Engine
from tacit.errors import PolicyRefused
from tacit.inspection.unit import find_unit_of


def require_people_told_apart(dataset: Dataset, engine: Engine) -> None:
    """Refuse a dataset without a unit if a column that tells people apart repeats."""
    complaint = repeating_key(dataset, engine)
    if complaint is not None:
        raise PolicyRefused(f"{complaint}. Nothing was protected: rows of one person do not hide that person")


def repeating_key(dataset: Dataset, engine: Engine) -> str | None:
    """What to say if people may have several rows and nobody said that they do not."""
    if dataset.unit is not None or dataset.each_row_is_a_person:
        return None
    household = None if dataset.survey is None else dataset.survey.household
    found = find_unit_of(engine, dataset.source, [name for name in dataset.columns if name != household])
    name = found.column or next(iter(found.doubts), None)
    if name is None:
        return None
    why = (
        f"it seems to tell people apart ({found.reason})"
        if found.column
        else f"it may tell people apart, although {found.doubts[name]}"
    )
    named = f"{{column: {ROW}}}" if name == ROW else name
    return (
        f"no unit is named, and the values of the column {name!r} repeat: {why}. If a person may have several rows, "
        f"write `unit: {named}`, or another column that tells people apart, and give it the role identifier; if each "
        f"row is one person, write `unit: {ROW}`"
    )
