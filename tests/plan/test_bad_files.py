"""Files that are not what they should be, outputs that would take the place of inputs: refused, and nothing is lost.

Covers atomic, runs/tables/process.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from tests.runs.planned import (
    PEOPLE,
    ROLES,
    form_of,
    names_in,
    protect_plan,
    protected,
    rows_in,
    write_data,
    write_plan,
)

import tacit
from tacit.atomic import aside
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData, BadParameter, PolicyRefused, TacitError
from tacit.plan.load import load_plan

SECRET = "Xq7-planted"
HEADER = "name,zip,age,ill,n\n"

CONTENTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "people.csv is empty"),
    "names only": (HEADER.encode(), "has no rows, only column names"),
    "too many cells": (f"{HEADER}{SECRET},1,2,3,4,5\n".encode(), "people.csv, line 2: the row has 6 cells"),
    "too few cells": (f"{HEADER}{SECRET},1\n".encode(), "people.csv, line 2: the row has 2 cells"),
    "binary junk": (bytes(range(256)) * 20, "not a text file"),
    "another encoding": (f"{HEADER}{SECRET}\xe9,1,2,3,4\n".encode("latin-1"), "is not utf-8 text"),
    "names twice": (b"name,zip,age,ill,ill\na,1,2,x,y\n", "used twice: 'ill'"),
    "columns lacking": (
        f"name,zip\n{SECRET},1\n".encode(),
        "columns of the plan: 'age', 'ill', 'n'; it has 'name', 'zip'",
    ),
    "columns too many": (
        f"name,zip,age,ill,n,x\n{SECRET},1,2,3,4,5\n".encode(),
        "does not name a column of people.csv: 'x'",
    ),
}


@pytest.mark.parametrize("case", CONTENTS)
def test_a_bad_data_file_is_refused_without_a_cell(tmp_path: Path, case: str) -> None:
    content, message = CONTENTS[case]
    plan = write_plan(tmp_path)
    (tmp_path / "people.csv").write_bytes(content)
    with pytest.raises(BadData, match=message) as caught:
        protected(plan)
    assert SECRET not in str(caught.value)
    assert names_in(tmp_path) == ["people.csv", "plan.yaml"]


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    (tmp_path / "people.csv").unlink()
    with pytest.raises(BadData, match=r"there is no file .*people.csv"):
        load_plan(plan)
    (tmp_path / "people.csv").mkdir()
    with pytest.raises(BadData, match=r"people.csv is a folder"):
        load_plan(plan)


@pytest.mark.parametrize("name", ["a\0b.csv", "x" * 300 + ".csv"])
def test_a_name_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadData, match=r"can't be read|no file"):
        tacit.read(tmp_path / name, {"a": "insensitive"})
    with pytest.raises(BadData, match=r"can't be read|no plan"):
        load_plan(tmp_path / name)


def test_a_plan_that_is_no_plan(tmp_path: Path) -> None:
    with pytest.raises(BadData, match=r"there is no plan .*inspect"):
        load_plan(tmp_path / "no.yaml")
    with pytest.raises(BadData, match=r"is a folder"):
        load_plan(tmp_path)
    path = tmp_path / "plan.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadData, match=r"not a text file in UTF-8"):
        load_plan(path)
    path.write_bytes(b"x" * (17 * 2**20))
    with pytest.raises(BadData, match=r"too large for a plan"):
        load_plan(path)


@pytest.mark.parametrize("content", [b"name,age\nann,41\n", b"age\n41\n", b"PAR1\xff\xfe", b"a: b\n", b""])
def test_data_in_the_place_of_a_plan_is_told_apart(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes(content)
    says = r"people.csv is a data file, and a plan is wanted here.*`tacit inspect .*people.csv` drafts one$"
    for verb in (load_plan, tacit.attack, tacit.ask):
        with pytest.raises(BadData, match=says):
            verb(path)
    write_plan(tmp_path).rename(tmp_path / "plan.csv")
    write_data(path)
    assert load_plan(tmp_path / "plan.csv").path.name == "plan.csv"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_without_permission(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    (tmp_path / "people.csv").chmod(0)
    with pytest.raises(BadData, match=r"permission denied"):
        load_plan(plan)
    (tmp_path / "people.csv").chmod(0o600)
    plan.chmod(0)
    with pytest.raises(BadData, match=r"can't be read"):
        load_plan(plan)
    plan.chmod(0o600)
    (tmp_path / "shut").mkdir(0o500)
    with pytest.raises(BadData, match=r"can't write"):
        protected(plan, tmp_path / "shut" / "out.csv")


@pytest.mark.parametrize("where", ["same", "symlink", "hard link", "symlinked folder", "dotted"])
@pytest.mark.parametrize("what", ["people.csv", "plan.yaml", "zip.csv", "all.csv"])
def test_the_output_never_takes_the_place_of_an_input(tmp_path: Path, what: str, where: str) -> None:
    columns = {**ROLES, "zip": {"role": "quasi-identifier", "hierarchy": "zip.csv"}}
    plan = write_plan(tmp_path, form_of(columns, population={"path": "all.csv"}))
    (tmp_path / "zip.csv").write_text("1000;*\n1001;*\n")
    write_data(tmp_path / "all.csv")
    if what == "plan.yaml":
        plan = plan.rename(tmp_path / "plan.csv")
    target = plan if what == "plan.yaml" else tmp_path / what
    output = {"same": target, "dotted": tmp_path / "x" / ".." / target.name}.get(where, tmp_path / "other.csv")
    if where == "symlink":
        output.symlink_to(target)
    elif where == "hard link":
        output.hardlink_to(target)
    elif where == "symlinked folder":
        (tmp_path / "door").symlink_to(tmp_path)
        output = tmp_path / "door" / target.name
    elif where == "dotted":
        (tmp_path / "x").mkdir()
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    with pytest.raises(PolicyRefused, match=r"is the input"):
        protected(plan, output)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


@pytest.mark.parametrize("ending", ["evidence.json", "report.html"])
@pytest.mark.parametrize("what", ["data", "plan"])
def test_evidence_and_report_never_take_the_place_of_an_input(tmp_path: Path, ending: str, what: str) -> None:
    name = f"out.{ending}"
    plan = write_plan(tmp_path, form_of(data={"path": name if what == "data" else "people.csv", "format": "csv"}))
    if what == "data":
        (tmp_path / "people.csv").rename(tmp_path / name)
    else:
        plan = plan.rename(tmp_path / name)
    before = (tmp_path / name).read_bytes()
    with pytest.raises(PolicyRefused, match=r"is the input"):
        protected(plan, tmp_path / "out.csv")
    assert (tmp_path / name).read_bytes() == before
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.slow
def test_in_python_the_output_is_not_the_input_either(tmp_path: Path) -> None:
    path = write_data(tmp_path / "people.csv")
    dataset = tacit.read(path, ROLES)
    with pytest.raises(PolicyRefused):
        tacit.protect(dataset, [tacit.KAnonymity(k=3)], output=path)
    made = tacit.protect(dataset, [tacit.KAnonymity(k=3)], output=tmp_path / "out.csv")
    assert made.output == tmp_path / "out.csv"
    assert len(rows_in(made.output)) == 12


@pytest.mark.parametrize("part", ["out.csv", "out.evidence.json", "out.report.html"])
def test_a_folder_in_the_place_of_an_output(tmp_path: Path, part: str) -> None:
    plan = write_plan(tmp_path)
    (tmp_path / part).mkdir()
    with pytest.raises(BadParameter, match=r"is a folder; name a file"):
        protected(plan, tmp_path / "out.csv")
    assert names_in(tmp_path) == sorted(["people.csv", "plan.yaml", part])


def test_a_file_in_the_place_of_the_output_folder(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    (tmp_path / "file").write_text("whole")
    with pytest.raises(BadParameter, match=r"file is not a folder"):
        protected(plan, tmp_path / "file" / "out.csv")
    assert (tmp_path / "file").read_text() == "whole"


def write_half(path: Path, error: BaseException) -> None:
    with aside(path) as partial:
        partial.write_text("half")
        assert partial.suffix == path.suffix
        raise error


def test_aside_leaves_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old")
    for error in (KeyboardInterrupt, SystemExit, BadData, OSError):
        with pytest.raises((error, BadData)):
            write_half(path, error("x"))
        assert (names_in(tmp_path), path.read_text()) == (["out.csv"], "old")
    with aside(path) as partial:
        partial.write_text("new")
        assert path.read_text() == "old"
    assert (names_in(tmp_path), path.read_text()) == (["out.csv"], "new")


class Meddler(DuckDB):
    """An engine that lets somebody change the input between its passes."""

    def __init__(self, meddle: Any) -> None:
        super().__init__(threads=2)
        self.meddle = meddle

    def write(self, *args: Any) -> None:
        self.meddle()
        super().write(*args)


CHANGES = {
    "a row more": [*PEOPLE, PEOPLE[0]],
    "a row less": PEOPLE[1:],
    "a new combination": [*PEOPLE[1:], {**PEOPLE[0], "zip": "7777"}],
    "another class": [*PEOPLE[1:], {**PEOPLE[0], "zip": "1001"}],
    "another secret": [*PEOPLE[1:], {**PEOPLE[0], "ill": "hiv"}],
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CHANGES)
@pytest.mark.parametrize("quietly", [False, True])
def test_an_input_that_changes_between_the_passes_fails_closed(tmp_path: Path, case: str, quietly: bool) -> None:
    """Quietly: the size and the time of the file tell nothing, as where a clock is coarse."""
    plan = write_plan(tmp_path)
    protected(plan)
    old = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != "people.csv"}
    data = tmp_path / "people.csv"
    stat = data.stat()

    def meddle() -> None:
        write_data(data, CHANGES[case])
        if quietly:
            os.utime(data, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        else:
            os.utime(data, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))

    with Meddler(meddle) as engine:
        if quietly and case == "another secret":
            # Each row keeps its class, and the promise was checked in what was written.
            assert protect_plan(load_plan(plan), engine).release.holds
            return
        with pytest.raises(TacitError, match=r"changed while it was read|not what was decided"):
            protect_plan(load_plan(plan), engine)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != "people.csv"} == old
