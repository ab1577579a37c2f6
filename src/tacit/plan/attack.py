"""The attack job: every attack that applies, on the raw file, on the file without its identifiers, on the release.

The adversary of the worst case holds the quasi-identifiers of everybody in the data, or the population file where the
plan names one; on the raw file he can look people up by their identifiers too. The release is read from disk. What was
found is added to the evidence beside it, and the report is written anew. A release that is a sample is attacked by
somebody who knows who was drawn (`attack_sample.py`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tacit.attacks._labels import Stands, stands_for
from tacit.attacks._success import CONFIDENCE
from tacit.attacks._view import View, view_as_is, view_of
from tacit.cards.attack import Attack
from tacit.cards.republication import RepublicationMethod
from tacit.catalogue import attacks, find_method
from tacit.data.classes import classes_of
from tacit.data.counting import tally_from
from tacit.data.source import Source, file_source
from tacit.data.table import Table
from tacit.data.tally import Tally
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter
from tacit.evidence.files import read_evidence, sha256_of
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee, check
from tacit.params import Params
from tacit.plan.attack_sample import NOT_TOLD_APART, run_on_sample, view_of_sample, why_not
from tacit.plan.dataset import Dataset, build_table, count
from tacit.plan.drawn import share_of
from tacit.plan.files import default_output, outcome_files
from tacit.plan.load import Plan
from tacit.plan.released import Released, read_back
from tacit.release import AttackResult, Release, Success
from tacit.request import Progress, be_silent


@dataclass(frozen=True, eq=False)
class Board:
    """What every adversary learnt, why some attacks were not run, and the files that say so."""

    results: tuple[AttackResult, ...]
    skipped: Mapping[str, str]
    release: Path
    evidence: Path | None = None
    report: Path | None = None

    def __repr__(self) -> str:
        """A short form: the rate of each attack on the release."""
        rates = ((result.attack, result.release or result.raw) for result in self.results)
        return f"Board({', '.join(f'{name} {success.rate:.3g}' for name, success in rates if success)})"


@dataclass(frozen=True, eq=False)
class Published:
    """A release on disk: where it is, how it reads, its evidence where that belongs to it."""

    path: Path
    source: Source
    read: Released
    stands: tuple[Stands, ...]
    evidence: Release | None
    share: float | None = None
    """Of the people or rows of the file that were drawn; None where the release is no sample."""

    @property
    def unread(self) -> dict[int, tuple[str, ...]]:
        """The columns that have labels which stand for no value: they were perturbed."""
        return {c: one.unread for c, one in enumerate(self.stands) if one.unread}


@dataclass(frozen=True, eq=False)
class Ground:
    """Everything that attacks are run on."""

    dataset: Dataset
    engine: Engine
    raw: Tally
    table: Table
    releases: tuple[Published, ...]
    guarantees: tuple[Guarantee, ...]
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
    def before(self) -> dict[str, View]:
        """The raw file and the file without identifiers, as they are seen."""
        pseudonymised = view_as_is(self.known)
        same = self.raw is self.known
        return {"raw": pseudonymised if same else view_as_is(self.raw), "pseudonymised": pseudonymised}

    @cached_property
    def views(self) -> tuple[View, ...]:
        """The releases, as they are seen; none where a column was perturbed."""
        if any(release.unread for release in self.releases):
            return ()
        return tuple(
            (view_of if release.share is None else view_of_sample)(self.known, release.read.tally, release.stands)
            for release in self.releases
        )


def attack_plan(plan: Plan, engine: Engine, releases: tuple[Path, ...] = (), progress: Progress = be_silent) -> Board:
    """Runs every attack that applies; the results stand in the evidence and the report of the first release."""
    paths = releases or _own_releases(plan)
    for path in paths:
        if not path.exists():
            raise BadData(
                f"there is no release {path}; make it with `tacit protect {plan.path}`, or name it: --release"
            )
    progress("counting")
    ground = _ground(plan, engine, paths)
    results = []
    for name, card in _cards():
        progress(f"attacking: {card.title.lower()}")
        results += list(_results(ground, name, card))
    return _written(Board(tuple(results), ground.skipped, paths[0]), ground.releases[0].evidence)


def _own_releases(plan: Plan) -> tuple[Path, ...]:
    """The release of the plan; all that are there of a series, the latest first."""
    if find_method(plan.release.method).kind == RepublicationMethod.kind:
        from tacit.plan.republish import released_files

        return released_files(plan) or (default_output(plan),)
    return (default_output(plan),)


def views_of(plan: Plan, engine: Engine, release: Path | None = None) -> dict[str, View]:
    """What an adversary sees of the raw file, of it without identifiers, and of the release where its labels tell."""
    ground = _ground(plan, engine, (release or default_output(plan),))
    return {**ground.before, **({"release": ground.views[0]} if ground.views else {})}


def _cards() -> Iterator[tuple[str, Attack[Any]]]:
    """The attacks on tables: those on one table first, then those that need more."""
    shelf = attacks()
    there = {name: shelf[name] for name in shelf if "/" not in name}
    order = {"table": 0, "recipe": 1, "releases": 2, "numbers": 3}
    told = [(name, card) for name, card in there.items() if card.sees is not None]
    yield from sorted(told, key=lambda entry: (order[entry[1].sees or "table"], entry[0] != "linkage", entry[0]))


def _ground(plan: Plan, engine: Engine, paths: tuple[Path, ...]) -> Ground:
    dataset = plan.dataset
    table = build_table(dataset, count(dataset, engine))
    guarantees = tuple(parse_guarantee(entry) for entry in plan.release.guarantees)
    sample = plan.release.sample
    share = None if sample is None else share_of(sample, table.tally, dataset.unit)
    releases = tuple(replace(_published(path, dataset, table, engine), share=share) for path in paths)
    treated = frozenset(name for entry in plan.release.treatments for name in entry.columns)
    own = tuple(_as_evidence_says(release) for release in releases)
    return Ground(dataset, engine, _raw(dataset, table.tally, engine), table, own, guarantees, treated)


def _as_evidence_says(release: Published) -> Published:
    """The release as the sample that its evidence tells of, which knows better than the plan."""
    if release.evidence is None:
        return release
    drawn = release.evidence.drawn
    return replace(release, share=None if drawn is None else drawn.share)


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


def _published(path: Path, dataset: Dataset, table: Table, engine: Engine) -> Published:
    source = file_source(path)
    lacking = {*dataset.reading.quasi_identifiers, *dataset.reading.sensitive} - set(engine.columns(source))
    if lacking:
        raise BadData(f"{path.name} has no column {', '.join(sorted(map(repr, lacking)))}, which the plan protects")
    read = read_back(engine, source, replace(dataset.reading, unit=None), table.tally.sensitive)
    stands = tuple(
        stands_for(hierarchy, known, shown)
        for hierarchy, known, shown in zip(table.hierarchies, table.tally.values, read.tally.values, strict=True)
    )
    return Published(path, source, read, stands, _evidence(path))


def _evidence(path: Path) -> Release | None:
    """The evidence beside the release, if it speaks of this file."""
    beside = outcome_files(path).evidence
    if not beside.exists():
        return None
    found = read_evidence(beside)
    return found if found.output.sha256 == sha256_of(path) else None


def _results(ground: Ground, name: str, card: Attack[Any]) -> Iterator[AttackResult]:
    """One result for each secret, or one where the attack is about no secret."""
    from tacit.plan.attack_inputs import inputs_for

    about_secrets = "column" in card.params.model_fields
    columns: tuple[str | None, ...] = ground.dataset.named("sensitive") if about_secrets else (None,)
    if not columns:
        ground.skipped[name] = "the plan names no sensitive column"
    for column in columns:
        params, shown = _params(ground, card, column), name if column is None else f"{name} ({column})"
        try:
            given = inputs_for(ground, card)
            reason = _unfit(ground, name, column) if "release" in given else None
            fit = {side: one for side, one in given.items() if reason is None or side != "release"}
            sides = _sides(card, params, fit, ground.releases[0].share)
        except BadParameter as error:
            ground.skipped[shown] = str(error)
            continue
        if reason is not None:
            about = "all attacks" if reason == NOT_TOLD_APART else shown
            ground.skipped[f"{about} on the release"] = reason
        yield _result(ground, name, card, (params, sides))


def _unfit(ground: Ground, name: str, column: str | None) -> str | None:
    """Why the attack can't be run on the release although the table is there; None where it can."""
    if ground.releases[0].share is None:
        return None
    return why_not(name, ground.dataset.unit is not None, column in ground.treated)


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


def _params(ground: Ground, card: Attack[Any], column: str | None) -> Params:
    given: dict[str, Any] = {} if column is None else {"column": column}
    population = ground.known.population
    if population is not None and "fraction" in card.params.model_fields:
        given["fraction"] = min(int(ground.known.people.counts().sum()) / max(int(population.sum()), 1), 1.0)
    params: Params = card.example.model_copy(update=given)
    return params


def _result(ground: Ground, name: str, card: Attack[Any], ran: tuple[Params, dict[str, Success]]) -> AttackResult:
    params, sides = ran
    column = getattr(params, "column", None)
    bound, source = _bound(ground, name, card, params, sides.get("release"))
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
    ground: Ground, name: str, card: Attack[Any], params: Params, found: Success | None
) -> tuple[float | None, str | None]:
    """The lowest bound that a guarantee which holds in the release sets, and which guarantee that is."""
    if card.bound is None or found is None:
        return None, None
    classes = classes_of(ground.releases[0].read.tally)
    column = getattr(params, "column", None)
    bounds = []
    for guarantee in ground.guarantees:
        about = getattr(guarantee, "column", None)
        bound = card.bound(params, guarantee, found) if about in (None, column) else None
        # Rows of one person can't be told from those of others in the release, so averages over people may differ.
        if ground.dataset.unit and bound and not (name == "linkage" and ground.views[0].whole):
            bound = None
        if bound is not None and check(guarantee, classes).holds:
            bounds.append((bound, guarantee.name))
    return min(bounds, default=(None, None))


def _written(board: Board, evidence: Release | None) -> Board:
    """The board with the files that now tell it; none where the evidence is of another file."""
    from tacit.evidence.files import write_evidence
    from tacit.evidence.report import write_report

    if evidence is None:
        return board
    whole = evidence.model_copy(update={"attacks": board.results})
    files = outcome_files(board.release)
    write_evidence(whole, files.evidence)
    write_report(whole, files.report)
    return replace(board, evidence=files.evidence, report=files.report)
