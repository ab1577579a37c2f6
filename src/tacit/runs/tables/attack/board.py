"""The board of attacks on tables: on the raw file, on the file without its identifiers, on the release.

The worst-case adversary holds the quasi-identifiers of everybody in the data, or the population file if there is one;
on the raw file people can be looked up by their identifiers too. A release without some of the rows, such as a sample,
is attacked by somebody who knows whose rows are in it (`sample.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from tacit.cards.attack import Sees, TableAttack
from tacit.catalogue import attacks_of
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, file_source
from tacit.data.tables.adversary_view import AdversaryView
from tacit.data.tables.counting import tally_from
from tacit.data.tables.labels import stands_for
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee, check
from tacit.params import Params
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.release.attacks import CONFIDENCE, AttackResult, Success
from tacit.release.tables import TableRelease
from tacit.request import Progress, Stage, be_silent
from tacit.runs.attack import AttackOutcome, RateBound, bound_on, evidence_beside
from tacit.runs.files import default_output
from tacit.runs.tables.attack.inputs import inputs_for
from tacit.runs.tables.attack.sample import (
    NOT_TOLD_APART,
    planned_share,
    run_on_sample,
    told_share,
    why_not,
)
from tacit.runs.tables.attack.setting import AttackedTable, AttackSetting
from tacit.runs.tables.count import build_table, count
from tacit.runs.tables.read_back import read_back
from tacit.runs.tables.several_rows import repeating_key
from tacit.runs.tables.step import Step
from tacit.runs.tables.task import asked_steps, guarantees_of

FOLDER = "tables/"
"""Where attacks on tables stand; their short names leave it out."""


@dataclass(frozen=True, eq=False)
class AttackedData:
    """Whom the attacks are about: a dataset, what was promised about it, and the steps that were taken."""

    dataset: Dataset
    guarantees: tuple[TableGuarantee, ...] = ()
    steps: tuple[Step[Any], ...] = ()

    @classmethod
    def of(cls, dataset: Dataset, section: ReleaseSection) -> "AttackedData":
        """The dataset with what a release section says of it."""
        return cls(dataset, guarantees_of(section), asked_steps(dataset, section))


@dataclass(frozen=True, eq=False)
class ReleaseToAttack:
    """A release: where its rows are, and its evidence, if there is some."""

    source: Source
    evidence: TableRelease | None = None


def attack_tables(
    data: AttackedData, releases: Sequence[ReleaseToAttack], engine: Engine, progress: Progress = be_silent
) -> AttackOutcome:
    """The success of every attack that applies; the board is about the first release."""
    progress("counting")
    setting = setting_of(data, releases, engine)
    results = []
    cards = tuple(_cards())
    for number, (name, card) in enumerate(cards):
        progress(Stage(f"attacking: {card.title.lower()}", number, len(cards)))
        results += list(_results(setting, name, card))
    complaint = repeating_key(data.dataset, engine)
    notes = () if complaint is None else (complaint,)
    return AttackOutcome(tuple(results), setting.skipped, releases[0].source.path or Path("data frame"), notes=notes)


def views_of(plan: Plan, engine: Engine, release: Path | None = None) -> dict[str, AdversaryView]:
    """What an adversary sees of the raw file, of the file without identifiers, and of the release if it can be read."""
    path = release or default_output(plan)
    given = ReleaseToAttack(file_source(path), evidence_beside(path))
    setting = setting_of(AttackedData.of(plan.dataset, plan.release), (given,), engine)
    return {**setting.before, **({"release": setting.views[0]} if setting.views else {})}


def _cards() -> Iterator[tuple[str, TableAttack[Any]]]:
    """The attacks on tables by their short names, in the order of the board."""
    found = [(name.removeprefix(FOLDER), card) for name, card in attacks_of("tables", TableAttack).items()]
    order = get_args(Sees)
    yield from sorted(found, key=lambda entry: (order.index(entry[1].sees), entry[1].place, entry[0]))


def setting_of(data: AttackedData, releases: Sequence[ReleaseToAttack], engine: Engine) -> AttackSetting:
    """Everything that attacks are run on, read and counted."""
    dataset = data.dataset
    table = build_table(dataset, count(dataset, engine))
    read = tuple(_read(release, data, table, engine) for release in releases)
    raw = _raw(dataset, table.tally, engine)
    return AttackSetting(dataset, engine, raw, table, read, data.guarantees, data.steps)


def _raw(dataset: Dataset, known: Tally, engine: Engine) -> Tally:
    """The input with its identifiers among what is known about people."""
    identifiers = dataset.named("identifier")
    if not identifiers:
        return known
    reading = replace(dataset.reading, quasi_identifiers=(*identifiers, *dataset.reading.quasi_identifiers))
    raw = tally_from(engine.tally(dataset.source, tuple(dict.fromkeys(reading.columns))), reading)
    return replace(
        raw, sensitive={n: replace(part, hierarchy=known.sensitive[n].hierarchy) for n, part in raw.sensitive.items()}
    )


def _read(release: ReleaseToAttack, data: AttackedData, table: Table, engine: Engine) -> AttackedTable:
    """The release as its file reads."""
    source, evidence, dataset = release.source, release.evidence, data.dataset
    lacking = {*dataset.reading.quasi_identifiers, *dataset.reading.sensitive} - set(engine.columns(source))
    if lacking:
        raise BadData(f"{source.name} has no column {', '.join(sorted(map(repr, lacking)))}, which the plan protects")
    read = read_back(engine, source, replace(dataset.reading, unit=None), table.tally.sensitive)
    stands = tuple(
        stands_for(hierarchy, known, shown)
        for hierarchy, known, shown in zip(table.hierarchies, table.tally.values, read.tally.values, strict=True)
    )
    share = told_share(evidence) if evidence else planned_share(data.steps, read, table.tally, dataset.unit)
    return AttackedTable(source, read, stands, evidence, share)


def _results(setting: AttackSetting, name: str, card: TableAttack[Any]) -> Iterator[AttackResult]:
    """One result for each secret, or one if the attack is about no secret."""
    secrets = setting.dataset.named("sensitive")
    columns: tuple[str | None, ...] = (None,) if card.column_parameter is None else secrets
    if not columns:
        setting.skipped[name] = "the plan names no sensitive column"
    for column in columns:
        shown = name if column is None else f"{name} ({column})"
        try:
            trial = _AttackRun(name, card, _params(setting, name, card, column), column)
            given = inputs_for(setting, card)
            reason = _unfit(setting, trial) if "release" in given else None
            fit = {side: one for side, one in given.items() if reason is None or side != "release"}
            sides = _sides(trial, fit, setting.releases[0].share)
        except BadParameter as error:
            setting.skipped[shown] = str(error)
            continue
        if reason is not None:
            about = "all attacks" if reason == NOT_TOLD_APART else shown
            setting.skipped[f"{about} on the release"] = reason
        yield _result(setting, trial, sides)


@dataclass(frozen=True, eq=False)
class _AttackRun:
    """One attack as it is run: its parameters, and the secret that it is about, if any."""

    name: str
    card: TableAttack[Any]
    params: Params
    column: str | None


def _params(setting: AttackSetting, name: str, card: TableAttack[Any], column: str | None) -> Params:
    """The example of the card, about this secret and for this population."""
    given: dict[str, Any] = card.example.model_dump()
    if card.column_parameter is not None:
        given[card.column_parameter] = column
    population = setting.known.population
    if population is not None and card.fraction_parameter is not None:
        people = setting.known.people.number
        given[card.fraction_parameter] = min(people / max(int(population.sum()), 1), 1.0)
    params: Params = card.params.parse(name, given)
    return params


def _unfit(setting: AttackSetting, trial: _AttackRun) -> str | None:
    """Why the attack can't be run on the release although the table is there; None if it can."""
    if setting.releases[0].share is None:
        return None
    return why_not(trial.card, setting.dataset.unit is not None, trial.column in setting.changed)


def _sides(trial: _AttackRun, given: Mapping[str, Any], share: float | None) -> dict[str, Success]:
    """The success on each side; sides that look the same to the adversary are attacked once."""
    card, params = trial.card, trial.params
    found: dict[int, Success] = {}
    for side, one in given.items():
        if id(one) not in found:
            sampled = side == "release" and share is not None and card.sees == "table"
            found[id(one)] = run_on_sample(card, one, params, share or 1.0) if sampled else card.run(one, params)
    return {side: found[id(one)] for side, one in given.items()}


def _result(setting: AttackSetting, trial: _AttackRun, sides: Mapping[str, Success]) -> AttackResult:
    card, bound = trial.card, _bound(setting, trial, sides.get("release"))
    return AttackResult(
        attack=trial.name,
        title=card.title,
        knowledge=card.knowledge,
        story=card.story,
        means=card.means,
        column=trial.column,
        parameters={key: value for key, value in trial.params.model_dump().items() if key != card.column_parameter},
        confidence=CONFIDENCE,
        bound=bound.rate,
        bound_from=bound.source,
        **sides,
    )


def _bound(setting: AttackSetting, trial: _AttackRun, found: Success | None) -> RateBound:
    """The lowest rate allowed by any guarantee that holds in the release and is about the secret, if there is one."""
    if found is None:
        return RateBound()
    about = (None, trial.column)
    speaking = [one for one in setting.guarantees if not isinstance(one, SecretGuarantee) or one.column in about]
    bound = bound_on(trial.card, trial.params, found, speaking, lambda one: check(one, setting.classes))
    # Rows of one person can't be told from those of others in the release, so averages over people may differ. Where
    # nobody is hit, they do not.
    if setting.dataset.unit and bound.rate and not (trial.card.bound_for_people and setting.views[0].whole):
        return RateBound()
    return bound
