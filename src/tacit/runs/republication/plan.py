"""A plan that publishes a table again and again: what it must say, its history, and where its files go."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tacit.cards.republication import RepublicationMethod, RepublicationParams
from tacit.catalogue import find_method
from tacit.data.sources.source import shown_names
from tacit.errors import BadData, BadParameter
from tacit.guarantees.catalogue import given_by
from tacit.guarantees.guarantee import RepublicationGuarantee, SecretGuarantee, TableGuarantee
from tacit.plan.load import Plan
from tacit.publication import repair
from tacit.runs.files import OutcomeFiles, default_output, table_files
from tacit.runs.republication.history import About, History, read_history
from tacit.runs.tables.step import Task
from tacit.runs.tables.task import asked_steps, guarantees_of

COUNTERFEITS = "counterfeits"


@dataclass(frozen=True, eq=False)
class RepublicationPlan:
    """A plan that was found fit for republication, with the method that it names."""

    plan: Plan
    method: RepublicationMethod[Any]
    params: RepublicationParams
    guarantee: RepublicationGuarantee

    @property
    def m(self) -> int:
        """The least number of different values in each class."""
        return self.guarantee.least_values

    @property
    def history(self) -> Path:
        """Where releases are recorded."""
        return self.plan.dataset.folder / self.params.history

    @property
    def task(self) -> Task:
        """What is asked, parsed."""
        section = self.plan.release
        return Task(section, (self.guarantee,), self.method, self.params, ())

    @property
    def about(self) -> About:
        """What all releases are about."""
        dataset = self.plan.dataset
        return About(
            m=self.m,
            unit=dataset.unit or "",
            sensitive=dataset.named("sensitive")[0],
            quasi_identifiers=tuple(sorted(dataset.named("quasi-identifier"))),
        )


def republication_plan(plan: Plan) -> RepublicationPlan:
    """The plan as one of republication; what is impossible is refused before any work."""
    section = plan.release
    method = _method(section.method)
    params = method.params.parse(section.method, section.parameters)
    guarantees = guarantees_of(section)
    able = [name for name in given_by(("republication",)) if name in given_by(method.guarantees)]
    promised = guarantees[0] if len(guarantees) == 1 else None
    if not isinstance(promised, RepublicationGuarantee) or promised.name not in able:
        names = ", ".join(guarantee.name for guarantee in guarantees)
        raise BadParameter(
            f"{section.method} can promise only {', '.join(able) or 'nothing'}; the plan promises {names}"
        )
    _require_republication_data(plan, params, promised)
    for step in asked_steps(plan.dataset, section):
        if step.in_republication is not None:
            raise BadParameter(f"{section.method}: the step {step.name}: {step.in_republication}")
    if section.seed is not None:
        raise BadParameter(f"{section.method}: a republication can't be made from a seed; leave it out")
    if section.objective != "loss":
        raise BadParameter(
            f"{section.method} has one objective, loss, and the plan names {section.objective}; leave it out"
        )
    return RepublicationPlan(plan, method, params, promised)


def _method(name: str) -> RepublicationMethod[Any]:
    card = find_method(name)
    if not isinstance(card, RepublicationMethod):
        raise BadParameter(f"the method {name} is of the kind {card.kind!r}, which can't republish a table")
    return card


def _require_republication_data(plan: Plan, params: RepublicationParams, guarantee: TableGuarantee) -> None:
    """Columns and unit are such that people can be followed and counterfeits made up."""
    dataset = plan.dataset
    sensitive, insensitive = dataset.named("sensitive"), dataset.named("insensitive")
    bounded = [name for name, one in dataset.columns.items() if one.maximum is not None]
    column = guarantee.column if isinstance(guarantee, SecretGuarantee) else None
    wrong: tuple[tuple[bool, str], ...] = (
        (dataset.unit is None, "the plan names no unit; name the column that identifies people in all releases"),
        (len(sensitive) != 1, f"it needs one sensitive column, and the plan has {len(sensitive)}"),
        (
            bool(insensitive),
            f"{shown_names(insensitive)} is insensitive, and counterfeit rows could have no cells there; make such "
            "columns identifiers, which are left out, or quasi-identifiers",
        ),
        (bool(bounded), f"{shown_names(bounded)} has a maximum level, but a class may have to reach the root"),
        (params.class_column in dataset.columns, f"{params.class_column!r} is a column of the data; set class_column"),
        (column not in (None, *sensitive), f"{guarantee.name} is about {column!r}, which is not a secret"),
    )
    for applies, reason in wrong:
        if applies:
            raise BadParameter(f"{plan.release.method}: {reason}")


def republication_files(asked: RepublicationPlan, history: History, output: Path | None) -> OutcomeFiles:
    """Where the release goes: numbered, unless a name is given."""
    base = output or default_output(asked.plan)
    number = len(history.entries) + 1
    files = table_files(base if output else base.with_name(f"{base.stem}-{number}{base.suffix}"))
    beside = {COUNTERFEITS: files.release.with_suffix(".counterfeits.csv")}
    return replace(files, beside=beside, first=(asked.history,))


def history_of(asked: RepublicationPlan) -> History:
    """The history of the plan, after finishing what a crash left undone."""
    repair(asked.history)
    return read_history(asked.history, asked.about)


def released_files(plan: Plan) -> tuple[Path, ...]:
    """The releases in the folder of the next one, the latest first."""
    asked = republication_plan(plan)
    folder = default_output(plan).parent
    names = [entry.name for entry in history_of(asked).entries]
    return tuple(path for path in (folder / name for name in reversed(names)) if path.is_file())


@contextmanager
def alone(history: Path) -> Iterator[None]:
    """No other run works on a history in this folder; if one does, it is waited for, if the system has such locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    try:
        history.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(history.parent, os.O_RDONLY)
    except OSError as error:
        raise BadData(f"the folder of the history {history} can't be used: {error.strerror}") from None
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)
