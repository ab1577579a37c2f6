"""The sample of a plan: rows, or people with all their rows, drawn before anything is counted, treated or decided.

The plan names the method that draws, by default a simple random sample without replacement. No guarantee is relaxed: an
adversary who knows that a person was drawn meets the same bounds as without a draw.

Rows whose unit is missing count as one person, as everywhere, and are drawn together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tacit.arrays import BoolArray
from tacit.data.columns import Numbers, columns_of
from tacit.data.dataset import Dataset
from tacit.data.tables.counting import person_numbers
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, CannotGuarantee
from tacit.plan.schema import ReleaseSection, SampleSection
from tacit.randomness.stream import RandomBits
from tacit.release.tables import DrawnRows
from tacit.runs.tables.randomness import FROM_A_SEED, bits_of
from tacit.runs.tables.step import CountedRows, KeptRows, Step, Task

PLACE = "place"
DRAWN = "drawn"
FROM_THE_SYSTEM = "The draw came from the operating system and can't be repeated."
NO_PROMISE = (
    "Drawing promises nothing by itself: people who are not known to be in the sample are harder to recognise, but "
    "anyone who knows that a person was drawn learns as much as from a release of everybody. No guarantee is relaxed "
    "for it."
)
ONE_SAMPLE = "One sample was drawn for all candidates; `tacit protect` draws another."


class SampleStep(Step[SampleSection]):
    """Publishes a sample of the rows, or of the people, drawn before anything else."""

    name = "sample"
    place = 10
    key = "release.sample"
    params = SampleSection
    example: ClassVar = {"size": 20}
    is_random = True
    is_draw = True
    in_republication = (
        "republication follows everybody, and people who come and go by chance would need counterfeits for no benefit; "
        "leave `sample` out, or draw people once and publish that file again and again"
    )

    def asked(self, dataset: Dataset, section: ReleaseSection | None) -> Self | None:
        """The step with the draw that the plan names, if it names one."""
        return None if section is None or section.sample is None else self.giving(section.sample)

    def runs(self) -> tuple[str, ...]:
        """The method that draws."""
        return (self.given.method,)

    def keep(self, rows: CountedRows, task: Task, engine: Engine) -> KeptRows:
        """The rows that were drawn."""
        rows.progress("drawing a sample")
        bits = bits_of(task.section).child(self.given.method)
        kept = _kept(rows.dataset, engine, self.given, bits, rows.number)
        notes = tuple(_notes(rows.dataset, task.section, kept.drawn, self.given))
        return KeptRows(kept.rows, kept.drawn.weight, notes, {DRAWN: kept.drawn})

    def share(self, whole: Tally, unit: str | None) -> float:
        """The share of people, or rows, that is drawn."""
        return share_of(self.given, whole, unit)

    def compared(self, rows: CountedRows, seeded: bool) -> tuple[str, ...]:
        """How many were drawn, and that all candidates are made from them."""
        note = _how_many(rows.body[DRAWN], self.given)
        return (note,) if seeded else (note, ONE_SAMPLE)


@dataclass(frozen=True, eq=False)
class _KeptSample:
    """Which rows were drawn, how many they are, and out of how many."""

    rows: BoolArray
    drawn: DrawnRows


def _kept(dataset: Dataset, engine: Engine, sample: SampleSection, bits: RandomBits, number: int) -> _KeptSample:
    """The draw among `number` rows, or among the people whom the unit names."""
    if dataset.unit is None:
        rows = _drawn(sample, number, bits, "rows")
        size = int(rows.sum())
        return _KeptSample(rows, DrawnRows(rows=size, of_rows=number, share=size / number, weight=number / size))
    person = person_numbers(engine.cells(dataset.source, (dataset.unit,)).column(dataset.unit))
    _require(person.size == number, dataset)
    people = int(person.max()) + 1
    chosen = _drawn(sample, people, bits, "people")
    size, rows = int(chosen.sum()), chosen[person]
    counted = {"rows": int(rows.sum()), "of_rows": number, "people": size, "of_people": people}
    return _KeptSample(rows, DrawnRows(**counted, share=size / people, weight=people / size))


def _drawn(sample: SampleSection, number: int, bits: RandomBits, what: str) -> BoolArray:
    """Which of `number` rows, or people, the method keeps, found by running it on their positions."""
    card, params = sample.card, sample.params
    size = card.size(params, number, what)
    left = card.run(columns_of({PLACE: np.arange(number)}), params, bits)[PLACE]
    places = left.values if isinstance(left, Numbers) else np.empty(0)
    drawn = np.isin(np.arange(number), places)
    if not int(drawn.sum()) == places.size == size:
        raise CannotGuarantee(f"{sample.method} did not draw the {what} that it said it would, so nothing is published")
    return drawn


def share_of(sample: SampleSection, tally: Tally, unit: str | None) -> float:
    """The share of the rows, or of the people, of a counted file that the plan has drawn."""
    number = int(tally.rows.sum()) if unit is None else tally.people.number
    return sample.card.size(sample.params, number, "rows" if unit is None else "people") / number


def _require(same: bool, dataset: Dataset) -> None:
    if not same:
        raise BadData(f"{dataset.source.name} changed while it was read, so nothing is published; run it again")


def _how_many(drawn: DrawnRows, sample: SampleSection) -> str:
    """How many were drawn of how many, and what totals are multiplied by."""
    what, size, number = "rows", drawn.rows, drawn.of_rows
    also = ""
    if drawn.people is not None and drawn.of_people is not None:
        what, size, number = "people", drawn.people, drawn.of_people
        also = f" with all their rows, {drawn.rows:,} of {drawn.of_rows:,}"
    return (
        f"Before anything else a sample of {size:,} of {number:,} {what} was drawn ({100 * drawn.share:.4g} %){also}; "
        f"{sample.card.chances}. To estimate totals of the whole file, multiply those of the "
        f"release by {drawn.weight:.6g}."
    )


def _notes(dataset: Dataset, section: ReleaseSection, drawn: DrawnRows, sample: SampleSection) -> Iterator[str]:
    """What a reader of the evidence must know about the draw."""
    yield _how_many(drawn, sample)
    yield NO_PROMISE
    weight = None if dataset.survey is None else dataset.survey.weight
    if weight is not None:
        yield (
            f"The weights in {weight!r} are published unchanged, if at all; in the release, and in its risk as a "
            f"survey, each counts {drawn.weight:.6g} times."
        )
    yield FROM_THE_SYSTEM if section.seed is None else FROM_A_SEED


STEP = SampleStep()
