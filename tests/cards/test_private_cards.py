"""What every card of differential privacy keeps: it spends what it said, and its answers keep one protocol.

Covers cards/mechanisms, cards/private, cards/statistics, cards/least_epsilon, noise/private_answer.
"""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.methods.statistics.answers import data_for

from tacit.accounting.account import account
from tacit.accounting.scoping import scope_of
from tacit.cards.asked import AskedMethod
from tacit.cards.mechanisms import Mechanism
from tacit.cards.private import PrivateMethod
from tacit.catalogue import find_method, methods
from tacit.randomness.stream import RandomBits

CARDS = {name: card for name, card in methods().items() if isinstance(card, PrivateMethod)}
STATISTICS = {name: card for name, card in CARDS.items() if isinstance(card, AskedMethod)}
MECHANISMS = {name: card for name, card in CARDS.items() if isinstance(card, Mechanism)}
SEVERAL_PASSES = {"adaptive-grid", "itemsets", "textbook-k-means", "logistic-regression"}
WHOLE = {"mechanisms/geometric", "mechanisms/discrete-gaussian"}
OF_ONE = {"mechanisms/bounded-laplace"}
CHOICES = {"mode", "best-choice", "best-candidate", "keywords", "itemsets", "clipping", "quantiles", "extremes"}
CHOICES |= {"exponential", "noisy-max", "permute-and-flip", "top-k", "sparse-vector"}
TREES = {"adaptive-grid", "privtree"}
OTHER_SETTINGS: dict[str, list[dict[str, Any]]] = {
    "statistics/quantiles": [{"quantiles": (0.5,)}, {"interval_share": 0.0}],
    "statistics/histogram": [{"delta": 1e-6}],
    "synthesize/independent": [{"delta": 1e-6}],
    "statistics/covariance": [{"delta": 1e-6}],
    "statistics/linear-regression": [{"delta": 1e-6}],
    "statistics/logistic-regression": [
        {"delta": 1e-6},
        {"regularisation": None},
        {"regularisation": None, "delta": 1e-6, "epsilon": 4.0},
    ],
    "statistics/best-candidate": [{"law": "poisson"}, {"law": "logarithmic"}],
    "statistics/keywords": [{"score": "rows"}],
    "statistics/uniform-grid": [{"guess": None, "side": 3}],
    "mechanisms/top-k": [{"way": "one-shot"}],
    "mechanisms/sparse-vector": [{"numeric": 0.3, "answers": 2}],
    "mechanisms/gaussian": [{"calibration": "classic"}, {"grid": 3}],
    "mechanisms/laplace": [{"delta": 1e-6}, {"grid": 3}],
    "mechanisms/discrete-gaussian": [{"rho": None, "epsilon": 1.0, "delta": 1e-6}],
}


def changed(name: str, **changes: Any) -> Any:
    method = CARDS[name]
    known = {key: value for key, value in changes.items() if key in method.params.model_fields}
    return method.params.parse(name, {**method.example.model_dump(), **known})


def settings(name: str) -> Iterator[Any]:
    """The example under both relations, with several rows of a person, and in other ways."""
    for other in [{}, *OTHER_SETTINGS.get(name, [])]:
        for people in ({}, {"contributions": 3}, {"neighbours": "replace"}):
            if all(key in CARDS[name].params.model_fields for key in people):
                yield changed(name, **other, **people)


def inputs(name: str) -> list[Any]:
    """What the card can be run on: for mechanisms answers of several shapes."""
    if name in STATISTICS:
        return [data_for(name)]
    whole: list[Any] = [3] if name in OF_ONE else [3, np.array([3, 1, 4, 2])]
    return whole if name in WHOLE else [*whole, *(np.asarray(one, dtype=np.float64) for one in whole)]


def big_enough(name: str, params: Any) -> list[Any]:
    """The same, but for choices of k candidates, which need more than k."""
    return [given for given in inputs(name) if np.size(given) > 1 or "k" not in type(params).model_fields]


@pytest.mark.parametrize("name", CARDS)
def test_every_answer_spends_exactly_what_was_said_before(name: str) -> None:
    method, runs = CARDS[name], 0
    for params in settings(name):
        for given in big_enough(name, params):
            before = method.spends_on(given, params)
            answer = method.run(given, params, RandomBits.from_seed(3))
            assert answer.event == before
            assert hash(answer.event) == hash(before)
            runs += 1
    assert runs >= 1


@pytest.mark.parametrize("name", STATISTICS)
def test_events_of_statistics_say_whom_they_are_about(name: str) -> None:
    for params in settings(name):
        scope = scope_of(STATISTICS[name].spends(params))
        assert scope is not None
        assert scope.neighbours == params.neighbours
        assert scope.contributions == getattr(params, "contributions", None)


@pytest.mark.parametrize("name", CARDS)
def test_the_delta_of_a_card_is_what_its_parameters_promise(name: str) -> None:
    """At that delta the loss is at most the epsilon that was asked for, and more than half of it."""
    method = CARDS[name]
    for other in [{}, *OTHER_SETTINGS.get(name, [])]:
        params = changed(name, **other)
        spent = account(method.spends(params), method.promised_delta(params)).epsilon
        if params.epsilon is not None:
            assert 0.5 * params.epsilon <= spent <= params.epsilon * (1 + 1e-9)


def test_mechanisms_know_no_people() -> None:
    assert all(scope_of(card.spends(card.example)) is None for card in MECHANISMS.values())


@pytest.mark.slow
def test_rounds_of_a_regression_spend_no_more_than_the_whole() -> None:
    """The rounds that were run, composed one by one, against the event that was told before."""
    from tacit.methods.statistics._logistic.noise import Purse
    from tacit.methods.statistics._logistic.rounds import rounds
    from tacit.methods.statistics._logistic.sums import LogisticRows
    from tacit.methods.statistics.logistic_regression import Box
    from tacit.noise.setting import Allowance

    generator = np.random.default_rng(1)
    features = generator.uniform(-1, 1, (20_000, 2))
    rows = np.column_stack([features, features[:, 0] + generator.logistic(size=20_000) > 0])
    for delta in (0.0, 1e-6):
        purse = Purse(Allowance.of(4.0, delta), 1)
        found = rounds(LogisticRows.read(rows, Box((-1.0, -1.0), (1.0, 1.0))), purse, False, RandomBits.from_seed(1))
        assert len(found.event.events) > 4
        one_by_one, whole = (account(event, delta).epsilon for event in (found.event, purse.event))
        assert one_by_one <= whole * (1 + 1e-9)
        assert whole <= 4.0 * (1 + 1e-9)
        assert one_by_one >= 0.99 * whole


@pytest.mark.parametrize("name", CARDS)
def test_what_is_published_survives_json_and_says_whether_it_was_seeded(name: str) -> None:
    method = CARDS[name]
    for other in [{}, *OTHER_SETTINGS.get(name, [])]:
        params = changed(name, **other)
        given = big_enough(name, params)[-1]
        for bits in (RandomBits.from_seed(1), RandomBits.from_os()):
            answer = method.run(given, params, bits)
            told = answer.published(0.9)
            assert json.loads(json.dumps(told, allow_nan=False)) == told
            assert told["seeded"] is answer.seeded is bits.seeded
            assert told["level"] == 0.9
            assert {"values", "lower", "upper"} <= set(told)
            assert isinstance(told["values"], list)
            if told["lower"] is not None:
                assert np.shape(told["lower"]) == np.shape(told["upper"]) == np.shape(told["values"])


def leaves(told: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(told, dict):
        for name, part in told.items():
            yield from leaves(part, f"{place}.{name}")
    elif isinstance(told, list):
        yield f"{place}.size", len(told)
        for number, part in enumerate(told):
            yield from leaves(part, f"{place}.{number}")
    else:
        yield place, told


def other_data(name: str) -> Any:
    """Data that agree with those of the example in nothing but their form."""
    given = inputs(name)[-1]
    if name in MECHANISMS:
        return np.asarray(given)[::-1] + 1 if np.ndim(given) else given + 1
    return [column[:110] for column in given] if isinstance(given, list) else np.asarray(given)[:110]


def quiet(name: str) -> dict[str, float]:
    """A loss at which outputs differ from run to run."""
    if CARDS[name].example.epsilon is None:
        return {"rho": 0.01}
    return {"epsilon": 1e-4 if name.split("/")[1] in CHOICES else 0.01 if name.split("/")[1] in TREES else 0.4}


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
def test_whatever_is_published_is_noisy_or_public(name: str) -> None:
    """What no seed changes must not change with the data either, or it is an exact value.

    The epsilon of choices is so small that they are nearly uniform. Thirty answers that agree by chance in a choice of
    two have probability 2**-29, noisy numbers less; the seeds are fixed, so none does.
    """
    method = CARDS[name]
    params = changed(name, most=1, runs=4.0, depth=10, rows=50, **quiet(name))
    given, other = inputs(name)[-1], other_data(name)
    if name == "mechanisms/propose-test-release":
        params = method.example
        given, other = np.full(4000, 10.0), np.full(4000, 60.0)
    told = [dict(leaves(method.run(given, params, RandomBits.from_seed(seed)).published())) for seed in range(30)]
    always = {place for place in told[0] if all(one.get(place, ...) == told[0][place] for one in told)}
    elsewhere = dict(leaves(method.run(other, params, RandomBits.from_seed(99)).published()))
    exact = {place for place in always if elsewhere.get(place, ...) != told[0][place]}
    assert not exact
    assert always < set(told[0])


def test_statistics_of_one_pass_have_both_parts() -> None:
    for name, card in STATISTICS.items():
        assert (card.wanted is None) == (card.answer is None)
        assert (card.wanted is None) == (name.removeprefix("statistics/") in SEVERAL_PASSES)


@pytest.mark.parametrize("name", [name for name, card in STATISTICS.items() if card.error is not None])
def test_the_error_of_a_card_takes_rows_and_a_level(name: str) -> None:
    card = STATISTICS[name]
    assert card.error is not None
    wide, narrow = (card.error(card.example, 1000, level=level) for level in (0.95, 0.6))
    assert wide > narrow >= 0


@pytest.mark.parametrize("name", CARDS)
def test_neighbours_can_be_answered(name: str) -> None:
    method = CARDS[name]
    for pair in method.neighbours(method.example):
        for side in (pair.first, pair.second):
            assert method.run(side, method.example, RandomBits.from_seed(1)).event == method.spends_on(
                side, method.example
            )


def test_cards_of_a_folder_have_its_kind() -> None:
    kinds = {"statistics": "statistics", "synthesize": "synthesis"}
    assert all(card.kind == kinds[name.split("/")[0]] for name, card in STATISTICS.items())
    assert all(card.kind == "mechanisms" for card in MECHANISMS.values())
    assert sum(card.kind == "statistics" for card in STATISTICS.values()) == 25
    assert len(MECHANISMS) == 15
    assert find_method("tables/lattice").kind == "tables"
    assert find_method("columns/noise").kind == "columns"
    assert find_method("counts/suppression").kind == "counts"
    assert find_method("tables/republish").kind == "republication"


@pytest.mark.parametrize("name", CARDS)
def test_what_is_spent_stands_in_the_parameters_that_a_card_names(name: str) -> None:
    """They are numbers above 0, and with less than a quarter of the first less than half is spent."""
    method = CARDS[name]
    for params in settings(name):
        prices = {price: getattr(params, price) for price in method.prices(params)}
        assert all(value > 0 for value in prices.values())
        assert (method.delta in prices) == (method.promised_delta(params) > 0)
    (loss, *_) = method.prices(method.example)
    spent = [account(method.spends(changed(name, **{loss: most})), 0.01).epsilon for most in (0.2, 1.0)]
    assert spent[0] < spent[1] / 2
