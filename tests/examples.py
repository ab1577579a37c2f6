"""How many examples a property is tried on: the test says how many are enough, the loaded profile how much of that."""

from collections.abc import Sequence

import pytest
from hypothesis import is_hypothesis_test, settings

USUAL = 100
"""What hypothesis tries where a test says nothing: the whole form, of which `make test` takes a share."""
SHARES = {"quick": 0.2, "patient": 0.5, "soak": 10.0}
"""How much of the whole form each profile takes: `make quick`, `make test` and `make soak`."""
LEAST = 3
"""With fewer, a property that leaves some examples out might be left without any."""


def examples(usual: int) -> settings:
    """Settings for a property whose whole form has this many examples; each profile takes its share of them."""
    return settings(max_examples=max(LEAST, usual * settings().max_examples // USUAL))


def draws(usual: int) -> int:
    """This many draws in `make test`, ten times as many in `make soak`. Tolerances must be formulas of this number."""
    return usual * max(1, settings().max_examples // USUAL)


def has_long_form(item: pytest.Item) -> bool:
    """Whether `make soak` makes more of the test than `make test` does: it is marked, a property, or takes draws."""
    if not isinstance(item, pytest.Function):
        return False
    takes_draws = getattr(item.module, "draws", None) is draws
    return takes_draws or is_hypothesis_test(item.obj) or item.get_closest_marker("soak") is not None


def few_cases(names: Sequence[str], most: int = 2) -> set[str]:
    """Of the cases of one test, told by what stands in brackets, at most so many, spread evenly over all of them."""
    cases: dict[str, list[str]] = {}
    for name in sorted(names):
        cases.setdefault(name.partition("[")[0], []).append(name)
    return {
        own[place * len(own) // min(most, len(own))] for own in cases.values() for place in range(min(most, len(own)))
    }
