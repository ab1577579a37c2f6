"""Candidates of a written release: what guarantees about them are checked on, and the risk that goes with it.

Labels are read as an adversary reads them, from their texts. The raw table is compared only if classes do not settle
the matter: if classes keep what the promise follows from, everybody is concealed. How candidates are counted, each
guarantee says for itself.

Candidates need not be equally likely: an adversary who knows how rows were matched may distinguish the intended
candidates from those that only happen to fit. So the risk counts no more of a person's candidates than were promised.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.data.dataset import Dataset
from tacit.data.tables.candidates import LinkedPeople, have_several_rows
from tacit.data.tables.classes import classes_of
from tacit.data.tables.labels import stands_for
from tacit.data.tables.linkage import Linkage
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import CandidateGuarantee, TableGuarantee, check
from tacit.metrics.tables.risk import EDGES, distribution, size_bins
from tacit.promise import Measured
from tacit.release.tables import Risk
from tacit.runs.tables.step import Step

NOTE = (
    "Rows that read the same do not form classes here: the risk is 1 divided by the number, at most k, of published "
    "rows that may be a person's, given everybody's quasi-identifiers. People whose published labels are unique are "
    "not counted."
)
NOTE_OF_PEOPLE = (
    "Rows that read the same do not form classes here: the risk is 1 divided by a number of people, at most k. These "
    "are the owners of the published rows that may be a person's, given everybody's quasi-identifiers, or, if these "
    "are fewer, the people who may own one of these rows. People whose published labels are unique are not counted."
)


@dataclass(frozen=True, eq=False)
class ConcealedPeople:
    """Everybody with their candidates in a release, as each guarantee about candidates counts them."""

    people: Mapping[TableGuarantee, LinkedPeople]

    def check(self, guarantee: TableGuarantee, finding: Measured) -> Measured:
        """The finding, measured on candidates where it is about them."""
        return check(guarantee, self.people[guarantee]) if guarantee in self.people else finding

    def risk(self, most: int, by_classes: Risk) -> Risk:
        """The risk of people whose row is one of their candidates, of which at most `most` count.

        Where guarantees count in several ways it is the highest.
        """
        risks = [candidate_risk(people, most, by_classes) for people in self.people.values()]
        return max(risks, key=lambda risk: (risk.prosecutor_highest, risk.prosecutor_average))


def concealed(
    guarantees: tuple[TableGuarantee, ...], table: Table, released: Tally, unit: str | None
) -> ConcealedPeople | None:
    """Everybody with their candidates in the release; None where class sizes already show that the promise is kept."""
    found = linkage_of(guarantees, table, released, unit)
    return None if found is None else counted_by(guarantees, found)


def counted_by(guarantees: tuple[TableGuarantee, ...], linkage: Linkage) -> ConcealedPeople:
    """The candidates as each guarantee about them counts."""
    return ConcealedPeople({one: one.count_candidates(linkage) for one in about_candidates(guarantees)})


def about_candidates(guarantees: tuple[TableGuarantee, ...]) -> tuple[CandidateGuarantee, ...]:
    """Those that are about candidates."""
    return tuple(one for one in guarantees if isinstance(one, CandidateGuarantee))


def classes_tell(guarantees: tuple[TableGuarantee, ...], released: Tally) -> bool:
    """Whether the classes of the release keep everything that is promised about candidates."""
    classes = classes_of(released)
    return all(check(one.in_classes(), classes, most=0).holds for one in about_candidates(guarantees))


def linkage_of(
    guarantees: tuple[TableGuarantee, ...], table: Table, released: Tally, unit: str | None
) -> Linkage | None:
    """The raw table beside the release; None where the class sizes already show that the promise is kept.

    `unit` is the column by which people were counted in the release; None where its rows were counted. Numbers of rows
    show nothing if people have several rows.
    """
    if not about_candidates(guarantees):
        return None
    if (unit is not None or not have_several_rows(table.tally)) and classes_tell(guarantees, released):
        return None
    fits = []
    for hierarchy, values, labels in zip(table.hierarchies, table.tally.values, released.values, strict=True):
        fits.append(stands_for(hierarchy, values, labels).dense(np.arange(len(values)), len(labels)))
    return Linkage(table.tally, released, fits)


def require_unlinked(dataset: Dataset, steps: Sequence[Step[Any]], guarantees: tuple[TableGuarantee, ...]) -> None:
    """A release that conceals people does not say which of its rows are one person's."""
    names = ", ".join(guarantee.name for guarantee in about_candidates(guarantees))
    if names and any(dataset.unit in step.effects(dataset).kept_identifiers for step in steps):
        raise BadParameter(
            f"{names}: the treated {dataset.unit!r} would say which rows are one person's, so anyone who knows "
            "several rows of a person could intersect their candidates; leave out its treatment, so that it is not "
            "published, or promise a number of people in each class"
        )


def metrics_of(risk: Risk) -> dict[str, float]:
    """The metrics that classes would show too high or too low, by name, as the risk of candidates has them."""
    return {"risk": risk.prosecutor_highest, "singling-out": risk.unique_share}


def promised(guarantees: tuple[TableGuarantee, ...]) -> int:
    """The largest number of candidates that is promised; 0 where none are."""
    return max((guarantee.least for guarantee in about_candidates(guarantees)), default=0)


def checked_again(
    guarantees: tuple[TableGuarantee, ...], findings: tuple[Measured, ...], hidden: ConcealedPeople
) -> tuple[Measured, ...]:
    """The findings, with those about candidates measured on them."""
    return tuple(hidden.check(one, finding) for one, finding in zip(guarantees, findings, strict=True))


def note_of(tally: Tally) -> str:
    """What a reader must know about risks by candidates."""
    return NOTE_OF_PEOPLE if have_several_rows(tally) else NOTE


def candidate_risk(people: LinkedPeople, k: int, by_classes: Risk) -> Risk:
    """The risk of people whose row is one of their candidates; there is no population to hide in.

    Who is unlike themselves in several rows has the fewest candidates of these.
    """
    candidates = np.clip(people.candidates, 1, k)
    fewest = people.census.least(candidates)
    number, chance = fewest.people, 1 / fewest.amount
    everybody = max(int(number.sum()), 1)
    average, highest = float((number * chance).sum()) / everybody, float(chance.max(initial=0.0))
    unique = int(number[fewest.amount == 1].sum())
    return Risk(
        people=int(number.sum()),
        classes=by_classes.classes,
        prosecutor_highest=highest,
        prosecutor_average=average,
        journalist_highest=highest,
        journalist_average=average,
        marketer=average,
        unique=unique,
        unique_share=unique / everybody,
        threshold=by_classes.threshold,
        above=int(number[chance > by_classes.threshold].sum()) / everybody,
        edges=EDGES,
        distribution=distribution(fewest),
        sizes=size_bins(candidates, fewest),
    )
