"""What every kind of data must satisfy: the whole path of a file, from the first look to the comparison of methods."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.cards.metric import Views
from tacit.catalogue import attacks, metrics
from tacit.errors import PolicyRefused, TacitError
from tacit.evidence.files import evidence_schema
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.load import Plan, load_plan
from tacit.release.fingerprints import sha256_of
from tacit.runs.candidates import is_competition
from tacit.runs.evidence_kinds import evidence_kind
from tacit.runs.job import plan_job
from tacit.runs.kind import Kind
from tacit.runs.kinds import find_kind, kind_of, kind_of_file
from tacit.runs.release_kind import ReleaseKind
from tacit.runs.run import Outcome, Place, Process, run
from tacit.scratch import scratch
from tacit.testing.cards import check_attack, check_metric
from tacit.testing.parameters import check_words
from tacit.testing.stations import check_read_back, check_second_measure, held, packages_behind
from tacit.verbs.engine import engine
from tacit.verbs.plans import attack_plan, check_plan, compare_plan, inspect_file, protect_plan, read_evidence

SLACK = 1e-9
FROM_OUTSIDE = re.compile(r"<script|<link|<iframe|\ssrc=|url\((?!data:)", re.IGNORECASE)


@dataclass(frozen=True)
class _TriedExample:
    """A copy of the example in a folder of its own, and the draft plan for it."""

    where: str
    kind: Kind[Any]
    data: Path
    path: Path

    @property
    def plan(self) -> Plan:
        return load_plan(self.path)

    def require(self, holds: bool, otherwise: str) -> None:
        assert holds, f"{self.where}: {otherwise}"


def check_kind_itself(name: str) -> None:
    """The kind has a name, a title, and a body with a schema; a kind of release is made of a kind of data."""
    kind = evidence_kind(name)
    assert kind.name == name, f"kinds/{name}: it calls itself {kind.name!r}; the entry point must have the same name"
    check_words(f"kinds/{name}", title=kind.title)
    assert "body" in evidence_schema(kind.body)["properties"], f"kinds/{name}: its body has no schema"
    if isinstance(kind, ReleaseKind):
        assert find_kind(kind.about), f"kinds/{name}: `data` must name the kind of data that it is a release of"


def check_kind(name: str, example: Path, repeatable: bool = True) -> None:
    """A file of the kind is inspected, protected, checked, attacked and compared, and a release that lies is refused.

    Reading back and the second measure must each find by themselves the defects that they are there for.

    The example must break the draft plan as it is, so that checks can be seen to fail. `repeatable` says that the draft
    plan makes the same release twice, which is so unless its method draws at random or it shuffles the rows.
    """
    check_kind_itself(name)
    with scratch() as folder:
        own = folder / "run"
        own.mkdir()
        trial = _inspected(find_kind(name), Path(shutil.copy(example, own)))
        made = _protected(trial, repeatable)
        _check_refusals(trial, made)
        _check_stations(trial, made)
        _check_promises(trial, made)
        _check_cards(trial, made)
        _check_attack(trial, made)
        _check_compare(trial)


def _inspected(kind: Kind[Any], data: Path) -> _TriedExample:
    """The kind claims the file, looks at it and drafts a plan that is about itself."""
    where = f"kinds/{kind.name}"
    assert kind.claims(data), f"{where}: it does not claim its example, {data.name}"
    assert kind_of_file(data).name == kind.name, f"{where}: another kind claims {data.name}"
    found = inspect_file(data, {})
    trial = _TriedExample(where, kind, data, found.plan)
    json.dumps(dict(found.look.values), allow_nan=False)
    trial.require(bool(found.look.lines), "a first look has nothing to say")
    trial.require(kind_of(trial.plan).name == kind.name, "its draft plan is about another kind; name `kind` in `data`")
    return trial


def _protected(trial: _TriedExample, repeatable: bool) -> Outcome[Any, Any]:
    """The draft plan makes a release whose files belong together and can be read again."""
    before = trial.data.read_bytes()
    made = protect_plan(trial.path)
    trial.require(trial.data.read_bytes() == before, "the run changed its input")
    there, known = set(trial.data.parent.iterdir()), {trial.data, trial.path, *made.files.all}
    trial.require(there == known, f"the run left {sorted(path.name for path in there ^ known)}, or did not write it")
    trial.require(read_evidence(made.evidence) == made.release, "the evidence reads as another release")
    trial.require(bool(made.release.promises), "the draft plan promises nothing")
    _check_fingerprints(trial, made)
    _check_report(trial, made)
    if not repeatable:
        return made
    first, again = made.output.read_bytes(), protect_plan(trial.path)
    same = again.output.read_bytes() == first
    trial.require(same, "the same plan made two releases; say `repeatable=False` if it draws at random")
    return again


def _check_fingerprints(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """The evidence has the hash of the release, and that of the data unless it is secret."""
    for told, path in ((made.release.input, trial.data), (made.release.output, made.output)):
        trial.require(told.name == path.name, f"the evidence calls {path.name} {told.name!r}")
        same = told.sha256 == sha256_of(path) or (path == trial.data and told.sha256 is None)
        trial.require(same, f"the evidence has another hash of {path.name} than the file")


def _check_report(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """The report stands alone, and the lines for a terminal speak of the release."""
    page = made.report.read_text(encoding="utf-8")
    trial.require("Content-Security-Policy" in page, "its page is not the one that `render_page` makes")
    found = FROM_OUTSIDE.search(page)
    trial.require(found is None, f"its page asks for something from outside: {found and found.group()!r}")
    for section in trial.kind.page(made.release).sections:
        trial.require(f'id="{section.id}"' in page, f"the section {section.id} is not in the report")
    lines = trial.kind.summary(made.release, {"release": made.output.name})
    trial.require(any(made.output.name in line for line in lines), "the summary does not say what was written")


def _check_refusals(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """The raw file breaks the promise and the release keeps it; an input is not overwritten; a lie is found out."""
    raw, released = check_plan(trial.path, trial.data), check_plan(trial.path, made.output)
    trial.require(not raw.holds, "the example keeps the draft plan as it is; choose one that does not")
    trial.require(released.holds, "the release fails its own check")
    _require_refused(trial, lambda: protect_plan(trial.path, trial.data), PolicyRefused, "it overwrites its input")
    with engine() as database, scratch() as folder:
        place = Place(folder / "aside", folder / made.output.name)
        job = plan_job(trial.plan, trial.kind.dataset(trial.plan), (trial.data,))
        process = trial.kind.process(job, trial.plan, database)
        _lie(process, trial.data)
        otherwise = "it publishes what breaks its promise: `read_back` must read the file, `promises` measure that"
        _require_refused(trial, lambda: run(process, place), TacitError, otherwise)


def _check_stations(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """Reading back finds out another file, and the second measure finds out a first that is wrong."""
    plan = trial.plan
    with engine() as database, scratch() as folder:
        place = Place(folder / "aside", folder / made.output.name)
        process = trial.kind.process(plan_job(plan, trial.kind.dataset(plan), (trial.data,)), plan, database)
        run = held(process, place)
        packages = packages_behind(trial.kind, process, *trial.kind.guarantees(plan.release))
        check_second_measure(trial.where, run, packages)
        check_read_back(trial.where, run, trial.data)


def _check_promises(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """What is measured carries what its guarantee says of itself, so that evidence can be read without the package."""
    dataset = trial.kind.dataset(trial.plan)
    with engine() as database:
        released = trial.kind.read(dataset, made.output, database)
    for guarantee in trial.kind.guarantees(trial.plan.release):
        if isinstance(guarantee, Guarantee):
            found = trial.kind.measure(guarantee, released)
            told = (found.name, found.title, found.form, found.side, found.bound)
            own = (guarantee.name, guarantee.title, guarantee.form, guarantee.side, guarantee.bound)
            trial.require(told == own, f"{guarantee.name} is {own}, and what is measured says {told}")


def _lie(process: Process[Any, Any, Any, Any], raw: Path) -> None:
    """From here on the process writes the raw file, whatever its method decides."""
    make = process.make

    def lie(prepared: Any, place: Place) -> Any:
        made = make(prepared, place)
        shutil.copyfile(raw, place.aside)
        return made

    object.__setattr__(process, "make", lie)


def _require_refused(trial: _TriedExample, act: Callable[[], Any], error: type[TacitError], otherwise: str) -> None:
    try:
        act()
    except error:
        return
    trial.require(False, otherwise)


def _check_cards(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """Metrics and attacks in the folder of the kind are about it, and run on the example and its release."""
    folder, dataset = f"{trial.kind.name}/", trial.kind.dataset(trial.plan)
    with engine() as database:
        before, after = trial.kind.view(dataset, database), trial.kind.read(dataset, made.output, database)
        for shelf in (metrics(), attacks()):
            for name in (name for name in shelf if name.startswith(folder)):
                trial.require(shelf[name].kind == trial.kind.name, f"the card {name} is of another kind")
        # A kind that compares or attacks in its own way gives its cards something else to work on.
        own = type(trial.kind)
        for name in (name for name in metrics() if name.startswith(folder) and own.compare is Kind.compare):
            check_metric(name, lambda: Views(before, after))
        for name in (name for name in attacks() if name.startswith(folder) and own.attack is Kind.attack):
            check_attack(name, lambda: before)
            check_attack(name, lambda: after)


def _check_attack(trial: _TriedExample, made: Outcome[Any, Any]) -> None:
    """What adversaries learn comes into the evidence and the report."""
    board = attack_plan(trial.path)
    trial.require(bool(board.results), f"no attack could be run: {dict(board.skipped)}")
    told = read_evidence(made.evidence).body.attacks
    trial.require(told == board.results, "the evidence does not have what adversaries learnt")
    for result in board.results:
        kept = result.bound is None or result.release is None or result.release.rate <= result.bound + SLACK
        trial.require(
            kept, f"{result.attack} succeeds more often than its `bound` says that {result.bound_from} allows"
        )
    page = made.report.read_text(encoding="utf-8")
    trial.require(all(result.title in page for result in board.results), "the report does not show all attacks")


def _check_compare(trial: _TriedExample) -> None:
    """The plan's own method, or all where it is a choice among several, can be compared, and keeps the plan."""
    own = trial.plan.release.method
    found = compare_plan(trial.path, {} if is_competition(own) else {"methods": [own]})
    trial.require(bool(found.comparison.made), f"no candidate could be made: {found.comparison.rows}")
    trial.require(all(row.keeps_plan for row in found.comparison.made), "a candidate does not keep the plan")
    trial.require(found.page.exists(), "there is no page of the comparison")
