"""What every card keeps, and what methods, metrics and attacks keep when they are run."""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from tacit.cards.attack import Attack
from tacit.cards.card import Card
from tacit.cards.metric import MetricValue
from tacit.catalogue import attacks, find_attack, find_method, find_metric, methods, metrics
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


def _check_story(where: str, card: Attack[Any]) -> None:
    check_words(where, knowledge=card.knowledge)
    one = card.story.endswith(".") and ". " not in card.story
    assert one, f"{where}: `story` must be one sentence that ends with a full stop"


def check_method(
    name: str, given: Callable[[], tuple[Any, ...]], like: Callable[[Any, Any], bool] | None = None
) -> Any:
    """The method runs its example twice alike; gives what came out.

    `given` makes what `run` takes before the parameters, afresh for each run, so that randomness begins with the same
    seed. `like` compares two outputs that `==` can't compare.
    """
    card = find_method(name)
    first, again = (card.run(*given(), card.example) for _ in range(2))
    alike = like(first, again) if like is not None else first == again
    assert alike, f"methods/{name}: the same input gave two outputs; draw from the bits that are given, nothing else"
    return first


def check_metric(name: str, given: Callable[[], Any], kind: str = "tables") -> MetricValue:
    """The metric measures its example twice alike, in finite numbers; gives what it found."""
    card, where = find_metric(name, kind), f"metrics/{name}"
    found, again = (card.run(given(), card.example) for _ in range(2))
    assert isinstance(found, MetricValue), f"{where}: `run` must give a MetricValue"
    assert found == again, f"{where}: the same input gave {found} and {again}"
    numbers = [found.value, *found.per_column.values(), *found.details.values()]
    plain = all(type(number) is float and math.isfinite(number) for number in numbers)
    assert plain, f"{where}: all numbers must be finite floats of Python"
    assert json.loads(json.dumps(numbers)) == numbers, f"{where}: numbers must survive JSON"
    return found


def check_attack(name: str, given: Callable[[], Any], kind: str = "tables") -> Success:
    """The attack runs its example twice alike, with rates that can be; gives its success."""
    card, where = find_attack(name, kind), f"attacks/{name}"
    found, again = (card.run(given(), card.example) for _ in range(2))
    assert isinstance(found, Success), f"{where}: `run` must give a Success"
    assert found == again, f"{where}: the same input gave {found} and {again}"
    assert Success.model_validate_json(found.model_dump_json()) == found, f"{where}: its success must survive JSON"
    ordered = 0 <= found.low <= found.rate <= found.high <= 1
    assert ordered, f"{where}: the rate {found.rate} must lie between {found.low} and {found.high}, within 0 and 1"
    assert 0 <= found.baseline <= 1, f"{where}: the baseline {found.baseline} must be a share"
    rate = found.hits / found.targets if found.targets else 0.0
    assert math.isclose(found.rate, rate, abs_tol=1e-9), f"{where}: the rate must be the hits divided by the targets"
    return found
