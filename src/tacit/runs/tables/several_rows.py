"""Whether one person may count as several: has several rows although no unit is named, or is spelt in several ways.

Five rows of one person are no crowd, and noise that hides one row does not hide somebody with eight. If a column tells
people apart and repeats, whatever counts rows promises nothing about people: a release, a table of counts, invented
rows and private answers are refused until the plan names the unit or says that each row is one person. Which column
that is, is found as for a draft (`tacit.inspection.unit`), whatever role the plan gives it.

Private answers are refused before anything is charged, and without a figure. Whether they are refused still depends on
rows, as it does where a row can't be read: whoever runs the command may see them. A plan that names its `unit`, if only
as `row`, is never refused for this reason.
"""

from tacit.data.dataset import ROW, Dataset
from tacit.engines.engine import Engine
from tacit.errors import PolicyRefused
from tacit.inspection.joint_keys import find_people
from tacit.inspection.spellings import DIFFERENCES, spelt_in_several_ways
from tacit.inspection.unit import SuspectedKey, counted_keys


def require_people_told_apart(
    dataset: Dataset, engine: Engine, undone: str = "Nothing was protected", figures: bool = True
) -> None:
    """Refuse a dataset in which one person may count as several.

    `undone` says what was not done. Without `figures` nothing is said that was counted.
    """
    complaint = one_as_several(dataset, engine, figures)
    if complaint is not None:
        raise PolicyRefused(f"{complaint}. {undone}: rows of one person do not hide that person")


def one_as_several(dataset: Dataset, engine: Engine, figures: bool = True) -> str | None:
    """What to say if one person may count as several: no unit is named, or its values are spelt in several ways."""
    if dataset.unit is None:
        return repeating_key(dataset, engine, figures)
    if dataset.unit_is_exact:
        return None
    told = spelt_in_several_ways(engine, dataset.source, dataset.unit)
    if told is None:
        return None
    return (
        f"the values of the unit {dataset.unit!r} differ in part only in {DIFFERENCES}"
        f"{f' ({told})' if figures else ''}, so one person may count as several. Spell them alike; if they are "
        f"different people, write `unit: {{column: {dataset.unit}, exact: true}}`"
    )


def repeating_key(dataset: Dataset, engine: Engine, figures: bool = True) -> str | None:
    """What to say if people may have several rows and nobody said that they do not."""
    if dataset.unit is not None or dataset.each_row_is_a_person:
        return None
    household = None if dataset.survey is None else dataset.survey.household
    columns = [name for name in engine.columns(dataset.source) if name != household]
    identifiers = [name for name in dataset.named("identifier") if name != household]
    counted = counted_keys(engine, dataset.source, columns, identifiers)
    found = find_people(engine, dataset.source, counted, columns, identifiers)
    name = found.column or next(iter(found.doubts), None)
    if name is None:
        return None if found.suspected is None else _of_suspected(found.suspected, figures)
    if not figures:
        why = "it may tell people apart"
    elif found.column:
        why = f"it seems to tell people apart ({found.reason})"
    else:
        why = f"it may tell people apart, although {found.doubts[name]}"
    named = f"{{column: {ROW}}}" if name == ROW else name
    return (
        f"no unit is named, and the values of the column {name!r} repeat: {why}. If a person may have several rows, "
        f"write `unit: {named}`, or another column that tells people apart, and give it the role identifier; if each "
        f"row is one person, write `unit: {ROW}`"
    )


def _of_suspected(found: SuspectedKey, figures: bool) -> str | None:
    """What to say of a key that is no column; nothing if it may repeat by chance."""
    if found.may_be_chance:
        return None
    why = f" ({found.reason})" if figures else ""
    told = f"{found.says} repeat: they seem to tell people apart{why}" if found.repeats else found.told
    return (
        f"no unit is named, and {told}. If a person may have several "
        "rows, make one column that tells people apart, give it the role identifier and name it as `unit`; if each row "
        f"is one person, write `unit: {ROW}`"
    )
