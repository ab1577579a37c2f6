"""The survey of a plan: the risk of its people by sampling weights and households, before and after.

Weights and households are read beside the quasi-identifiers. The release itself has no households, and perhaps no
weights, so a twin that keeps both is written to a temporary folder, counted, and removed, as for people with several
rows. These count once in a class, by the least weight of their rows there; of all their classes the one with the
highest risk counts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.dataset import Dataset, SurveyColumns
from tacit.data.sources.arrow import from_numbers, to_numbers
from tacit.data.sources.source import Source
from tacit.data.tables.counting import EncodedColumn, encode, rows_of, starred_rows
from tacit.data.tables.grouping import add_up, group_by, pack
from tacit.data.tables.hierarchy import MISSING
from tacit.engines.engine import Engine
from tacit.errors import BadData
from tacit.metrics.tables.individual_risk import household_risk, individual_risk
from tacit.plan.schema import ReleaseSection
from tacit.release.tables import SurveyRisk
from tacit.runs.tables.recode import twin
from tacit.runs.tables.step import ReleasedRows, Step, StepFacts, Task
from tacit.spelling import many, noun

if TYPE_CHECKING:
    import pyarrow as pa


RISK = "survey"
"""The field of the risk."""


class SurveyStep(Step[SurveyColumns]):
    """Measures the risk of a survey by its sampling weights and households."""

    name = "survey"
    place = 40
    key = "survey"
    params = SurveyColumns
    example: ClassVar = {"weight": "weight", "household": "household"}
    in_republication = "republication does not take sampling weights and households into account; leave them out"

    def asked(self, dataset: Dataset, section: ReleaseSection | None) -> Self | None:
        """The step, if the plan says how the data was drawn."""
        return None if dataset.survey is None else self.giving(dataset.survey)

    def risk_of(self, dataset: Dataset, source: Source, engine: Engine, threshold: float) -> Mapping[str, Any]:
        """The risk by what the source says about weights and households."""
        present = present_survey(dataset, engine.columns(source))
        return {RISK: survey_risk(present, source, engine, threshold)}

    def tell(self, released: ReleasedRows, task: Task, engine: Engine) -> StepFacts:
        """The risk of the survey before and after."""
        threshold, whole = task.section.risk_threshold, released.rows.original
        before = survey_risk(whole, whole.source, engine, threshold)
        after = _risk_after(released, engine, threshold)
        return StepFacts(risk_before={RISK: before}, risk_after={RISK: after})


def _risk_after(released: ReleasedRows, engine: Engine, threshold: float) -> SurveyRisk | None:
    """The risk of the rows that are not suppressed, counted in a twin; None if there are none."""
    dataset, published = released.rows.dataset, released.published
    if published.suppressed_rows == published.rows:
        return None
    assert dataset.survey is not None
    unit = () if dataset.unit is None else (dataset.unit,)
    target = replace(released.target, suppressed="omit", guard=False)
    with twin(engine, dataset, published, target, (*named(dataset.survey), *unit)) as source:
        return survey_risk(dataset, source, engine, threshold)


def named(survey: SurveyColumns) -> tuple[str, ...]:
    """The columns that say how the data was drawn."""
    return tuple(name for name in (survey.weight, survey.household) if name is not None)


def present_survey(dataset: Dataset, present: Mapping[str, str]) -> Dataset:
    """The dataset with what a file says about the survey; a release may have no weights or households."""
    if dataset.survey is None:
        return dataset
    kept = {what: name for what, name in dataset.survey.model_dump().items() if name in present}
    return replace(dataset, survey=SurveyColumns(**kept) if kept else None)


def survey_risk(dataset: Dataset, source: Source, engine: Engine, threshold: float) -> SurveyRisk | None:
    """The risk of the rows of a source that are not suppressed; None if the plan names no survey."""
    survey = dataset.survey
    if survey is None:
        return None
    drawn = _drawn(dataset, survey, source, engine)
    people = add_up(drawn.class_, drawn.people, int(drawn.class_.max(initial=-1)) + 1)
    stands_for = np.bincount(drawn.class_, weights=drawn.weight * drawn.people, minlength=people.size)
    total: FloatArray = np.maximum(stands_for, people).astype(np.float64, copy=False)
    risk = individual_risk(people, total)[drawn.class_]
    worst, least = drawn.first_of_each(-risk), drawn.first_of_each(drawn.weight)
    number = max(int(drawn.people[worst].sum()), 1)
    expected = float((risk * drawn.people)[worst].sum())
    found = SurveyRisk(
        population=None if survey.weight is None else float((drawn.weight * drawn.people)[least].sum()),
        highest=float(risk.max(initial=0.0)),
        average=expected / number,
        expected=expected,
        plain_highest=1 / float(total.min(initial=np.inf)),
        above=float(drawn.people[worst][risk[worst] > threshold].sum()) / number,
    )
    if drawn.household is None:
        return found
    members = drawn.first_of_each(-risk, drawn.household.codes)
    taken = drawn.taking(members)
    assert taken.household is not None
    return found.model_copy(update=_households(risk[members], taken, taken.household))


@dataclass(frozen=True, eq=False)
class _DrawnPeople:
    """Entry i: `people[i]` people of a class, each with a weight, of one household (or several that are missing).

    Where people have several rows, entry i is the person `person[i]` in a class.
    """

    class_: IntArray
    people: IntArray
    weight: FloatArray
    household: EncodedColumn | None
    person: CodeArray | None = None

    @property
    def ties(self) -> tuple[IntArray | CodeArray, ...]:
        """What distinguishes entries of one class and weight."""
        return (self.people,) if self.household is None else (self.people, self.household.codes)

    def taking(self, entries: IntArray) -> "_DrawnPeople":
        """Those entries, in that order."""
        household = None if self.household is None else replace(self.household, codes=self.household.codes[entries])
        person = None if self.person is None else self.person[entries]
        return _DrawnPeople(self.class_[entries], self.people[entries], self.weight[entries], household, person)

    def first_of_each(self, rank: FloatArray, *within: CodeArray) -> IntArray:
        """The entry of the lowest rank of each person (within each of some codes), in the order of the entries."""
        if self.person is None:
            return np.arange(self.people.size)
        keys: tuple[CodeArray, ...] = (*within, self.person)
        sorted_by: tuple[FloatArray | CodeArray, ...] = (rank, *keys)
        order = np.lexsort(sorted_by)
        begins = np.zeros(order.size, dtype=np.bool_)
        begins[:1] = True
        for key in keys:
            begins[1:] |= key[order][1:] != key[order][:-1]
        return np.sort(order[begins])


def _drawn(dataset: Dataset, survey: SurveyColumns, source: Source, engine: Engine) -> _DrawnPeople:
    """Who is in the classes of a source; several rows of one person in a class count once, by the least weight."""
    present, reading = engine.columns(source), dataset.reading
    reading = reading if reading.unit in present else replace(reading, unit=None)
    distinct = engine.tally(source, tuple(dict.fromkeys((*reading.columns, *named(survey)))))
    distinct = distinct.filter(from_numbers(~starred_rows(distinct, reading)))
    rows = rows_of(distinct)
    columns = [encode(distinct.column(name)) for name in reading.quasi_identifiers]
    keys = pack([column.codes for column in columns], [len(column.values) for column in columns], rows.size)
    weight = np.ones(rows.size) if survey.weight is None else dataset.scale * _weights(distinct, survey.weight)
    household = None if survey.household is None else encode(distinct.column(survey.household))
    found = _DrawnPeople(group_by(keys.key, keys.span).group, rows, weight, household)
    unit = None if reading.unit is None else encode(distinct.column(reading.unit)).codes
    return _in_order(found) if unit is None else _once(found, unit)


def _in_order(drawn: _DrawnPeople) -> _DrawnPeople:
    """The entries in an order that does not depend on the engine's, so that sums agree to the last digit."""
    return drawn.taking(np.lexsort((*drawn.ties, drawn.weight, drawn.class_)))


def _once(drawn: _DrawnPeople, unit: CodeArray) -> _DrawnPeople:
    """Everybody once in each class, in the order of classes and people."""
    order = np.lexsort((*drawn.ties, drawn.weight, unit, drawn.class_))
    class_, person = drawn.class_[order], unit[order]
    first = np.ones(order.size, dtype=np.bool_)
    first[1:] = (class_[1:] != class_[:-1]) | (person[1:] != person[:-1])
    kept = drawn.taking(order[first])
    return replace(kept, people=np.ones(kept.people.size, dtype=np.int64), person=person[first])


def _households(risk: FloatArray, drawn: _DrawnPeople, household: EncodedColumn) -> dict[str, float]:
    """The figures of households; a person without one is a household of their own."""
    rows = drawn.people
    code = household.codes.astype(np.int64)
    single = code == (household.values.index(MISSING) if MISSING in household.values else -1)
    _, several = np.unique(code[~single], return_inverse=True)
    shared = household_risk(risk[~single], several, rows[~single])
    number = int(shared.size + rows[single].sum())
    expected = float(shared.sum() + (risk * rows)[single].sum())
    return {
        "households": number,
        "household_highest": float(max(shared.max(initial=0.0), risk[single].max(initial=0.0))),
        "household_average": expected / max(number, 1),
        "households_expected": expected,
    }


def _weights(distinct: "pa.Table", name: str) -> FloatArray:
    """The sampling weights as numbers; refused if one is missing, not a number, or not above 0."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        column = pc.cast(pc.utf8_trim_whitespace(distinct.column(name).cast(pa.large_string())), pa.float64())
    except pa.ArrowInvalid:
        raise BadData(f"survey: a cell of the weight {name!r} is missing or not a number; clean the column") from None
    weights = to_numbers(column, np.float64)
    wrong = int((~(weights > 0) | ~np.isfinite(weights)).sum())
    if wrong:
        raise BadData(
            f"survey: {many(wrong, 'value')} of the weight {name!r} {noun(wrong, 'is', 'are')} not above 0; clean the "
            "column"
        )
    return weights


STEP = SurveyStep()
