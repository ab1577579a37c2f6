"""What every card must satisfy, and what methods, metrics and attacks must satisfy when they run."""

import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from tacit.cards.asked import AskedMethod
from tacit.cards.attack import Attack, ReleaseAttack, StatisticsAttack, TableAttack
from tacit.cards.card import Card
from tacit.cards.contest import Contest
from tacit.cards.metric import MetricValue
from tacit.cards.takes import Declaration
from tacit.catalogue import attacks, find_attack, find_method, find_metric, methods, metrics
from tacit.errors import BadParameter
from tacit.release.attacks import Success
from tacit.testing.parameters import check_parameters, check_survives_json, check_words

SHELVES: Mapping[str, Callable[[], Mapping[str, Card[Any]]]] = {
    "methods": methods,
    "metrics": metrics,
    "attacks": attacks,
}


def check_card(group: str, name: str) -> None:
    """The card says all that its faces need; `group` is methods, metrics or attacks."""
    card, where = SHELVES[group]()[name], f"{group}/{name}"
    check_words(where, title=card.title, needs=card.needs, gives=card.gives)
    assert card.paper.startswith("https://"), f"{where}: `paper` must be the https address of the source"
    assert type(card.example) is card.params, f"{where}: `example` must be a {card.params.__name__}"
    assert callable(getattr(card, "run", None)), f"{where}: `run` must be a function"
    own = group == "methods" or name.startswith(f"{card.kind}/")
    assert own, f"{where}: its kind is {card.kind!r}; {group} stand in the folder of their kind"
    check_parameters(where, card.params)
    check_survives_json(where, card.example)
    if isinstance(card, Attack):
        _check_story(where, card)
    if isinstance(card, TableAttack):
        _check_named_parameters(where, card)
    if isinstance(card, AskedMethod):
        _check_takes(where, card)


def _check_story(where: str, card: Attack[Any]) -> None:
    check_words(where, knowledge=card.knowledge)
    one = card.story.endswith(".") and ". " not in card.story
    assert one, f"{where}: `story` must be one sentence that ends with a full stop"


def _check_named_parameters(where: str, card: TableAttack[Any]) -> None:
    for field in ("column_parameter", "fraction_parameter"):
        name = getattr(card, field)
        known = name is None or name in card.params.model_fields
        assert known, f"{where}: `{field}` is {name!r}, which {card.params.__name__} does not have"


def _check_takes(where: str, card: AskedMethod[Any]) -> None:
    """What the plan fills in are parameters of the card, and `takes` reads no others."""
    names = [f"column {place + 1}" for place in range(max(card.takes.least, 1))]
    # Declared so that every shape takes it: a number, a category and a truth at once.
    filled = card.takes.parameters([Declaration(name, (0.0, 1.0), ("true", "false")) for name in names])
    unknown = sorted(set(filled) - set(card.params.model_fields))
    assert not unknown, f"{where}: `takes` fills in {unknown[0]!r}, which {card.params.__name__} does not have"
    card.takes.keys_kept(card.example)
    with suppress(BadParameter):  # Parameters of the example may not go with these bounds.
        asked = card.params.parse(where, {**card.example.model_dump(), **filled})
        unread = card.takes.unread_as(names, asked)
        assert set(unread) <= set(names), f"{where}: `unread_as` of `takes` names columns other than those it is given"


def check_method(
    name: str, given: Callable[[], tuple[Any, ...]], like: Callable[[Any, Any], bool] | None = None
) -> Any:
    """The method runs its example twice with the same result, which is returned.

    `given` makes what `run` takes before the parameters, afresh for each run, so that randomness begins with the same
    seed. `like` compares two outputs that `==` can't compare.
    """
    card = find_method(name)
    first, again = (card.run(*given(), card.example) for _ in range(2))
    alike = like(first, again) if like is not None else first == again
    assert alike, f"methods/{name}: the same input gave two outputs; draw from the bits that are given, nothing else"
    return first


def check_metric(name: str, given: Callable[[], Any], kind: str = "tables") -> MetricValue:
    """The metric measures its example twice with the same result, in finite numbers; returns what it found."""
    card, where = find_metric(name, kind), f"metrics/{name}"
    found, again = (card.run(given(), card.example) for _ in range(2))
    assert isinstance(found, MetricValue), f"{where}: `run` must give a MetricValue"
    numbers = [found.value, *found.per_column.values(), *found.details.values()]
    plain = all(type(number) is float and math.isfinite(number) for number in numbers)
    assert plain, f"{where}: all numbers must be finite floats of Python"
    assert found == again, f"{where}: the same input gave {found} and {again}"
    assert json.loads(json.dumps(numbers)) == numbers, f"{where}: numbers must survive JSON"
    return found


def check_attack(name: str, given: Callable[[], Any], kind: str = "tables") -> Success:
    """The attack on a release runs its example twice with the same, possible rates; returns its success."""
    card, where = find_attack(name, kind), f"attacks/{name}"
    assert isinstance(card, ReleaseAttack), f"{where}: it is a {type(card).__name__}, not a ReleaseAttack"
    found, again = (card.run(given(), card.example) for _ in range(2))
    assert isinstance(found, Success), f"{where}: `run` must give a Success"
    assert found == again, f"{where}: the same input gave {found} and {again}"
    assert Success.model_validate_json(found.model_dump_json()) == found, f"{where}: its success must survive JSON"
    _check_rates(where, found)
    return found


def _check_rates(where: str, found: Success) -> None:
    _check_interval(where, found.low, found.rate, found.high)
    assert 0 <= found.baseline <= 1, f"{where}: the baseline {found.baseline} must be a share"
    rate = found.hits / found.targets if found.targets else 0.0
    assert math.isclose(found.rate, rate, abs_tol=1e-9), f"{where}: the rate must be the hits divided by the targets"


def _check_interval(where: str, low: float, rate: float, high: float) -> None:
    assert 0 <= low <= rate <= high <= 1, f"{where}: the rate {rate} must lie between {low} and {high}, within 0 and 1"


def check_statistics_attack(name: str) -> Contest:
    """The attack on statistics runs its example twice with the same result, names what it attacks; returns its contest.

    It invents its people, so it needs no data: all its randomness comes from the generator that it is given.
    """
    import numpy as np

    card, where = find_attack(name, StatisticsAttack.kind), f"attacks/{name}"
    assert isinstance(card, StatisticsAttack), f"{where}: it is a {type(card).__name__}, not a StatisticsAttack"
    found, again = (card.run(card.example, np.random.default_rng(1)) for _ in range(2))
    assert isinstance(found, Contest), f"{where}: `run` must give a Contest"
    assert found == again, f"{where}: the same seed gave two contests; draw from the generator that is given"
    assert Contest.model_validate_json(found.model_dump_json()) == found, f"{where}: its contest must survive JSON"
    names = [way.name for way in found.against]
    assert names, f"{where}: there is no way of answering that it was tried against"
    assert len(set(names)) == len(names), f"{where}: two ways of answering are both called one of {names}"
    for way in found.against:
        check_words(f"{where}: {way.name}", name=way.name, words=way.words)
        _check_rates(f"{where}: {way.name}", way.success)
    for point in () if found.curve is None else found.curve.points:
        _check_interval(f"{where}: noise {point.noise:g}", point.low, point.rate, point.high)
    return found
