"""What is compiled ahead is what a search calls, and a search goes on where no process can be started.

Covers methods/tables/_local/ahead.
"""

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tests.methods.tables.recoded import GUARANTEES, random_case, table_of

from tacit.methods.tables._local import ahead, board, cover, freeze, partition, regions, repair, sweep
from tacit.methods.tables._local.params import Local
from tacit.methods.tables._local.search import search_pieces

MODULES: tuple[ModuleType, ...] = (board, cover, freeze, partition, regions, repair, sweep)


def signatures() -> dict[str, set[Any]]:
    """The types that each kernel is compiled for."""
    found = (one for module in MODULES for one in vars(module).values() if hasattr(one, "py_func"))
    return {f"{one.__module__}.{one.__name__}": set(one.signatures) for one in found}


@pytest.mark.slow
def test_a_search_calls_the_kernels_with_the_types_that_are_compiled_ahead() -> None:
    for half in ahead.HALVES.values():
        half()
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
    assert {name for name in after if after[name] and not before[name]} <= {f"{repair.__name__}.merge_failing"}


def script(folder: Path, text: str) -> str:
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="the stand-in for Python is a shell script")
def test_both_halves_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", script(tmp_path, f'sleep 0.1; echo "$@" >> {tmp_path}/calls'))
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead, "is_kept", lambda _: False)
    ahead.compile_ahead()
    calls = sorted((tmp_path / "calls").read_text().splitlines())
    assert calls == [f"-m {ahead.__name__} boards", f"-m {ahead.__name__} classes"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The halves that somebody tried to start, none of which can be."""
    tried: list[str] = []

    def refuse(command: list[str], **_: Any) -> None:
        tried.append(command[-1])
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "Popen", refuse)
    return tried


@pytest.mark.parametrize(("processors", "tried"), [(1, []), (2, ["classes"])])
def test_a_python_that_cannot_be_started_is_done_without(
    processors: int, tried: list[str], started: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: processors)
    monkeypatch.setattr(ahead, "is_kept", lambda _: False)
    ahead.compile_ahead()
    assert started == tried


def test_what_is_kept_is_not_compiled_again(started: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "processors", lambda: 2)
    monkeypatch.setattr(ahead, "is_kept", lambda _: True)
    ahead.compile_ahead()
    assert started == []


def test_code_older_than_its_source_is_not_kept(tmp_path: Path) -> None:
    def kernel() -> None: ...

    class Stats:
        cache_path = str(tmp_path)

    class Compiled:
        py_func, stats = kernel, Stats

    assert not ahead.is_kept(Compiled)
    code = kernel.__code__
    index = tmp_path / f"{Path(__file__).stem}.{code.co_qualname}-{code.co_firstlineno}.py311.nbi"
    index.touch()
    assert ahead.is_kept(Compiled)
    os.utime(index, (0, 0))
    assert not ahead.is_kept(Compiled)
