"""Examples may take as long as a busy machine needs; what is too slow is caught by the timeout of the whole test.

`make quick` and `make soak` choose the profiles `quick` and `soak`, by `--hypothesis-profile`. With `soak` only those
tests run that have a long form: those marked `soak`, properties, and files that say how many draws they take.
"""

import pytest
from hypothesis import settings
from tests.examples import USUAL, has_long_form

settings.register_profile("quick", deadline=None, max_examples=USUAL // 5)
settings.register_profile("patient", deadline=None, max_examples=USUAL)
settings.register_profile("soak", deadline=None, max_examples=10 * USUAL)
settings.load_profile("patient")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes no more examples or draws than in `make test` is left to it."""
    if config.getoption("--hypothesis-profile") != "soak":
        return
    config.hook.pytest_deselected(items=[item for item in items if not has_long_form(item)])
    items[:] = [item for item in items if has_long_form(item)]
