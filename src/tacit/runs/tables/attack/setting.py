"""The setting of attacks on tables: the data and the releases, read and counted, as adversaries see them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.data.tables.adversary_view import AdversaryView, view_as_is, view_of
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.labels import Stands
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.guarantees.guarantee import TableGuarantee
from tacit.release.tables import TableRelease
from tacit.runs.tables.attack.sample import view_of_sample
from tacit.runs.tables.read_back import ReadBack
from tacit.runs.tables.step import Step


@dataclass(frozen=True, eq=False)
class AttackedTable:
    """A release as it was read: where it is, how its labels read, and its evidence, if that belongs to it."""

    source: Source
    read: ReadBack
    stands: tuple[Stands, ...]
    evidence: TableRelease | None
    share: float | None = None
    """Of the people or rows of the file that are left; None where no rows were left out."""

    @property
    def unread(self) -> dict[int, tuple[str, ...]]:
        """The columns with labels that stand for no value: they were perturbed, or come from other data."""
        return {c: one.unread for c, one in enumerate(self.stands) if one.unread}


@dataclass(frozen=True, eq=False)
class AttackSetting:
    """Everything that attacks are run on."""

    dataset: Dataset
    engine: Engine
    raw: Tally
    table: Table
    releases: tuple[AttackedTable, ...]
    guarantees: tuple[TableGuarantee, ...]
    steps: tuple[Step[Any], ...] = ()
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def is_sampled(self) -> bool:
        """Whether rows were left out of one of the releases."""
        return any(release.share is not None for release in self.releases)

    @property
    def changed(self) -> frozenset[str]:
        """The columns that steps changed."""
        return frozenset[str]().union(*(step.effects(self.dataset).changed for step in self.steps))

    @property
    def known(self) -> Tally:
        """The quasi-identifiers of everybody."""
        return self.table.tally

    @cached_property
    def before(self) -> dict[str, AdversaryView]:
        """The raw file and the file without identifiers, as they are seen."""
        pseudonymised = view_as_is(self.known)
        same = self.raw is self.known
        return {"raw": pseudonymised if same else view_as_is(self.raw), "pseudonymised": pseudonymised}

    @cached_property
    def classes(self) -> Classes:
        """The classes of the first release."""
        return classes_of(self.releases[0].read.tally)

    @cached_property
    def views(self) -> tuple[AdversaryView, ...]:
        """The releases as an adversary sees them, without those with a label that could not be read.

        None at all if the first release has such a label.
        """
        if self.releases[0].unread:
            return ()
        return tuple(
            (view_of if release.share is None else view_of_sample)(self.known, release.read.tally, release.stands)
            for release in self.releases
            if not release.unread
        )
