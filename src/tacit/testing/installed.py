"""Everything that is installed: cards, guarantees, steps and kinds, Tacit's own and those of other packages."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from tacit.cards.attack import StatisticsAttack
from tacit.cards.columns import ColumnMethod
from tacit.cards.private import PrivateMethod
from tacit.cards.tables import TableMethod
from tacit.catalogue import Catalogue, attacks, find_method, methods, metrics
from tacit.errors import TacitError
from tacit.guarantees.catalogue import guarantees, proven
from tacit.guarantees.guarantee import TableGuarantee
from tacit.runs.evidence_kinds import evidence_kind, kind_names
from tacit.runs.tables.step import all_steps
from tacit.testing.cards import check_card, check_statistics_attack
from tacit.testing.columns import check_column_method
from tacit.testing.generated import guessed, trial_guarantees
from tacit.testing.guarantees import check_guarantee
from tacit.testing.kinds import check_kind_itself
from tacit.testing.measures import check_table_guarantee, is_about_classes
from tacit.testing.private import check_private_method
from tacit.testing.steps import check_step
from tacit.testing.tables import check_table_method
from tacit.verbs.listing import faults

PartGroup = Literal["methods", "metrics", "attacks", "guarantees", "steps", "kinds"]


@dataclass(frozen=True)
class InstalledPart:
    """A part that a package provides."""

    group: PartGroup
    name: str
    package: str

    def __str__(self) -> str:
        """Its name in the names of tests."""
        return f"{self.group}/{self.name}"


def installed(package: str | None = None) -> tuple[InstalledPart, ...]:
    """Everything that a package brings, named by its module (`tacit` for ours), or that all packages bring.

    A package that brings nothing, or something that can't be imported, is refused, so that its tests can't pass empty.
    """
    broken = tuple(fault for fault in faults() if package in (None, _top(fault.module)))
    if broken:
        raise TacitError("; ".join(map(str, broken)))
    entries = tuple(_entries())
    found = tuple(entry for entry in entries if package in (None, entry.package))
    if not found:
        known = ", ".join(sorted({entry.package for entry in entries}))
        raise TacitError(f"no module {package!r} brings anything to Tacit; these do: {known}")
    return found


def check(entry: InstalledPart) -> None:
    """The entry keeps what all of its group keep, as far as that shows without data of its own.

    Methods on tables and on columns are run on generated ones, methods of differential privacy on the neighbours that
    they name, and attacks on statistics on the people that they invent. Guarantees about classes are measured.
    """
    if entry.group == "guarantees":
        check_guarantee(entry.name)
        _measure(entry.name)
    elif entry.group == "steps":
        check_step(entry.name)
    elif entry.group == "kinds":
        check_kind_itself(entry.name)
    else:
        check_card(entry.group, entry.name)
    if entry.group == "methods":
        _run(entry.name)
    if entry.group == "attacks" and isinstance(attacks()[entry.name], StatisticsAttack):
        check_statistics_attack(entry.name)


def _measure(name: str) -> None:
    """Measures the guarantee where it is one about each class, and its parameters can be guessed."""
    for one in guessed((guarantees() | proven())[name]):
        if isinstance(one, TableGuarantee) and is_about_classes(one):
            check_table_guarantee(one)


def _run(name: str) -> None:
    """Runs the method where its card says on what; one on tables only if there is a guarantee to try it with."""
    card = find_method(name)
    if isinstance(card, ColumnMethod):
        check_column_method(name)
    elif isinstance(card, PrivateMethod):
        check_private_method(name)
    elif isinstance(card, TableMethod) and any(trial_guarantees(card.guarantees)):
        check_table_method(name)


def _entries() -> Iterator[InstalledPart]:
    yield from _cards("methods", methods())
    yield from _cards("metrics", metrics())
    yield from _cards("attacks", attacks())
    for name, kind in (guarantees() | proven()).items():
        yield InstalledPart("guarantees", name, _top(kind.__module__))
    for step in all_steps():
        yield InstalledPart("steps", step.name, _top(type(step).__module__))
    for name in kind_names():
        with suppress(TacitError):
            yield InstalledPart("kinds", name, _top(type(evidence_kind(name)).__module__))


def _cards(group: PartGroup, shelf: Catalogue[Any]) -> Iterator[InstalledPart]:
    for folder in shelf.folders:
        yield from (InstalledPart(group, name, _top(folder.package)) for name in sorted(folder.names()))


def _top(module: str) -> str:
    return module.partition(".")[0]
