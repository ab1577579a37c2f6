"""The choice among methods: loss and time of `auto` beside each method that competes, and the demo without a cache."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.local import CASES as LOCAL_CASES
from bench.local import Case, plan_of
from bench.section import Run, Section, run, tacit

CASES = tuple(replace(LOCAL_CASES[place], sweeps=None) for place in (0, 5, 6, 8))
METHODS = ("tables/lattice", "tables/mondrian", "tables/local", "auto")
HEADER = ("quasi-identifiers, guarantee", *(f"`{name}`: loss, s (CPU s)" for name in METHODS), "chosen")
REMARK = (
    "Whole commands with default parameters and compiled code in its cache, at most 2 % of the rows suppressed; `auto` "
    "stops after 30 s, each method alone after what it takes or, the lattice, after 60 s. The demo is `tacit demo`: a "
    "release and answers."
)


def measure(data: Path) -> Section | None:
    """Every case with every method, and the demo with compiled code cached and without."""
    folder = (data / "tables").resolve()
    if not all((folder / case.table).exists() for case in CASES):
        return None
    with TemporaryDirectory() as scratch:
        demos = _demos(Path(scratch))
        rows = [_row(case, folder, Path(scratch)) for case in CASES]
    return Section("choice", "The choice among methods, as a whole command", HEADER, rows, (REMARK, *demos))


def _row(case: Case, folder: Path, scratch: Path) -> list[str]:
    plan, release = scratch / "plan.json", scratch / "release.csv"
    cells, losses, chosen = [], {}, ""
    for method in METHODS:
        form = plan_of(case, folder, {})
        form["release"] |= {"method": method, "suppression": 0.02}
        plan.write_text(json.dumps(form), encoding="utf-8")
        done = run(tacit("protect", str(plan), "-o", str(release), "--json"))
        found = json.loads(done.output)
        assert found["holds"]
        losses[method] = found["metrics"]["loss"]
        cells.append(f"{losses[method]:.5f}, {_taken(done)}")
        if found["competition"]:
            chosen = next(one["method"] for one in found["competition"]["entrants"] if one["won"])
    title = case.title if case.title != "the same" else f"{case.table}"
    return [title, *cells, f"`{chosen}`"]


def _demos(scratch: Path) -> tuple[str, str]:
    """How long the whole demo takes with an empty cache of compiled code, and then with a full one."""
    with _cache(scratch / "cache"):
        first = run(tacit("demo", "-o", str(scratch / "first"), "--json"))
        second = run(tacit("demo", "-o", str(scratch / "second"), "--json"))
    loss = json.loads(second.output)["metrics"]["loss"]
    assert loss < 0.18, loss
    return (
        f"The demo, loss {loss:.1%}, compiled code cached: {_taken(second)}.",
        f"The same without any cache: {_taken(first)}.",
    )


@contextmanager
def _cache(folder: Path) -> Iterator[None]:
    """Compiled code is kept in this folder."""
    before = os.environ.get("NUMBA_CACHE_DIR")
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["NUMBA_CACHE_DIR"]
        else:
            os.environ["NUMBA_CACHE_DIR"] = before


def _taken(done: Run) -> str:
    return f"{done.wall:.1f} s ({done.cpu:.1f})"
