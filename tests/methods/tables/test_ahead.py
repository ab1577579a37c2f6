"""What is compiled ahead is what a search calls, and a search goes on where no process can be started.

Covers methods/tables/_local/ahead.
"""

import os
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow
import pytest
from tests.methods.tables.recoded import GUARANTEES, random_case, table_of

import tacit
from tacit.catalogue import methods
from tacit.methods.tables._local import ahead, board, cover, freeze, partition, regions, repair, sweep
from tacit.methods.tables._local.params import Local
from tacit.methods.tables._local.search import search_pieces
from tacit.methods.tables.local import METHOD as LOCAL
from tacit.plan.schema import ReleaseSection
from tacit.runs.tables import competition
from tacit.runs.tables.task import task_of

SOME = ("tables/lattice", "tables/mondrian", "tables/local")
MODULES: tuple[ModuleType, ...] = (board, cover, freeze, partition, regions, repair, sweep)


def signatures() -> dict[str, set[Any]]:
    """The types that each kernel is compiled for."""
    found = (one for module in MODULES for one in vars(module).values() if hasattr(one, "py_func"))
    return {f"{one.__module__}.{one.__name__}": set(one.signatures) for one in found}


@pytest.mark.slow
def test_a_search_calls_the_kernels_with_the_types_that_are_compiled_ahead() -> None:
    for compile_part in ahead.PARTS.values():
        compile_part()
    before = signatures()
    assert {"freeze", "set_board", "find_regions", "best_cover"} <= {name.rpartition(".")[2] for name in before}
    generator = np.random.default_rng(4)
    for unit in (False, True):
        for guarantees in (
            GUARANTEES["k3"],
            [{"k-anonymity": {"k": 3}}, {"l-diversity": {"l": 2, "kind": "distinct"}}],
        ):
            case = random_case(generator, guarantees, unit)
            search_pieces(table_of(case), case.request, Local(sweeps=2))
    after = signatures()
    assert {name for name in after if after[name] - before[name] and before[name]} == set()
    # These two are compiled where a table asks for them, which few do.
    rare = {f"{repair.__name__}.merge_failing", f"{partition.__name__}.settle"}
    assert {name for name in after if after[name] and not before[name]} <= rare


def script(folder: Path, text: str) -> str:
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for Python is a shell script")
def test_both_halves_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", script(tmp_path, f'sleep 0.1; echo "$@" >> {tmp_path}/calls'))
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead, "is_compiled", lambda _: False)
    ahead.compile_ahead()
    calls = sorted((tmp_path / "calls").read_text().splitlines())
    assert calls == [f"-m {ahead.NAME} boards", f"-m {ahead.NAME} classes covers"]


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for Python is a shell script")
def test_a_search_begins_when_its_first_kernels_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", script(tmp_path, "exec sleep 60"))
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    asked: list[str] = []

    def is_compiled(part: str) -> bool:
        asked.append(part)
        return part == "classes" and asked.count(part) > 3

    monkeypatch.setattr(ahead, "is_compiled", is_compiled)
    ahead.await_first()
    assert [process.poll() for process in ahead._running] == [None, None]
    ahead.stop_compiling()
    assert asked.count("classes") == 4


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for Python is a shell script")
def test_a_search_does_not_wait_for_a_compiler_that_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", script(tmp_path, "exit 1"))
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead, "is_compiled", lambda _: False)
    ahead.await_first()
    assert ahead._running[0].poll() == 1
    ahead.stop_compiling()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The halves that somebody tried to start, none of which can be."""
    tried: list[str] = []

    def refuse(command: list[str], **_: Any) -> None:
        tried.append(command[-1])
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "Popen", refuse)
    return tried


@pytest.mark.parametrize(("processors", "tried"), [(1, []), (2, ["covers"])])
def test_a_python_that_cannot_be_started_is_done_without(
    processors: int, tried: list[str], started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: processors)
    monkeypatch.setattr(ahead, "is_compiled", lambda _: False)
    ahead.compile_ahead()
    assert started == tried


def test_what_is_kept_is_not_compiled_again(started: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead, "is_compiled", lambda _: True)
    ahead.compile_ahead()
    assert started == []


def test_a_part_is_marked_for_one_machine_and_one_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stats:
        cache_path = str(tmp_path)

    class Kernel:
        stats = Stats

    monkeypatch.setattr(ahead, "freeze", Kernel)
    assert not ahead.is_compiled("boards")
    ahead.mark_of("boards").touch()
    assert ahead.is_compiled("boards")
    assert not ahead.is_compiled("covers")
    for name, other in (("get_host_cpu_name", lambda: "another"), ("Path", lambda _: tmp_path / "_local" / "one.py")):
        with monkeypatch.context() as changed:
            here = ahead.fingerprint.__wrapped__()
            (tmp_path / "_kernels.py").touch()
            changed.setattr(ahead, name, other)
            assert ahead.fingerprint.__wrapped__() != here


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for Python is a shell script")
def test_compilers_begin_early_and_stop_where_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", script(tmp_path, "exec sleep 60"))
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead, "is_compiled", lambda _: False)
    LOCAL.begin_early()
    begun = list(ahead._running)
    LOCAL.begin_early()
    assert [process.poll() for process in ahead._running] == [None, None]
    assert ahead._running == begun
    ahead.stop_compiling()
    assert [process.poll() for process in begun] == [-9, -9]
    assert ahead._running == []


def test_a_release_begins_early_what_its_methods_need(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    shelf = {name: replace(methods()[name], begin_early=partial(begun.append, name)) for name in SOME}
    monkeypatch.setattr(competition, "methods", lambda: shelf)
    section = ReleaseSection.model_validate({"guarantees": [{"k-anonymity": {"k": 2}}]})
    frame = pyarrow.table({"age": [1, 1, 2, 2]})
    task = task_of(tacit.read(frame, {"age": "quasi-identifier"}), section)
    competition.begin_early(task)
    competition.begin_early(replace(task, method=shelf["tables/mondrian"]))
    assert begun == ["tables/lattice", "tables/mondrian", "tables/local", "tables/mondrian"]
