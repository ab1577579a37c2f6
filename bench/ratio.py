"""What the same work costs in this tree and in an older checkout of it, measured in turns in one run.

`python -m bench ratio OLDTREE`: each case runs in fresh processes, in the order old, new, new, old, old, new and so on,
so that whatever else the machine does falls on both. What counts is the CPU time, user and system, of the process, and
of that the median.

Python keeps its frames in pieces of 16 KiB, and a loop whose calls cross the end of a piece asks the system for memory
each time. Where the end falls depends on how many functions are on the way to the loop, and moves a reading by up to a
tenth. So each pair begins some calls deeper than the last, and the median is over several such places.
"""

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.adult import CASES as ADULT
from bench.adult import plan_of
from bench.scale import GENERATE, plan_for
from bench.section import Section, run, tacit

PAIRS = 11
ROWS = 300_000
HERE = Path(__file__).parent.parent

DEEPER = """
import runpy, sys
def call(times):
    if times:
        return call(times - 1)
    if code:
        return exec(code, {"__name__": "__main__"})
    runpy.run_module("tacit", run_name="__main__", alter_sys=True)
calls, code = int(sys.argv.pop(1)), sys.argv.pop(1)
call(calls)
"""
CALLS = 15
"""How many calls deeper each pair begins; a piece has room for about 150, so that all pairs go through one."""
STATISTIC = """
import numpy as np
from tacit.methods.statistics.{module} import METHOD
from tacit.randomness.stream import RandomBits
values = np.random.default_rng(1).uniform(0, 100, 1_000_000)
params = METHOD.params(**{given})
METHOD.run(values, params, RandomBits.from_seed(1))
"""
NOISE = """
from fractions import Fraction
from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits
bits = RandomBits.from_seed(1)
discrete_laplace(Fraction(1, 10), 5_000_000, bits)
discrete_gaussian(Fraction(100), 5_000_000, bits)
"""
ACCOUNT = """
from tacit.accounting.account import account
from tacit.accounting.events import Gaussian, Laplace, PoissonSampled, Repeated
account([Repeated(Laplace(10.0), 100)], 1e-5)
account([Repeated(PoissonSampled(Gaussian(1.0), 0.01), 10_000)], 1e-5)
"""


@dataclass(frozen=True)
class Case:
    """Work with a name: the same command for both trees."""

    title: str
    command: list[str]


def measure(data: Path, old: Path) -> Section:
    """The ratio of each case, new to old; those about Adult where it is in `data`."""
    if not (old / "src" / "tacit").is_dir():
        raise SystemExit(f"{old} is no checkout of this package")
    with TemporaryDirectory() as temporary:
        rows = [_row(case, old) for case in _cases(Path(temporary), old, data)]
    remarks = (
        f"Median CPU seconds, user and system, of {PAIRS} processes each, in turns, at different depths of the stack.",
    )
    return Section("ratio OLDTREE", "Beside an older checkout", ("work", "old", "new", "new / old"), rows, remarks)


def _row(case: Case, old: Path) -> list[str]:
    """Both trees in turns, after one run each that compiles modules."""
    times: dict[Path, list[float]] = {old: [], HERE: []}
    for tree in times:
        _cpu(case.command, tree)
    for pair in range(PAIRS):
        command = _deeper(case.command, pair * CALLS)
        for tree in (old, HERE) if pair % 2 == 0 else (HERE, old):
            times[tree].append(_cpu(command, tree))
    before, now = (median(found) for found in times.values())
    print(f"{case.title}: {before:.3f} {now:.3f} {now / before:.3f}", file=sys.stderr, flush=True)
    return [case.title, f"{before:.3f}", f"{now:.3f}", f"{now / before:.2f}"]


def _deeper(command: list[str], calls: int) -> list[str]:
    """A command of the package, or some code, begun so many calls deep."""
    python, option, what, *arguments = command
    return [python, "-c", DEEPER, str(calls), what if option == "-c" else "", *arguments]


def _cpu(command: list[str], tree: Path) -> float:
    os.environ["PYTHONPATH"] = str(tree / "src")
    return run(command).cpu


def _cases(folder: Path, old: Path, data: Path) -> list[Case]:
    """Starting up, releases from cold processes, statistics from arrays, noise and accounting."""
    demo = _demo(folder, old)
    mondrian = _by_mondrian(demo)
    large, output = _large(folder), ["-o", str(folder / "out.csv")]
    quantiles = {"epsilon": 1, "lower": 0, "upper": 100, "quantiles": (0.25, 0.5, 0.75), "interval_share": 0.5}
    return [
        Case("`import tacit`", [sys.executable, "-c", "import tacit"]),
        Case("`tacit --help`", tacit("--help")),
        Case("`tacit protect` of the demo", tacit("protect", str(demo), *output)),
        Case("`tacit protect` of the demo by Mondrian", tacit("protect", str(mondrian), *output)),
        Case(f"`tacit protect` of {ROWS:,} rows of CSV", tacit("protect", str(large), *output)),
        *_adult(folder, data),
        Case("mean of a million values", _statistic("mean", {"epsilon": 1, "lower": 0, "upper": 100})),
        Case("quantiles of a million values", _statistic("quantiles", quantiles)),
        Case("ten million draws of discrete noise", [sys.executable, "-c", NOISE]),
        Case("epsilon of 100 Laplace answers, and of DP-SGD", [sys.executable, "-c", ACCOUNT]),
    ]


def _adult(folder: Path, data: Path) -> list[Case]:
    """Releases of Adult: two of the twelve optima, and local recoding."""
    table = (data / "tables" / "adult").resolve()
    if not table.exists():
        return []
    local = plan_of(ADULT[0], 0, table)
    local["release"]["method"] = "tables/local"
    plans = {"9 columns": plan_of(ADULT[0], 0.02, table), "t-closeness": plan_of(ADULT[3], 1, table), "local": local}
    for name, plan in plans.items():
        (folder / f"{name}.plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return [
        Case(
            f"`tacit protect` of Adult, {name}",
            tacit("protect", str(folder / f"{name}.plan.json"), "-o", str(folder / f"{name}.csv")),
        )
        for name in plans
    ]


def _statistic(module: str, given: dict[str, object]) -> list[str]:
    return [sys.executable, "-c", STATISTIC.format(module=module, given=given)]


def _demo(folder: Path, old: Path) -> Path:
    """The plan of the demo that the older tree has, since a later one may say what that tree can't read."""
    os.environ["PYTHONPATH"] = str(old / "src")
    run(tacit("demo", "-o", str(folder / "demo")))
    return folder / "demo" / "hospital.plan.yaml"


def _by_mondrian(demo: Path) -> Path:
    """The same plan with another method."""
    plan = demo.with_name("mondrian.plan.yaml")
    plan.write_text(demo.read_text(encoding="utf-8").replace("tables/lattice", "tables/mondrian"), encoding="utf-8")
    return plan


def _large(folder: Path) -> Path:
    """A plan over a generated file, for the default method."""
    data, plan = folder / "people.csv", folder / "large.plan.json"
    run([sys.executable, "-c", GENERATE.replace("format parquet", "format csv"), str(ROWS), str(data)])
    plan.write_text(json.dumps(plan_for(data)), encoding="utf-8")
    return plan
