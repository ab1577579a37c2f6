"""The sample of a plan: rows, or people with all their rows, drawn before anything is counted, treated or decided.

The plan names the method that draws, by default a simple random sample without replacement. All that is about the
file before its protection stays that of the whole file: risk and guarantees before, the population, the values that
hierarchies are inferred from, and the distributions that t-closeness, beta-likeness and delta-disclosure compare
classes with. So a release is checked against the same file again, whoever was drawn. What was suppressed and lost is
about the drawn rows. No guarantee is relaxed: whoever knows that somebody was drawn is met by the same bounds as
without a draw.

People whose name for themselves is missing are one person, as everywhere, and are drawn together.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tacit.arrays import BoolArray
from tacit.data.columns import Numbers, columns_of
from tacit.data.dataset import Dataset
from tacit.data.tables.counting import person_numbers
from tacit.data.tables.population import beside_population
from tacit.data.tables.tally import Census, Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, CannotGuarantee
from tacit.plan.schema import ReleaseSection, SampleSection
from tacit.randomness.stream import RandomBits
from tacit.release.tables import Drawn
from tacit.runs.tables.count import count
from tacit.runs.tables.randomness import FROM_A_SEED, bits_of
from tacit.runs.tables.read_back import aligned
from tacit.runs.tables.step import CountedRows, ReleasedRows, Step, StepFacts, WholeFile

if TYPE_CHECKING:
    from tacit.runs.tables.task import Task

PLACE = "place"
FROM_THE_SYSTEM = "The draw came from the operating system and can't be repeated."
NO_PROMISE = (
    "Drawing promises nothing by itself: who is not known to be in the sample is harder to recognise, but whoever "
    "knows that somebody was drawn learns as much as from a release of everybody. No guarantee is relaxed for it."
)
WHAT_IS_ABOUT_WHAT = (
    "Risk and guarantees before are those of the whole file, those after are about the people who were drawn. "
    "Suppression, loss and the other measures are about the drawn rows."
)


class SampleStep(Step):
    """Rows are drawn before all else."""

    name = "sample"
    place = 10
    is_random = True
    leaves_rows_out = True

    def is_asked(self, dataset: Dataset, section: ReleaseSection) -> bool:
        """Whether the plan names a sample."""
        return section.sample is not None

    def apply(self, rows: CountedRows, task: "Task", engine: Engine) -> CountedRows:
        """The rows that were drawn, and the whole file as it was counted."""
        section, dataset, sample = task.section, rows.dataset, task.section.sample
        assert sample is not None
        rows.progress("drawing a sample")
        tally = count(dataset, engine)
        kept = _kept(dataset, engine, sample, bits_of(section).child(sample.method), int(tally.rows.sum()))
        source = engine.drawn(dataset.source, kept.rows)
        drawn = replace(dataset, source=source, scale=kept.drawn.weight)
        notes = tuple(_notes(dataset, section, kept.drawn))
        return replace(rows, dataset=drawn, whole=WholeFile(dataset, tally, kept.drawn), notes=(*rows.notes, *notes))

    def count(self, rows: CountedRows, tally: Tally) -> Tally:
        """The tally in terms of the whole file: its values, distributions and population."""
        assert rows.whole is not None
        _require(int(tally.rows.sum()) == rows.whole.drawn.rows, rows.whole.dataset)
        return _beside(_placed(tally, rows.whole, rows.actions), rows.whole.tally)

    def tell(self, released: ReleasedRows, task: "Task", engine: Engine) -> StepFacts:
        """How many were drawn of how many."""
        assert released.rows.whole is not None
        return StepFacts(body={"drawn": released.rows.whole.drawn})


@dataclass(frozen=True, eq=False)
class _Kept:
    """Which rows were drawn, and how many that are of how many."""

    rows: BoolArray
    drawn: Drawn


def _kept(dataset: Dataset, engine: Engine, sample: SampleSection, bits: RandomBits, number: int) -> _Kept:
    """The draw among `number` rows, or among the people whom the unit names."""
    if dataset.unit is None:
        rows = _drawn(sample, number, bits, "rows")
        size = int(rows.sum())
        return _Kept(rows, Drawn(rows=size, of_rows=number, share=size / number, weight=number / size))
    person = person_numbers(engine.cells(dataset.source, (dataset.unit,)).column(dataset.unit))
    _require(person.size == number, dataset)
    people = int(person.max()) + 1
    chosen = _drawn(sample, people, bits, "people")
    size, rows = int(chosen.sum()), chosen[person]
    counted = {"rows": int(rows.sum()), "of_rows": number, "people": size, "of_people": people}
    return _Kept(rows, Drawn(**counted, share=size / people, weight=people / size))


def _drawn(sample: SampleSection, number: int, bits: RandomBits, what: str) -> BoolArray:
    """Which of `number` rows, or people, the method keeps, told by the places that it leaves of all of them."""
    card, params = sample.card, sample.params
    size = card.size(params, number, what)
    left = card.run(columns_of({PLACE: np.arange(number)}), params, bits)[PLACE]
    places = left.values if isinstance(left, Numbers) else np.empty(0)
    drawn = np.isin(np.arange(number), places)
    if not int(drawn.sum()) == places.size == size:
        raise CannotGuarantee(f"{sample.method} drew other {what} than it said it would, so nothing is published")
    return drawn


def share_of(sample: SampleSection, tally: Tally, unit: str | None) -> float:
    """The share of the rows, or of the people, of a counted file that the plan has drawn."""
    number = int(tally.rows.sum()) if unit is None else people_in(tally.people)
    return sample.card.size(sample.params, number, "rows" if unit is None else "people") / number


def people_in(census: Census) -> int:
    """How many different people there are; who has several keys counts once."""
    return int(census.settled.sum()) + int(np.unique(census.spread_person).size)


def _placed(tally: Tally, whole: WholeFile, treated: Collection[str]) -> Tally:
    """The tally with the codes of the whole file; a treated column keeps what it was treated to."""
    codes = []
    for c, values in enumerate(tally.values):
        position = {value: code for code, value in enumerate(whole.tally.values[c])}
        _require(all(value in position for value in values), whole.dataset)
        codes.append(np.array([position[value] for value in values], dtype=np.int32)[tally.codes[c]])
    sensitive = {
        name: part if name in treated else aligned(part, whole.tally.sensitive[name])
        for name, part in tally.sensitive.items()
    }
    return replace(tally, values=whole.tally.values, codes=np.array(codes, dtype=np.int32), sensitive=sensitive)


def _beside(tally: Tally, whole: Tally) -> Tally:
    """The tally beside the population of the whole file, if any."""
    people = whole.population
    if people is None:
        return tally
    return beside_population(tally, Tally(whole.columns, whole.values, whole.codes, people, Census(people)))


def _require(same: bool, dataset: Dataset) -> None:
    if not same:
        raise BadData(f"{dataset.source.name} changed while it was read, so nothing is published; run it again")


def _notes(dataset: Dataset, section: ReleaseSection, drawn: Drawn) -> Iterator[str]:
    """What a reader of the evidence must know of the draw."""
    assert section.sample is not None
    what, size, number = "rows", drawn.rows, drawn.of_rows
    also = ""
    if drawn.people is not None and drawn.of_people is not None:
        what, size, number = "people", drawn.people, drawn.of_people
        also = f" with all their rows, {drawn.rows:,} of {drawn.of_rows:,}"
    yield (
        f"Before anything else a sample of {size:,} of {number:,} {what} was drawn ({100 * drawn.share:.4g} %){also}; "
        f"{section.sample.card.chances}. To estimate totals of the whole file, multiply those of the "
        f"release by {drawn.weight:.6g}."
    )
    yield NO_PROMISE
    yield WHAT_IS_ABOUT_WHAT
    weight = None if dataset.sampling is None else dataset.sampling.weight
    if weight is not None:
        yield (
            f"The weights in {weight!r} are published as they were, if at all; in the release each counts "
            f"{drawn.weight:.6g} times, and so it does in the risk as a sample after."
        )
    if any(dataset.columns[name].role == "sensitive" for entry in section.treatments for name in entry.columns):
        yield "Guarantees before are about sensitive values before their treatment, those after about the treated ones."
    yield FROM_THE_SYSTEM if section.seed is None else FROM_A_SEED


STEP = SampleStep()
