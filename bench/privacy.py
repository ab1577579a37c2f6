"""Differential privacy: samplers against OpenDP and NumPy, accounting figures, and what the auditor catches."""

import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from bench.section import Section
from tacit.accounting.account import account
from tacit.accounting.events import Event, Gaussian, Laplace, PoissonSampled, Repeated
from tacit.randomness.gaussian import discrete_gaussian
from tacit.randomness.geometric import discrete_laplace
from tacit.randomness.stream import RandomBits

TESTS = Path(__file__).parent.parent / "tests"
REPEATS = 3
OURS, THEIRS = 1_000_000, 20_000
DELTA = 1e-5
REMARKS = (
    "Draws are counted in CPU time on one core, the best of three runs. NumPy's noise is made of floats and leaks: the",
    "auditor detects it from the last bits of its output. Epsilon at delta 1e-5, beside it the figure of Google's",
    "dp-accounting at a grid of 1e-4. Planted defects are those of `tests/auditing/defects.py`. Then each card as it",
    "is and with each of its broken twins (`tests/auditing/twins.py`, on small cases): the bound of epsilon, proved",
    "at confidence 1 - 1e-6, and what was claimed at the same delta. Where half of the noise stands, a card loses",
    "less than it claims on all neighbours that were tried, as choices and derived statistics do.",
)
HEAVIER = 5
"""How many times the runs of the tests are spent on a card and its twins."""


def measure(data: Path) -> Section:
    """One table: what was measured, the figure, what it is held against."""
    rows = [*_samplers(), *_accounts(), *_audits(), *_cards()]
    return Section("privacy", "Differential privacy", ("what", "Tacit", "beside it", "s"), rows, REMARKS)


def _samplers() -> list[list[str]]:
    bits, generator = RandomBits.from_os(), np.random.default_rng()
    laplace, gaussian = _opendp(10.0)
    return [
        [
            f"discrete {name} noise of scale 10, million draws a second",
            f"{_rate(ours, OURS):.2f}",
            f"OpenDP {_rate(theirs, THEIRS):.3f}, NumPy floats {_rate(floats, OURS):.1f}",
            "",
        ]
        for name, ours, theirs, floats in (
            (
                "Laplace",
                lambda n: discrete_laplace(Fraction(1, 10), n, bits),
                laplace,
                lambda n: generator.laplace(size=n),
            ),
            (
                "Gaussian",
                lambda n: discrete_gaussian(Fraction(100), n, bits),
                gaussian,
                lambda n: generator.normal(size=n),
            ),
        )
    ]


def _opendp(scale: float) -> tuple[Callable[[int], Any], Callable[[int], Any]]:
    import opendp.prelude as dp

    dp.enable_features("contrib")
    vector = dp.vector_domain(dp.atom_domain(T=int))
    laplace = dp.m.make_laplace(vector, dp.l1_distance(T=int), scale)
    gaussian = dp.m.make_gaussian(vector, dp.l2_distance(T=int), scale)
    return (lambda n: laplace([0] * n)), (lambda n: gaussian([0] * n))


def _rate(draw: Callable[[int], Any], number: int) -> float:
    """Million draws a second of CPU time."""
    best = float("inf")
    for _ in range(REPEATS):
        begin = process_time()
        draw(number)
        best = min(best, process_time() - begin)
    return number / best / 1e6


def _accounts() -> list[list[str]]:
    cases: tuple[tuple[str, Event, str], ...] = (
        ("100 Laplace answers of epsilon 0.1", Repeated(Laplace(10), 100), "4.2203"),
        ("1,000 Gaussian answers of sigma 20", Repeated(Gaussian(20), 1000), "7.5113"),
        (
            "DP-SGD: q = 0.01, sigma = 1, 10,000 steps",
            Repeated(PoissonSampled(Gaussian(1), Fraction(1, 100)), 10_000),
            "6.188",
        ),
    )
    account(Repeated(Laplace(2), 2), DELTA)  # so that imports are not timed
    rows = []
    for title, event, published in cases:
        begin = perf_counter()
        spent = account(event, DELTA)
        rows.append(
            [f"epsilon of {title}", f"{spent.epsilon:.4f} ({spent.method})", published, f"{perf_counter() - begin:.2f}"]
        )
    return rows


def _audits() -> list[list[str]]:
    """All planted defects and all sound functions, each with its usual number of runs."""
    from tacit.auditing.audit import audit

    sys.path.insert(0, str(TESTS))
    planted = import_module("auditing.defects")
    begin = perf_counter()
    caught = {
        name: audit(subject(), planted.DRAWS.get(name), RandomBits.from_os()).refuted
        for name, subject in planted.DEFECTS.items()
    }
    middle = perf_counter()
    wrong = sum(audit(subject(), None, RandomBits.from_os()).refuted for subject in planted.SOUND.values())
    missed = ", ".join(name for name, found in caught.items() if not found) or "none"
    return [
        [
            "planted defects caught",
            f"{sum(caught.values())} of {len(caught)}",
            f"missed: {missed}",
            f"{middle - begin:.0f}",
        ],
        ["sound functions refuted", f"{wrong} of {len(planted.SOUND)}", "", f"{perf_counter() - middle:.1f}"],
    ]


def _cards() -> list[list[str]]:
    """Each card, each of its twins, and each with half of its noise: caught or not, with the bound."""
    twins = import_module("auditing.twins")
    rows, counts = [], {"card": [0, 0], "twin": [0, 0], "half": [0, 0]}
    begin = perf_counter()
    for name, broken in twins.TWINS.items():
        tried = [("card", twins.sound(name), broken[0].draws, "the card")]
        tried += [("twin", twins.searched(twin.of(name)), twin.draws, twin.defect.title) for twin in broken]
        if all(twin.defect != twins.HALF for twin in broken):
            halved = twins.searched(twins.Twin(twins.HALF).of(name))
            tried.append(("half", halved, broken[0].draws, twins.HALF.title))
        for kind, subject, draws, what in tried:
            rows.append(_judged(subject, draws, what, name))
            counts[kind][0] += rows[-1][1] == "refuted"
            counts[kind][1] += 1
    took = f"{perf_counter() - begin:.0f}"
    titles = {"twin": "broken twins caught", "card": "sound cards refuted", "half": "others with half of their noise"}
    return [
        [title, "{} of {}".format(*counts[kind]), "", took if kind == "twin" else ""] for kind, title in titles.items()
    ] + rows


def _judged(subject: Any, draws: int, what: str, name: str) -> list[str]:
    from tacit.auditing.audit import audit

    begin = perf_counter()
    verdict = audit(subject, HEAVIER * draws, RandomBits.from_os())
    worst = verdict.worst
    at = f" at delta {worst.delta:g}" if worst.delta else ""
    return [
        f"{name}: {what}",
        "refuted" if verdict.refuted else "stands",
        f"at least {worst.proved:.3g}, claimed {worst.claimed:.3g}{at}",
        f"{perf_counter() - begin:.1f}",
    ]
