"""Promises that are proven, not measured: every name on a card is one or the other, and accounting tells how much.

Covers differential_privacy, local_differential_privacy, accounting/promise.
"""

import math

import pytest
from tests.methods.statistics.answers import data_for

from tacit.accounting.events import Gaussian, Pure
from tacit.accounting.promise import promised
from tacit.catalogue import methods
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import given_by, guarantees, parse_guarantee, parse_table_guarantee, proven
from tacit.guarantees.differential_privacy import DifferentialPrivacy
from tacit.randomness.stream import RandomBits

PRIVATE = [name for name in methods() if name.startswith("statistics/")]


@pytest.mark.parametrize("name", list(methods()))
def test_every_guarantee_on_a_card_has_a_file(name):
    claimed = methods()[name].guarantees
    assert claimed == "any" or all(given_by((one,)) for one in claimed)


@pytest.mark.parametrize(("name", "kind"), proven().items())
def test_a_proven_promise_is_named_after_its_file_and_says_where_it_comes_from(name, kind):
    assert kind.name == name == kind.__module__.rpartition(".")[2].replace("_", "-")
    assert name not in guarantees()
    assert kind.paper.startswith("https://")
    assert kind.open
    assert all(text.endswith(".") for text in kind.open)
    promise = kind(epsilon=1.0).promise()
    assert "e**1 " in promise
    with pytest.raises(BadParameter, match="epsilon"):
        kind.parse(name, {"epsilon": -1})


def test_none_can_be_checked_on_a_table():
    with pytest.raises(BadParameter, match="can't be measured in a release"):
        parse_table_guarantee({"differential-privacy": {"epsilon": 1}})


def test_a_plan_can_name_one():
    assert parse_guarantee({"differential-privacy": {"epsilon": 1}}) == DifferentialPrivacy(epsilon=1)
    with pytest.raises(BadParameter, match="epsilon"):
        parse_guarantee({"differential-privacy": {"epsilon": -1}})


def test_odds():
    """50 in 100 before, at most 73 in 100 after epsilon = 1; 1 in 100 becomes at most 2.7."""
    promise = DifferentialPrivacy(epsilon=1.0)
    assert promise.belief_after(0.5) == pytest.approx(math.e / (1 + math.e))
    assert "73 in 100" in promise.promise()
    assert promise.belief_after(0.01) == pytest.approx(0.0267, abs=5e-5)
    assert "probability 1e-06" in DifferentialPrivacy(epsilon=1.0, delta=1e-6, neighbours="replace").promise()


def test_accounting_tells_what_is_promised():
    assert promised([Pure(0.1)] * 10, 0, "add-remove") == DifferentialPrivacy(epsilon=1.0)
    found = promised(Gaussian(1.0), 1e-5, "replace")
    assert (found.delta, found.neighbours) == (1e-5, "replace")
    assert 4 < found.epsilon < 5


@pytest.mark.parametrize("name", PRIVATE)
def test_every_statistic_promises_what_it_was_asked_for(name):
    method = methods()[name]
    answer = method.run(data_for(name), method.example, RandomBits.from_seed(1))
    delta = getattr(method.example, "delta", 0.0)
    assert promised(answer.event, delta).epsilon <= method.example.epsilon * (1 + 1e-9)
