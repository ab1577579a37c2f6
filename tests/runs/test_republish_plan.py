"""`tables/republish` in plans: releases with a private history, whatever happens in between.

Covers runs/republication/process, republication/history, republication/kind, republication/check, republication/plan,
republication/rows, republication/labels, tables/republication.
"""

import json
import os
import stat
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from tests.runs.planned import names_in, protected, rows_in, write_data, write_plan
from tests.runs.republished import COLUMNS, EVERYBODY, STATES, M, form, history_in, run_all

import tacit.atomic
from tacit.cli import tacit as command
from tacit.data.sources.source import file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, CannotGuarantee, PolicyRefused, TacitError
from tacit.guarantees.m_invariance import MInvariance
from tacit.plan.load import load_plan
from tacit.publication import repair
from tacit.release.fingerprints import sha256_of
from tacit.runs.republication.history import FORMAT, history_bytes, parse_history
from tacit.runs.republication.kind import KIND
from tacit.verbs.plans import read_evidence


@pytest.mark.slow
def test_w10_republication_keeps_signatures_in_the_published_files(tmp_path: Path) -> None:
    """Judged from the files alone and the order in which people were given to us: nothing of the package is asked."""
    run_all(tmp_path)
    history = history_in(tmp_path)
    hashed = dict(zip((row["name"] for row in EVERYBODY), history.named([r["name"] for r in EVERYBODY]), strict=True))
    place = {name: i for i, name in enumerate(history.earlier.names.tolist())}
    signatures = defaultdict(set)
    for number, state in enumerate(STATES, start=1):
        classes, labels = defaultdict(list), defaultdict(set)
        for row in rows_in(tmp_path / f"people.release-{number}.csv"):
            classes[row["class"]].append(row["ill"])
            labels[row["class"]].add((row["zip"], row["age"]))
        assert all(len(values) >= M and len(set(values)) == len(values) for values in classes.values())
        assert all(len(found) == 1 for found in labels.values())
        past = history.releases[number - 1]
        home = dict(zip(past.person.tolist(), past.home.tolist(), strict=True))
        assert len(home) == len(state)
        for person in state:
            mine = str(home[place[hashed[person["name"]]]])
            assert person["ill"] in classes[mine]
            ((zip_, age),) = labels[mine]
            assert covers_zip(zip_, person["zip"])
            assert covers_age(age, person["age"])
            signatures[person["name"]].add(frozenset(classes[mine]))
        told = {row["class"]: int(row["counterfeits"]) for row in rows_in(counterfeits(tmp_path, number))}
        real = defaultdict(int)
        for class_ in home.values():
            real[str(class_)] += 1
        assert told == {q: len(v) - real[q] for q, v in classes.items() if len(v) > real[q]}
    assert all(len(found) == 1 for found in signatures.values())


def counterfeits(folder: Path, number: int) -> Path:
    return folder / f"people.release-{number}.counterfeits.csv"


def covers_zip(label: str, value: str) -> bool:
    return all(a in ("*", b) for a, b in zip(label.ljust(4, "*"), value, strict=True))


def covers_age(label: str, value: str) -> bool:
    if label == "*" or label == value:
        return True
    low, high = label.strip("[)").split(", ")
    return value != "" and float(low) <= float(value) < float(high)


@pytest.mark.slow
def test_evidence_and_report_tell_the_number(tmp_path: Path) -> None:
    run_all(tmp_path)
    release = read_evidence(tmp_path / "people.release-3.evidence.json")
    entries = history_in(tmp_path).entries
    assert release.title == "people.csv, release 3"
    assert release.holds
    assert release.promises[0].says.endswith("over 3 releases each of 90 people kept one set of values")
    assert release.body.metrics["counterfeits"] == entries[2].counterfeits
    assert 0 < release.body.metrics["loss"] < 1
    assert release.output.sha256 == entries[2].sha256 == sha256_of(tmp_path / "people.release-3.csv")
    assert any(note.startswith("This is release 3 of a table") for note in release.notes)
    assert release.output.rows == len(rows_in(tmp_path / "people.release-3.csv"))
    assert "release 3" in (tmp_path / "people.release-3.report.html").read_text()
    for secret in ("person 1", "people.history\0"):
        assert secret not in (tmp_path / "people.release-3.evidence.json").read_text()


@pytest.mark.slow
def test_the_history_is_private_and_names_nobody(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:1])
    path = tmp_path / "private" / "people.history"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    history = history_in(tmp_path)
    assert repr(history) == "History(1 release, 60 people)"
    assert b"person 1" not in history.earlier.names.tobytes()
    assert MInvariance(m=M).check_releases(history.releases).holds
    again = parse_history(history_bytes(history), "again")
    assert history_bytes(again) == history_bytes(history)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["parquet", "sqlite", "tsv"])
def test_other_formats(tmp_path: Path, ending: str) -> None:
    plan = write_plan(tmp_path, form(guard_formulas=True), STATES[0])
    made = protected(plan, tmp_path / f"out.{ending}")
    assert made.release.holds
    with DuckDB(threads=1) as engine:
        checked = KIND.check(load_plan(plan), tmp_path / f"out.{ending}", engine, {})
        cells = engine.cells(file_source(tmp_path / f"out.{ending}"), ("class", "ill"))
    assert checked.holds
    assert set(cells.column("ill").to_pylist()) == {"flu", "cold", "hiv", "'=asthma"}


@pytest.mark.slow
def test_check_finds_the_release_and_judges_all(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:2])
    for number in (1, 2):
        done = CliRunner().invoke(command, ["check", f"{tmp_path}/people.release-{number}.csv", "--plan", str(plan)])
        assert done.exit_code == 0, done.output
        assert f"this is release {number} of 2" in done.output
    strange = tmp_path / "strange.csv"
    strange.write_text((tmp_path / "people.release-1.csv").read_text() + "\n")
    done = CliRunner().invoke(command, ["check", str(strange), "--plan", str(plan)])
    assert done.exit_code == 1
    assert "strange.csv is none of the 2 releases of people.history\n" in done.output
    assert done.output.count("\n") == 3, "there are no classes to be counted that fail"
    write_data(strange, [{"class": "1", "zip": "*", "age": "*", "ill": "flu"}] * 3)
    done = CliRunner().invoke(command, ["check", str(strange), "--plan", str(plan)])
    assert done.exit_code == 1
    assert "two rows of one class share a value" in done.output
    write_data(strange, [{"zip": "*", "age": "*", "ill": "flu"}])
    with DuckDB(threads=1) as engine, pytest.raises(BadData, match=r"strange\.csv has no column 'class'"):
        KIND.check(load_plan(plan), strange, engine, {})


@pytest.mark.slow
def test_check_says_how_much_the_history_knows(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:1])
    strange = tmp_path / "strange.csv"
    strange.write_text((tmp_path / "people.release-1.csv").read_text() + "\n")
    done = CliRunner().invoke(command, ["check", str(strange), "--plan", str(plan)])
    assert "strange.csv is not the one release of people.history\n" in done.output
    (tmp_path / "private" / "people.history").unlink()
    done = CliRunner().invoke(command, ["check", str(tmp_path / "people.release-1.csv"), "--plan", str(plan)])
    assert done.exit_code == 1
    assert "there is no history people.history, which tells whether people.release-1.csv was released" in done.output


def checked(evidence: Path) -> tuple[int, str, dict[str, Any]]:
    """How a check of the evidence ends, what it says of the files, and its JSON."""
    done = CliRunner().invoke(command, ["check", str(evidence)])
    values = CliRunner().invoke(command, ["check", str(evidence), "--json"])
    assert values.exit_code == done.exit_code
    return done.exit_code, done.output, json.loads(values.output)


@pytest.mark.slow
def test_evidence_of_an_older_release_holds_when_the_data_has_moved_on(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:2])
    first, second = (tmp_path / f"people.release-{number}.evidence.json" for number in (1, 2))
    code, told, values = checked(first)
    assert code == 0
    assert "  moved  people.csv (input)\n" in told
    assert "  same   people.release-1.csv (output)\n" in told
    note = "this is release 1 of 2 by people.history; what it was made of may have changed since, its own files may not"
    assert told.endswith(f"  note   {note}\n")
    assert values["notes"] == [note]
    assert values["files"][0] == {"part": "input", "name": "people.csv", "state": "moved on"}
    assert checked(second)[2]["notes"] == []
    write_data(tmp_path / "people.csv", STATES[2])
    code, told, _ = checked(second)
    assert code == 1, "no later release was made of the data as it is now"
    assert "  OTHER  people.csv (input)\n" in told


@pytest.mark.slow
def test_evidence_of_an_older_release_fails_for_its_own_files_and_without_a_history(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:2])
    first, release = (tmp_path / f"people.release-1.{ending}" for ending in ("evidence.json", "csv"))
    whole = release.read_bytes()
    release.write_bytes(whole + b"\n")
    code, told, _ = checked(first)
    assert (code, "  OTHER  people.release-1.csv (output)\n" in told) == (1, True)
    release.write_bytes(whole)
    content = plan.read_bytes()
    plan.write_bytes(content + b"\n")
    assert checked(first)[0] == 1
    plan.write_bytes(content)
    assert checked(first)[0] == 0
    history = tmp_path / "private" / "people.history"
    for spoilt in (history.read_bytes()[:-1], b"", None):
        history.unlink() if spoilt is None else history.write_bytes(spoilt)
        code, told, _ = checked(first)
        assert (code, "  OTHER  people.csv (input)\n" in told) == (1, True)


@pytest.mark.slow
def test_an_attack_takes_all_releases_that_are_there(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:2])
    done = CliRunner().invoke(command, ["attack", str(plan), "--json"])
    assert done.exit_code == 0, done.output
    results = {result["attack"]: result for result in json.loads(done.stdout)["attacks"]}
    assert results["intersection"]["release"]["rate"] == 0
    assert read_evidence(tmp_path / "people.release-2.evidence.json").body.attacks
    assert not read_evidence(tmp_path / "people.release-1.evidence.json").body.attacks


@pytest.mark.slow
def test_an_earlier_release_is_attacked_on_the_data_that_it_was_made_of(tmp_path: Path) -> None:
    plan = run_all(tmp_path, STATES[:2])
    write_data(tmp_path / "people.csv", STATES[2])
    done = CliRunner().invoke(command, ["attack", str(plan), "--json"])
    assert isinstance(done.exception, PolicyRefused)
    assert "people.release-2.csv was made of other data than people.csv holds now" in str(done.exception)
    assert not read_evidence(tmp_path / "people.release-2.evidence.json").body.attacks


@pytest.mark.slow
def test_labels_of_people_who_left_are_not_said_to_be_perturbed(tmp_path: Path) -> None:
    """Everybody of the first release has left, and with them their regions."""
    moved = [{**row, "name": f"other {row['name']}", "zip": f"9{row['zip'][1:]}"} for row in STATES[0]]
    plan = run_all(tmp_path, [STATES[0], moved])
    done = CliRunner().invoke(command, ["attack", str(plan), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["skipped"]["intersection (ill)"].startswith(
        "people.release-1.csv was made from an earlier state of the data"
    )
    # The latest release can be read, so the attacks on one table are run on it.
    assert next(one for one in told["attacks"] if one["attack"] == "linkage")["release"]["rate"] <= 1 / M


@pytest.mark.slow
def test_the_command_names_the_counterfeits(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, form(), STATES[0])
    done = CliRunner().invoke(command, ["protect", str(plan), "--json"])
    told = json.loads(done.stdout)
    assert told["output"].endswith("people.release-1.csv")
    assert told["counterfeits"].endswith("people.release-1.counterfeits.csv")


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next `replace` but `step` is never made, and nothing is tidied up."""
    moved, real = [0], Path.replace

    def replace(self: Path, target: Path) -> Path:
        if moved[0] == step:
            raise Killed
        moved[0] += 1
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)


@pytest.mark.slow
@pytest.mark.parametrize("step", range(6))
def test_a_kill_between_the_writes_leaves_history_and_release_in_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    run_all(tmp_path, STATES[:1])
    plan = write_plan(tmp_path, form(), STATES[1])
    with monkeypatch.context() as patch:
        killed_at(step, patch)
        with pytest.raises(Killed):
            protected(plan)
    # Before the list of all files is written nothing was published; after it, all of them will stand.
    repair(tmp_path / "private" / "people.history")
    known = len(history_in(tmp_path).entries)
    assert known == (1 if step == 0 else 2)
    published = [path for path in tmp_path.glob("people.release-*.csv") if "counterfeits" not in path.name]
    assert all(history_in(tmp_path).number_of(sha256_of(path)) for path in published)
    protected(write_plan(tmp_path, form(), STATES[2]))
    history = history_in(tmp_path)
    assert len(history.entries) == known + 1
    assert MInvariance(m=M).check_releases(history.releases).holds
    for number, entry in enumerate(history.entries, start=1):
        assert sha256_of(tmp_path / f"people.release-{number}.csv") == entry.sha256
        assert counterfeits(tmp_path, number).exists()
        assert (tmp_path / f"people.release-{number}.report.html").exists()


@pytest.mark.slow
def test_running_twice_on_the_same_data_makes_another_release(tmp_path: Path) -> None:
    run_all(tmp_path, [STATES[0], STATES[0]])
    history = history_in(tmp_path)
    assert [entry.name for entry in history.entries] == ["people.release-1.csv", "people.release-2.csv"]
    assert MInvariance(m=M).check_releases(history.releases).holds


@pytest.mark.slow
def test_an_earlier_release_is_not_overwritten(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:1])
    plan = write_plan(tmp_path, form(), STATES[1])
    with pytest.raises(PolicyRefused, match=r"people\.release-1\.csv is release 1 of this history"):
        protected(plan, tmp_path / "people.release-1.csv")
    with pytest.raises(PolicyRefused, match="is the input"):
        protected(write_plan(tmp_path, form(parameters={"history": "x.counterfeits.csv"})), tmp_path / "x.csv")


def leaves_all_as_it_was(folder: Path, run: Callable[[], object], kind: type[TacitError], message: str) -> None:
    before, history = names_in(folder), (folder / "private" / "people.history").read_bytes()
    with pytest.raises(kind, match=message):
        run()
    assert names_in(folder) == before
    assert (folder / "private" / "people.history").read_bytes() == history


@pytest.mark.slow
def test_a_history_of_another_republication_is_refused(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:1])
    other = form(guarantees=[{"m-invariance": {"m": 2}}])
    leaves_all_as_it_was(
        tmp_path,
        lambda: protected(write_plan(tmp_path, other, STATES[1])),
        BadParameter,
        "belongs to another republication: m was 3 and is 2",
    )
    fewer = form({**COLUMNS, "age": {"role": "identifier"}})
    leaves_all_as_it_was(
        tmp_path,
        lambda: protected(write_plan(tmp_path, fewer, STATES[1])),
        BadParameter,
        r"quasi_identifiers was \('age', 'zip'\) and is \('zip',\)",
    )


@pytest.mark.slow
def test_a_changed_value_is_refused_without_naming_it(tmp_path: Path) -> None:
    run_all(tmp_path, STATES[:1])
    changed = [{**row, "ill": "hiv"} if i == 4 else row for i, row in enumerate(STATES[0])]
    with pytest.raises(BadData, match=r"1 person has a different .* m-invariance protects values that stay") as caught:
        protected(write_plan(tmp_path, form(), changed))
    assert "hiv" not in str(caught.value)
    assert not any(row["name"] in str(caught.value) for row in changed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda content: b"", "is not a history"),
        (lambda content: b"name,zip\n", "is not a history"),
        (lambda content: content[:-1], "was changed or cut"),
        (lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:], "was changed or cut"),
        (lambda content: FORMAT + b"0" * 64, "was changed or cut"),
    ],
)
def test_a_spoilt_history_is_refused(tmp_path: Path, spoil: Callable[[bytes], bytes], message: str) -> None:
    run_all(tmp_path, STATES[:1])
    path = tmp_path / "private" / "people.history"
    path.write_bytes(spoil(path.read_bytes()))
    plan = write_plan(tmp_path, form(), STATES[1])
    leaves_all_as_it_was(tmp_path, lambda: protected(plan), BadData, message)


@pytest.mark.slow
def test_a_history_that_broke_its_promise_is_not_continued(tmp_path: Path) -> None:
    """The whole history is checked before anything is published: here its first release shows a value twice."""
    run_all(tmp_path, STATES[:1])
    history = history_in(tmp_path)
    first = history.releases[0]
    twice = np.where(np.arange(first.value.size) == 1, first.value[0], first.value)
    same_class = np.where(np.arange(first.value.size) == 1, first.class_[0], first.class_)
    spoilt = replace(history, releases=(replace(first, value=twice, class_=same_class),))
    (tmp_path / "private" / "people.history").write_bytes(history_bytes(spoilt))
    plan = write_plan(tmp_path, form(), STATES[1])
    leaves_all_as_it_was(tmp_path, lambda: protected(plan), CannotGuarantee, "release 1 is not m-unique")


@pytest.mark.slow
def test_a_least_level_is_kept(tmp_path: Path) -> None:
    columns = {**COLUMNS, "zip": {**COLUMNS["zip"], "minimum": 1}}
    made = protected(write_plan(tmp_path, form(columns), STATES[0]))
    assert all(row["zip"].endswith("*") for row in rows_in(made.output))


@pytest.mark.slow
def test_a_history_where_none_can_be_is_refused(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, form(parameters={"history": "people.csv/history"}), STATES[0])
    with pytest.raises(BadData, match=r"the folder of the history .* can't be used"):
        protected(plan)
    plan = write_plan(tmp_path, form(parameters={"history": "people.csv"}), STATES[0])
    with pytest.raises(BadData, match=r"people\.csv is not a history of releases"):
        protected(plan)
    plan = write_plan(tmp_path, form(parameters={"history": "."}), STATES[0])
    with pytest.raises(BadData, match="can't be read: Is a directory"):
        protected(plan)


def unfit(**changes: Any) -> dict[str, Any]:
    return {**form(), **changes}


REFUSED: list[tuple[dict[str, Any], str]] = [
    (unfit(unit=None), "names no unit"),
    (form({**COLUMNS, "ill": {"role": "quasi-identifier"}}), "one sensitive column, and the plan has 0"),
    (form({**COLUMNS, "age": {"role": "insensitive"}}), "'age' is insensitive"),
    (form({**COLUMNS, "age": {"role": "quasi-identifier", "maximum": 0}}), "'age' has a maximum level"),
    (form(guarantees=[{"k-anonymity": {"k": 3}}]), "can promise only m-invariance; the plan promises k-anon"),
    (form(guarantees=[{"m-invariance": {"m": 3, "column": "zip"}}]), "about 'zip', which is not a secret"),
    (form(parameters={}), "history: it is missing"),
    (form(parameters={"history": "h", "class_column": "zip"}), "'zip' is a column of the data"),
    (form(objective="precision"), "has one objective, loss, and the plan names precision"),
    (form(seed=1), "can't be made from a seed"),
    (unfit(population={"path": "people.csv"}), "republication does not take a population into account"),
    (form(treatments=[{"method": "columns/pseudonym", "columns": ["name"]}]), "treatments would change values"),
    (form(method="tables/lattice", parameters={}), "can't give m-invariance"),
]


@pytest.mark.parametrize(("plan", "message"), REFUSED, ids=lambda part: str(part)[:40])
def test_a_plan_that_can_not_be_republished_is_refused_before_any_work(
    tmp_path: Path, plan: dict[str, Any], message: str
) -> None:
    path = write_plan(tmp_path, plan, STATES[0])
    before = names_in(tmp_path)
    with pytest.raises(BadParameter, match=message):
        protected(path)
    assert names_in(tmp_path) == before


@pytest.mark.slow
def test_people_must_have_one_row_and_a_name(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="61 rows belong to 60 people by 'name'"):
        protected(write_plan(tmp_path, form(), [*STATES[0], STATES[0][0]]))
    with pytest.raises(BadData, match=r"1 row names nobody in 'name'"):
        protected(write_plan(tmp_path, form(), [*STATES[0], {**STATES[0][0], "name": ""}]))
    with pytest.raises(BadData, match="holds the value '\\*'"):
        protected(write_plan(tmp_path, form(), [*STATES[0], {**STATES[0][0], "name": "x", "ill": "*"}]))
    ill = [row for row in EVERYBODY[:60] if row["ill"] == "flu"]
    with pytest.raises(CannotGuarantee, match=r"belongs to 15 of 40 people; classes of 3 .* at most 13"):
        protected(write_plan(tmp_path, form(), ill + [row for row in EVERYBODY if row["ill"] != "flu"][:25]))


def test_python_is_told_to_use_a_plan(tmp_path: Path) -> None:
    write_data(tmp_path / "people.csv", STATES[0])
    columns = {name: dict(column) for name, column in COLUMNS.items()}
    people = tacit.read(tmp_path / "people.csv", columns, unit="name")
    with pytest.raises(BadParameter, match="published again and again, and only from a plan; write a plan"):
        tacit.protect(people, [tacit.MInvariance(m=3)], method="tables/republish", parameters={"history": "h"})


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a second process")
def test_a_second_run_waits_for_the_first(tmp_path: Path) -> None:
    """A run holds the folder's lock while it works, so two never make the same release."""
    import fcntl

    plan = write_plan(tmp_path, form(), STATES[0])
    (tmp_path / "private").mkdir()
    folder = os.open(tmp_path / "private", os.O_RDONLY)
    seen = []

    def watch(state: str) -> None:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            seen.append(state)

    from tests.runs.planned import protect_plan

    with DuckDB(threads=1) as engine:
        protect_plan(load_plan(plan), engine, progress=watch)
    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.close(folder)
    assert len(seen) >= 4
