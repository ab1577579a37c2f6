"""What must stay quick: the CPU seconds of single calls, each beside the limit that it must keep."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

import numpy as np

from bench.section import Section, run, tacit

REPEATS = 5


@dataclass(frozen=True)
class Limit:
    """A call and the CPU seconds that it may take."""

    what: str
    seconds: float
    call: Callable[[], Any]


def measure(data: Path) -> Section:
    """The best of several calls of each, after one that loads what it needs."""
    rows = []
    for limit in limits():
        limit.call()
        found = min(_seconds(limit.call) for _ in range(REPEATS))
        rows.append([limit.what, f"{limit.seconds:g}", f"{found:.3f}", "yes" if found <= limit.seconds else "**no**"])
    remarks = (f"CPU seconds, the best of {REPEATS} calls after a first one that loads and compiles.",)
    return Section("limits", "What must stay quick", ("what", "limit", "measured", "kept"), rows, remarks)


def limits() -> Iterator[Limit]:
    """Every call that has a limit."""
    yield Limit("`tacit --help`", 0.3, partial(run, tacit("--help")))
    yield Limit("`import tacit`", 0.3, partial(run, [sys.executable, "-c", "import tacit"]))
    yield from _of_draws()
    yield from _of_answers()
    yield from _of_accounting()
    yield from _of_files()


def _of_draws() -> Iterator[Limit]:
    from tacit.randomness.gaussian import discrete_gaussian
    from tacit.randomness.geometric import discrete_laplace
    from tacit.randomness.stream import RandomBits

    for rate in (Fraction(1), Fraction(1, 2**20)):
        yield Limit(
            f"a million draws of discrete Laplace noise at rate {rate}",
            1,
            partial(discrete_laplace, rate, 1_000_000, RandomBits.from_seed(1)),
        )
    for variance in (Fraction(100), Fraction(2**40)):
        yield Limit(
            f"300,000 draws of discrete Gaussian noise of variance {variance}",
            1,
            partial(discrete_gaussian, variance, 300_000, RandomBits.from_seed(1)),
        )


def _of_answers() -> Iterator[Limit]:
    from tacit.methods.mechanisms.geometric import Geometric, geometric
    from tacit.methods.statistics.histogram import Bins, Histogram, histogram
    from tacit.randomness.stream import RandomBits

    ages = np.arange(1000, dtype=float) % 90
    cells = Histogram(epsilon=0.5, axes=(Bins(lower=0, upper=100, bins=1_000_000),))
    counts = np.arange(1_000_000) % 50
    yield Limit("a private histogram of a million cells", 2, lambda: histogram([ages], cells, RandomBits.from_os()))
    yield Limit(
        "geometric noise on a million counts", 2, lambda: geometric(counts, Geometric(epsilon=1), RandomBits.from_os())
    )


def _of_accounting() -> Iterator[Limit]:
    from tacit.accounting.account import account, smallest_delta
    from tacit.accounting.events import DiscreteLaplace, Laplace

    fine = DiscreteLaplace(838_860_800, 419_430_400)
    for delta in (1e-5, 1e-3, 0.1):
        yield Limit(
            f"epsilon of discrete Laplace noise of 838,860,800 steps at delta {delta:g}",
            1,
            partial(account, fine, delta),
        )
    for epsilon in (1e-4, 1e-9):
        yield Limit(
            f"delta of Laplace noise at epsilon {epsilon:g}",
            4,
            partial(smallest_delta, Laplace(1), epsilon),
        )


def _of_files() -> Iterator[Limit]:
    from tests.evidence.example_release import example_release

    from tacit.data.tables.hierarchy import Hierarchy
    from tacit.evidence.tables.report import render_report

    texts = [str(number) for number in range(100_000, 400_000)]
    paths = [[text, *(text[:-cut] + "*" * cut for cut in range(1, 5)), "*"] for text in texts]
    release = example_release()
    yield Limit("the report of a release", 0.06, lambda: render_report(release))
    yield Limit("a hierarchy of 300,000 leaves", 1.5, lambda: Hierarchy.from_paths("zip", paths))


def _seconds(call: Callable[[], Any]) -> float:
    start = _used()
    call()
    return _used() - start


def _used() -> float:
    """The CPU seconds of this process and of its children that ended."""
    mine, theirs = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime
