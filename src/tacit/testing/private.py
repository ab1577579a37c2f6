"""What every method of differential privacy keeps when it is run, on the neighbours that it names for the auditor.

An answer spends what was said beforehand, in the scope that its parameters state, and says whether its noise came from
a seed. Whether that noise is enough can't be seen in one answer: `tacit audit` tries to refute it.
"""

import json
from typing import Any

from tacit.accounting.scoping import scope_of
from tacit.cards.asked import AskedMethod
from tacit.cards.private import PrivateMethod
from tacit.cards.synthesis import SynthesisMethod
from tacit.catalogue import find_method
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.randomness.stream import RandomBits

SEED = 3
LEVEL = 0.9


def check_private_method(name: str) -> None:
    """The example answers about all its neighbours: twice alike from a seed, for what it said that it spends."""
    card, where = find_method(name), f"methods/{name}"
    assert isinstance(card, PrivateMethod), f"{where}: it is a {type(card).__name__}, not a PrivateMethod"
    if isinstance(card, AskedMethod):
        _check_asked(where, card)
    pairs = tuple(card.neighbours(card.example))
    assert pairs, f"{where}: `neighbours` names no pair of datasets, so nobody can audit it"
    for given in (side for pair in pairs for side in (pair.first, pair.second)):
        _check_answer(where, card, given)


def _check_asked(where: str, card: AskedMethod[Any]) -> None:
    """An engine is asked in both steps or in none, and what is spent says whom it is about."""
    both = (card.wanted is None) == (card.answer is None)
    assert both, f"{where}: `wanted` and `answer` belong together; give both or none"
    scope, params = scope_of(card.spends(card.example)), card.example
    stated = scope is not None and scope.neighbours == getattr(params, "neighbours", scope.neighbours)
    assert stated, f"{where}: `spends` must say whom its event is about; give it the scope with `in_scope`"


def _check_answer(where: str, card: PrivateMethod[Any], given: Any) -> None:
    """One answer about these data, and its twin."""
    params = card.example
    answer, again = (card.run(given, params, RandomBits.from_seed(SEED)) for _ in range(2))
    told = answer.published(LEVEL)
    assert json.loads(json.dumps(told, allow_nan=False)) == told, f"{where}: what it publishes must survive JSON"
    assert told == again.published(LEVEL), f"{where}: the same seed gave two answers; draw from `bits`, nothing else"
    spent = answer.event == card.spends_on(given, params)
    assert spent, f"{where}: an answer spends something else than `spends` says, so it would be withheld"
    unseeded = card.run(given, params, RandomBits.from_os())
    marked = answer.seeded and not unseeded.seeded
    assert marked, f"{where}: an answer does not say whether its noise came from a seed; see `scoped` and `marked`"
    if isinstance(card, SynthesisMethod):
        _check_rows(where, card, answer)


def _check_rows(where: str, card: SynthesisMethod[Any], made: Any) -> None:
    """Invented rows have the cells that the card speaks of."""
    assert isinstance(made, SyntheticRows), f"{where}: `run` must give SyntheticRows"
    sizes = tuple(card.sizes(card.example))
    assert tuple(made.sizes) == sizes, f"{where}: `sizes` says {sizes}, and the rows have {tuple(made.sizes)}"
    assert made.is_whole, f"{where}: codes or noisy counts are not those of the columns; see SyntheticRows"
