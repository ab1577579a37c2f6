"""The board of attacks on tables: on the raw file, on the file without its identifiers, on the release.

The adversary of the worst case holds the quasi-identifiers of everybody in the data, or the population file where there
is one; on the raw file people can be looked up by their identifiers too. A release that is a sample is attacked by
somebody who knows who was drawn (`sample.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tacit.attacks.tables._view import AdversaryView, view_as_is, view_of
from tacit.cards.attack import Attack
from tacit.catalogue import attacks
from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, file_source
from tacit.data.tables.classes import classes_of
from tacit.data.tables.counting import tally_from
from tacit.data.tables.labels import Stands, stands_for
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee, check
from tacit.methods.columns.sample import Sample
from tacit.params import Params
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.release.attacks import CONFIDENCE, AttackResult, Success
from tacit.release.tables import TableRelease
from tacit.request import Progress, be_silent
from tacit.runs.attack import AttackOutcome, evidence_beside
from tacit.runs.files import default_output
from tacit.runs.tables.attack.sample import NOT_TOLD_APART, run_on_sample, view_of_sample, why_not
from tacit.runs.tables.count import build_table, count
from tacit.runs.tables.read_back import ReadBack, read_back
from tacit.runs.tables.steps.sample import share_of
from tacit.runs.tables.task import guarantees_of

FOLDER = "tables/"
"""Where attacks on tables stand; their short names leave it out."""


@dataclass(frozen=True, eq=False)
class AttackedTable:
    """A release as it was read: where it is, how its labels read, its evidence where that belongs to it."""

    source: Source
    read: ReadBack
    stands: tuple[Stands, ...]
    evidence: TableRelease | None
    share: float | None = None
    """Of the people or rows of the file that were drawn; None where the release is no sample."""

    @property
    def unread(self) -> dict[int, tuple[str, ...]]:
        """The columns that have labels which stand for no value: they were perturbed, or are of other data."""
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
    treated: frozenset[str] = frozenset()
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def is_sampled(self) -> bool:
        """Whether one of the releases is a sample."""
        return any(release.share is not None for release in self.releases)

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
    def views(self) -> tuple[AdversaryView, ...]:
        """The releases whose labels all stand for values of the data, as they are seen; none where the first is not
        among them."""
        if self.releases[0].unread:
            return ()
        return tuple(
            (view_of if release.share is None else view_of_sample)(self.known, release.read.tally, release.stands)
            for release in self.releases
            if not release.unread
        )


@dataclass(frozen=True, eq=False)
class AttackedData:
    """Whom the attacks are about: a dataset, what was promised about it, the draw and the columns that were treated."""

    dataset: Dataset
    guarantees: tuple[TableGuarantee, ...] = ()
    sample: Sample | None = None
    treated: frozenset[str] = frozenset()

    @classmethod
    def of(cls, dataset: Dataset, section: ReleaseSection) -> "AttackedData":
        """The dataset with what a release section says of it."""
        treated = frozenset(name for entry in section.treatments for name in entry.columns)
        return cls(dataset, guarantees_of(section), section.sample, treated)


@dataclass(frozen=True, eq=False)
class ReleaseToAttack:
    """A release: where its rows are, and its evidence, if there is some."""

    source: Source
    evidence: TableRelease | None = None


def attack_tables(
    data: AttackedData, releases: Sequence[ReleaseToAttack], engine: Engine, progress: Progress = be_silent
) -> AttackOutcome:
    """What every attack that applies achieves; the board is about the first release."""
    progress("counting")
    setting = setting_of(data, releases, engine)
    results = []
    for name, card in _cards():
        progress(f"attacking: {card.title.lower()}")
        results += list(_results(setting, name, card))
    return AttackOutcome(tuple(results), setting.skipped, releases[0].source.path or Path("data frame"))


def views_of(plan: Plan, engine: Engine, release: Path | None = None) -> dict[str, AdversaryView]:
    """What an adversary sees of the raw file, of it without identifiers, and of the release where its labels tell."""
    path = release or default_output(plan)
    given = ReleaseToAttack(file_source(path), evidence_beside(path))
    setting = setting_of(AttackedData.of(plan.dataset, plan.release), (given,), engine)
    return {**setting.before, **({"release": setting.views[0]} if setting.views else {})}


def _cards() -> Iterator[tuple[str, Attack[Any]]]:
    """The attacks on tables by their short names: those on one table first, then those that need more."""
    shelf = attacks()
    there = {name.removeprefix(FOLDER): shelf[name] for name in shelf if name.startswith(FOLDER)}
    order = {"table": 0, "recipe": 1, "releases": 2, "numbers": 3}
    told = [(name, card) for name, card in there.items() if card.sees is not None]
    yield from sorted(told, key=lambda entry: (order[entry[1].sees or "table"], entry[0] != "linkage", entry[0]))


def setting_of(data: AttackedData, releases: Sequence[ReleaseToAttack], engine: Engine) -> AttackSetting:
    """Everything that attacks are run on, read and counted."""
    dataset = data.dataset
    table = build_table(dataset, count(dataset, engine))
    share = None if data.sample is None else share_of(data.sample, table.tally, dataset.unit)
    read = tuple(_read(release, dataset, table, engine, share) for release in releases)
    raw = _raw(dataset, table.tally, engine)
    return AttackSetting(dataset, engine, raw, table, read, data.guarantees, data.treated)


def _raw(dataset: Dataset, known: Tally, engine: Engine) -> Tally:
    """The input with its identifiers among what is known of people."""
    identifiers = dataset.named("identifier")
    if not identifiers:
        return known
    reading = replace(dataset.reading, quasi_identifiers=(*identifiers, *dataset.reading.quasi_identifiers))
    raw = tally_from(engine.tally(dataset.source, tuple(dict.fromkeys(reading.columns))), reading)
    return replace(
        raw, sensitive={n: replace(part, hierarchy=known.sensitive[n].hierarchy) for n, part in raw.sensitive.items()}
    )


def _read(
    release: ReleaseToAttack, dataset: Dataset, table: Table, engine: Engine, share: float | None
) -> AttackedTable:
    """The release as it reads; which share was drawn, its evidence knows better than the plan."""
    source, evidence = release.source, release.evidence
    lacking = {*dataset.reading.quasi_identifiers, *dataset.reading.sensitive} - set(engine.columns(source))
    if lacking:
        raise BadData(f"{source.name} has no column {', '.join(sorted(map(repr, lacking)))}, which the plan protects")
    read = read_back(engine, source, replace(dataset.reading, unit=None), table.tally.sensitive)
    stands = tuple(
        stands_for(hierarchy, known, shown)
        for hierarchy, known, shown in zip(table.hierarchies, table.tally.values, read.tally.values, strict=True)
    )
    if evidence is not None:
        share = None if evidence.body.drawn is None else evidence.body.drawn.share
    return AttackedTable(source, read, stands, evidence, share)


def _results(setting: AttackSetting, name: str, card: Attack[Any]) -> Iterator[AttackResult]:
    """One result for each secret, or one where the attack is about no secret."""
    from tacit.runs.tables.attack.inputs import inputs_for

    about_secrets = "column" in card.params.model_fields
    columns: tuple[str | None, ...] = setting.dataset.named("sensitive") if about_secrets else (None,)
    if not columns:
        setting.skipped[name] = "the plan names no sensitive column"
    for column in columns:
        params, shown = _params(setting, card, column), name if column is None else f"{name} ({column})"
        try:
            given = inputs_for(setting, card)
            reason = _unfit(setting, name, column) if "release" in given else None
            fit = {side: one for side, one in given.items() if reason is None or side != "release"}
            sides = _sides(card, params, fit, setting.releases[0].share)
        except BadParameter as error:
            setting.skipped[shown] = str(error)
            continue
        if reason is not None:
            about = "all attacks" if reason == NOT_TOLD_APART else shown
            setting.skipped[f"{about} on the release"] = reason
        yield _result(setting, name, card, (params, sides))


def _unfit(setting: AttackSetting, name: str, column: str | None) -> str | None:
    """Why the attack can't be run on the release although the table is there; None where it can."""
    if setting.releases[0].share is None:
        return None
    return why_not(name, setting.dataset.unit is not None, column in setting.treated)


def _sides(
    card: Attack[Any], params: Params, given: Mapping[str, Any], share: float | None = None
) -> dict[str, Success]:
    """The success on each side; what is the same to the adversary is attacked once."""
    found: dict[int, Success] = {}
    for side, one in given.items():
        if id(one) not in found:
            sampled = side == "release" and share is not None and card.sees == "table"
            found[id(one)] = run_on_sample(card, one, params, share or 1.0) if sampled else card.run(one, params)
    return {side: found[id(one)] for side, one in given.items()}


def _params(setting: AttackSetting, card: Attack[Any], column: str | None) -> Params:
    given: dict[str, Any] = {} if column is None else {"column": column}
    population = setting.known.population
    if population is not None and "fraction" in card.params.model_fields:
        given["fraction"] = min(int(setting.known.people.counts().sum()) / max(int(population.sum()), 1), 1.0)
    params: Params = card.example.model_copy(update=given)
    return params


def _result(
    setting: AttackSetting, name: str, card: Attack[Any], ran: tuple[Params, dict[str, Success]]
) -> AttackResult:
    params, sides = ran
    column = getattr(params, "column", None)
    bound, source = _bound(setting, name, card, params, sides.get("release"))
    return AttackResult(
        attack=name,
        title=card.title,
        knowledge=card.knowledge,
        story=card.story,
        column=column,
        parameters={key: value for key, value in params.model_dump().items() if key != "column"},
        confidence=CONFIDENCE,
        bound=bound,
        bound_from=source,
        **sides,
    )


def _bound(
    setting: AttackSetting, name: str, card: Attack[Any], params: Params, found: Success | None
) -> tuple[float | None, str | None]:
    """The lowest bound that a guarantee which holds in the release sets, and which guarantee that is."""
    if card.bound is None or found is None:
        return None, None
    classes = classes_of(setting.releases[0].read.tally)
    column = getattr(params, "column", None)
    bounds = []
    for guarantee in setting.guarantees:
        about = guarantee.column if isinstance(guarantee, SecretGuarantee) else None
        bound = card.bound(params, guarantee, found) if about in (None, column) else None
        # Rows of one person can't be told from those of others in the release, so averages over people may differ.
        if setting.dataset.unit and bound and not (name == "linkage" and setting.views[0].whole):
            bound = None
        if bound is not None and check(guarantee, classes).holds:
            bounds.append((bound, guarantee.name))
    return min(bounds, default=(None, None))
