"""Examples may take as long as a busy machine needs; what is too slow is caught by the timeout of the whole test.

`make quick` and `make soak` choose the profiles `quick` and `soak`, by `--hypothesis-profile`. With `soak` only those
tests run that have a long form: those marked `soak`, properties, and files that say how many draws they take. With
`quick` a few cases of each test run, spread over all of them.

Each core has a process of its own, so the threads that BLAS would start in every one of them only get in the way.
"""

import gc
import os

import pytest
from hypothesis import settings
from tests.examples import SHARES, USUAL, few_cases, has_long_form

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # The workers inherit it.

for profile, share in SHARES.items():
    settings.register_profile(profile, deadline=None, max_examples=int(share * USUAL))
settings.load_profile("patient")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In `make soak` what takes no more than in `make test` is left to it, in `make quick` most cases of one test."""
    profile = config.getoption("--hypothesis-profile")
    if profile not in ("quick", "soak"):
        return
    few = few_cases([item.nodeid for item in items])
    parts: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        parts[item.nodeid in few if profile == "quick" else has_long_form(item)].append(item)
    config.hook.pytest_deselected(items=parts[False])
    items[:] = parts[True]


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays until the end, so the collector of garbage need not look through it again and again."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    """What is left is looked through once more, since libraries complain of what is never thrown away."""
    gc.unfreeze()
