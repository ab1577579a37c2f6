"""Attacks on releases: the board of what every adversary learnt, and how it gets into the evidence.

The adversaries of a kind are the cards of `attacks/KIND`. Each attacks the raw data and the release. The findings are
added to the evidence beside the release, and the report is rewritten. Evidence belongs to a plan: a board made with
another plan, or on other data, is refused, since it would replace the right one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.cards.attack import ReleaseAttack
from tacit.cards.card import P
from tacit.catalogue import attacks_of
from tacit.engines.engine import Engine
from tacit.errors import BadData, BadParameter, PolicyRefused
from tacit.evidence.files import evidence_text, read_evidence
from tacit.plan.load import Plan
from tacit.promise import Measured
from tacit.publication import publication, repair
from tacit.release.attacks import CONFIDENCE, AttackResult, Success
from tacit.release.fingerprints import sha256_of
from tacit.release.release import Release
from tacit.request import Progress
from tacit.runs.check import Remark
from tacit.runs.evidence_kinds import body_of
from tacit.runs.files import outcome_files
from tacit.runs.packages import packages_of, part_of
from tacit.runs.untold import ATTACK, refuse_private_plan, refuse_private_release
from tacit.visible import visible

if TYPE_CHECKING:
    from tacit.runs.kind import Kind


@dataclass(frozen=True, eq=False)
class AttackOutcome:
    """What every adversary learnt, why some attacks were not run, and the files that say so.

    `is_changed` says that the file is not the one that the evidence beside it was written for.
    `notes` say what to know about how people were counted.
    """

    results: tuple[AttackResult, ...]
    skipped: Mapping[str, str]
    release: Path
    evidence: Path | None = None
    report: Path | None = None
    is_changed: bool = False
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """A short form: the rate of each attack on the release, and the notes below."""
        rates = ((result.attack, result.release or result.raw) for result in self.results)
        board = f"Board({', '.join(f'{name} {success.rate:.3g}' for name, success in rates if success)})"
        return "\n".join((board, *(f"  note  {visible(note)}" for note in self.notes)))

    def _repr_html_(self) -> str:
        """Each attack with what guessing achieves and how it fared on each table, the most successful first."""
        from tacit.evidence.board import ABOVE, GUESSING, attack_lead, board_cells, is_above_guessing, not_run_lines
        from tacit.hypertext import line, piece, table

        head, *rows = board_cells(self.results)
        notes = [line(f"Note: {note}") for note in self.notes]
        lead = line(f"{attack_lead(self.results)} {GUESSING}")
        legend = [line(ABOVE)] if any(map(is_above_guessing, self.results)) else []
        board = (lead, table(head, rows), *legend)
        return piece("What each adversary learns", *board, *map(line, not_run_lines(self.skipped)), *notes)


@dataclass(frozen=True, eq=False)
class Attackers:
    """The attacks of one kind that were run, and those that were not, with the reason."""

    results: list[AttackResult] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RateBound:
    """The highest rate that a promise allows, and the name of the promise; both are None if no promise limits it."""

    rate: float | None = None
    source: str | None = None


def attack_views(
    kind: "Kind[Any]", plan: Plan, engine: Engine, releases: tuple[Path, ...], progress: Progress
) -> AttackOutcome:
    """Every attack of the kind, on the data and on the first release; refused if the release is private."""
    (release, *_) = releases or (kind.default_output(plan),)
    refuse_private_plan(plan, ATTACK)
    require_release(release, plan)
    evidence = own_evidence(release, plan)
    refuse_private_release(evidence, plan, ATTACK)
    dataset, promised = kind.dataset(plan), kind.guarantees(plan.release)
    before, after = kind.view(dataset, engine), kind.read(dataset, release, engine)
    found = Attackers()
    for name, card in attacks_on(kind.name):
        progress(f"attacking: {card.title.lower()}")
        try:
            sides = {"raw": card.run(before, card.example), "release": card.run(after, card.example)}
        except BadParameter as error:
            found.skipped[name] = str(error)
            continue
        bound = bound_on(card, card.example, sides["release"], promised, lambda one: kind.measure(one, after))
        found.results.append(_result(name, card, sides, bound))
    return write_board(AttackOutcome(tuple(found.results), found.skipped, release), evidence, kind)


def attacks_on(kind: str) -> Iterator[tuple[str, ReleaseAttack[Any]]]:
    """The attacks in the folder of the kind."""
    yield from attacks_of(kind, ReleaseAttack).items()


def bound_on(
    card: ReleaseAttack[P], params: P, found: Success, promised: Sequence[Any], measure: Callable[[Any], Measured]
) -> RateBound:
    """The lowest rate that one of the promised guarantees allows, as far as it holds in the release."""
    if card.bound is None:
        return RateBound()
    rates = [(card.bound(params, guarantee, found), guarantee) for guarantee in promised]
    measured = [(rate, measure(guarantee)) for rate, guarantee in rates if rate is not None]
    return RateBound(*min(((rate, one.name) for rate, one in measured if one.holds), default=(None, None)))


def _result(name: str, card: ReleaseAttack[Any], sides: Mapping[str, Success], bound: RateBound) -> AttackResult:
    return AttackResult(
        attack=name,
        title=card.title,
        knowledge=card.knowledge,
        story=card.story,
        means=card.means,
        parameters=card.example.model_dump(mode="json"),
        confidence=CONFIDENCE,
        bound=bound.rate,
        bound_from=bound.source,
        **sides,
    )


def require_release(path: Path, plan: Plan) -> None:
    """The release is there."""
    if not path.exists():
        raise BadData(f"there is no release {path}; make it with `tacit protect {plan.path}`, or name it: --release")


def evidence_beside(path: Path) -> Release[Any] | None:
    """The evidence beside the release, if it is about this file."""
    beside = outcome_files(path).evidence
    repair(path)
    if not beside.exists():
        return None
    found = read_evidence(beside, body_of)
    return found if found.output.sha256 == sha256_of(path) else None


def own_evidence(path: Path, plan: Plan) -> Release[Any] | None:
    """The evidence beside the release; refused if the release was made by another plan or from other data."""
    found = evidence_beside(path)
    if found is None:
        return None
    if is_of(found, plan):
        require_same_data(path, found, plan.folder / plan.file.data.path)
        return found
    raise PolicyRefused(
        f"{path.name} was made by another plan than {plan.path.name}: its evidence names {found.plan.name} and other "
        f"contents. Attack it with that plan, or make the release of this one with `tacit protect {plan.path.name} -o "
        "OTHER`; nothing was changed"
    )


def is_of(made: Release[Any], plan: Plan) -> bool:
    """Whether the release was made by this plan: by its file as it is, or by one that says the same."""
    return made.plan.sha256 == sha256_of(plan.path) or made.recipe.plan == plan.form


def of_another_plan(path: Path, plan: Plan) -> tuple[Remark, ...]:
    """What a check says of a release whose evidence names another plan than the one it is held against."""
    made = evidence_beside(path)
    if made is None or is_of(made, plan):
        return ()
    return (
        Remark(
            f"the evidence beside {path.name} belongs to {made.plan.name}, not to {plan.path.name} as it is now: what "
            "is checked here is not what the release was made to promise"
        ),
    )


def require_same_data(path: Path, made: Release[Any], data: Path) -> None:
    """Refuse data that changed since the release was made: its board would be about other people than its evidence."""
    if made.input.sha256 in (None, sha256_of(data)):
        return
    raise PolicyRefused(
        f"{path.name} was made of other data than {data.name} holds now: its evidence names another hash. Make the "
        f"release again with `tacit protect`, or put the file back as it was; nothing was changed"
    )


def write_board(board: AttackOutcome, evidence: Release[Any] | None, kind: "Kind[Any]") -> AttackOutcome:
    """The board with the files that now show it; unchanged if there is no evidence of the release.

    They are those of a second release, built from the first and the board.
    """
    if evidence is None:
        return replace(board, is_changed=outcome_files(board.release).evidence.exists())
    packages = packages_of(part_of("attacks", result.attack, kind.about) for result in board.results)
    whole, files = evidence.attacked(board.results, packages), outcome_files(board.release)
    with publication((files.evidence, files.report)) as staged:
        _require_still(board.release, evidence)
        staged[files.evidence].write_text(evidence_text(whole), encoding="utf-8", newline="\n")
        staged[files.report].write_text(kind.render(whole), encoding="utf-8", newline="\n")
    return replace(board, evidence=files.evidence, report=files.report)


def _require_still(path: Path, attacked: Release[Any]) -> None:
    """What was attacked is still there: its evidence must not replace that of a newer release."""
    found = evidence_beside(path)
    if found is None or evidence_text(found.attacked(())) != evidence_text(attacked.attacked(())):
        raise PolicyRefused(
            f"{path.name} was made anew while it was attacked, so the board is about a release that is gone; attack it "
            "again. Nothing was changed"
        )
