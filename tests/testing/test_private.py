"""Twins of private methods that break what they say once they are run: each is caught, and the honest ones are not."""

import sys
from collections.abc import Callable
from dataclasses import replace
from secrets import randbits
from typing import Any

import numpy as np
import pytest

from tacit.accounting.events import Pure, in_scope
from tacit.accounting.scoping import unscoped
from tacit.cards.least_epsilon import Dial
from tacit.cards.private import PrivateMethod
from tacit.catalogue import find_method
from tacit.randomness.stream import RandomBits
from tacit.testing import InstalledPart, check, check_private_method, installed, private
from tacit.testing.private import DRAWS

COUNT: Any = find_method("statistics/count")
ROWS: Any = find_method("synthesize/independent")
Change = Callable[[Any], Any]


def answering(card: Any, change: Change) -> Any:
    """The card whose answers are changed."""
    return replace(card, run=lambda given, params, bits: change(card.run(given, params, bits)))


def own_noise(card: Any) -> Any:
    """The card, with more noise that no seed decides, so much that two answers are never alike."""
    return answering(card, lambda made: replace(made, values=made.values + randbits(40)))


def dearer(card: Any) -> Any:
    """The card, which answers for twice the epsilon that it says."""

    def run(given: Any, params: Any, bits: RandomBits) -> Any:
        return card.run(given, params.model_copy(update={"epsilon": 2 * params.epsilon}), bits)

    return replace(card, run=run)


def for_one_row(card: Any) -> Any:
    """The card, with the noise and the event that one row of each person needs."""

    def one(params: Any) -> Any:
        return params.model_copy(update={"contributions": 1})

    def run(given: Any, params: Any, bits: RandomBits) -> Any:
        made = card.run(given, one(params), bits)
        return replace(made, event=spends(params))

    def spends(params: Any) -> Any:
        return in_scope(unscoped(card.spends(one(params))), params.scope)

    return replace(card, run=run, spends=spends)


TWINS: dict[str, tuple[PrivateMethod[Any], str]] = {
    "honest count": (COUNT, ""),
    "honest rows": (ROWS, ""),
    "spends more": (dearer(COUNT), "spends something other than `spends` says"),
    "draws elsewhere": (own_noise(COUNT), "the same seed gave two answers"),
    "hides the seed": (answering(COUNT, lambda made: made.marked(False)), "whether its noise came from a seed"),
    "no scope": (
        replace(COUNT, spends=lambda params: unscoped(COUNT.spends(params))),
        "`spends` must say whom its event is about",
    ),
    "another scope": (
        answering(COUNT, lambda made: replace(made, event=unscoped(made.event))),
        "spends something other than `spends` says",
    ),
    "half asked": (replace(COUNT, wanted=None), "`wanted` and `answer` belong together"),
    "nobody beside": (replace(COUNT, neighbours=lambda params: ()), "names no pair of datasets"),
    "no rows": (
        replace(ROWS, run=lambda *given: ROWS.run(*given).noisy),
        "`run` must give SyntheticRows",
    ),
    "noise for one row": (for_one_row(COUNT), "with 3 rows of each person it breaks its claim"),
    "a dial of nothing": (
        replace(COUNT, dial=lambda params: Dial("volume")),
        "`dial` names 'volume', which is not a parameter",
    ),
    "a delta of nothing": (replace(COUNT, delta="failure"), "`delta` names 'failure', which is not a parameter"),
    "a dial that turns nothing": (
        replace(COUNT, spends=lambda params: in_scope(Pure(1 / params.epsilon), params.scope)),
        "with half of epsilon more is spent",
    ),
    "other sizes": (replace(ROWS, sizes=lambda params: [2, 9]), r"`sizes` says \(2, 9\), and the rows have \(2, 10\)"),
    "few counts": (
        answering(ROWS, lambda made: replace(made, noisy=replace(made.noisy, values=made.noisy.values[:-1]))),
        "codes or noisy counts are not those of the columns",
    ),
    "codes of others": (
        answering(ROWS, lambda made: replace(made, codes=made.codes + np.array([0, 11]))),
        "codes or noisy counts are not those of the columns",
    ),
}


@pytest.mark.parametrize("name", [name for name, (_, complaint) in TWINS.items() if not complaint])
def test_honest_methods_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    card = answering(TWINS[name][0], lambda made: asked.append(made) or made)
    monkeypatch.setattr(private, "find_method", lambda _: card)
    check_private_method(name)
    assert len(asked) > 3 * 2 * len(card.neighbours(card.example)) + 2 * DRAWS


@pytest.mark.parametrize("name", [name for name, (_, complaint) in TWINS.items() if complaint])
def test_a_method_that_breaks_its_word_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    card, complaint = TWINS[name]
    monkeypatch.setattr(private, "find_method", lambda _: card)
    with pytest.raises(AssertionError, match=f"^methods/{name}: .*{complaint}"):
        check_private_method(name)


def test_other_methods_are_none_of_these() -> None:
    with pytest.raises(AssertionError, match="it is a TableMethod, not a PrivateMethod"):
        check_private_method("tables/lattice")


@pytest.mark.parametrize(
    ("part", "run"),
    [
        (InstalledPart("methods", "statistics/count", "tacit"), "check_private_method"),
        (InstalledPart("methods", "mechanisms/geometric", "tacit"), "check_private_method"),
        (InstalledPart("methods", "synthesize/independent", "tacit"), "check_private_method"),
        (InstalledPart("attacks", "statistics/poll", "tacit"), "check_statistics_attack"),
    ],
    ids=str,
)
def test_a_check_of_what_is_installed_runs_them(part: InstalledPart, run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    assert part in installed("tacit")
    monkeypatch.setattr(sys.modules["tacit.testing.installed"], run, ran.append)
    check(part)
    assert ran == [part.name]
