"""What every method of differential privacy keeps when it is run, on the neighbours that it names for the auditor.

An answer spends what was said beforehand, in the scope that its parameters state, and says whether its noise came from
a seed. Whether that noise is enough can't be seen in one answer: `tacit audit` tries to refute it. A short audit is
part of the contract, with several rows of each person, since the example usually has one and noise for one row is the
likeliest mistake.
"""

import json
from typing import Any

from tacit.accounting.account import account
from tacit.accounting.scoping import scope_of
from tacit.auditing.audit import audit
from tacit.auditing.cards import subject_of_method
from tacit.cards.asked import AskedMethod
from tacit.cards.private import PrivateMethod
from tacit.cards.synthesis import SynthesisMethod
from tacit.catalogue import find_method
from tacit.noise.synthetic_rows import SyntheticRows
from tacit.randomness.stream import RandomBits

SEED = 3
LEVEL = 0.9
ROWS_OF_A_PERSON = 3
DRAWS = 500
"""Of each of two neighbours. An audit refutes a sound method with a probability of at most one in a million."""


def check_private_method(name: str) -> None:
    """The example answers about all its neighbours: twice alike from a seed, for what it said that it spends."""
    card, where = find_method(name), f"methods/{name}"
    assert isinstance(card, PrivateMethod), f"{where}: it is a {type(card).__name__}, not a PrivateMethod"
    _check_prices(where, card)
    if isinstance(card, AskedMethod):
        _check_asked(where, card)
    pairs = tuple(card.neighbours(card.example))
    assert pairs, f"{where}: `neighbours` names no pair of datasets, so nobody can audit it"
    for given in (side for pair in pairs for side in (pair.first, pair.second)):
        _check_answer(where, card, given)
    if isinstance(card, AskedMethod):
        _check_people(where, card)


def _check_prices(where: str, card: PrivateMethod[Any]) -> None:
    """What is spent stands in the parameters that the card names: with less of the first, no more is spent."""
    params, loss = card.example, card.dial(card.example).name
    for name, field in ((loss, "dial"), (card.delta, "delta")):
        known = name is None or name in card.params.model_fields
        assert known, f"{where}: `{field}` names {name!r}, which is not a parameter"
    less = params.model_copy(update={loss: getattr(params, loss) / 2})
    delta = card.promised_delta(params)
    told = account(card.spends(less), delta).epsilon <= account(card.spends(params), delta).epsilon
    assert told, f"{where}: with half of {loss} more is spent; `dial` names the parameter that says what is spent"


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
    assert spent, f"{where}: an answer spends something other than `spends` says, so it would be withheld"
    unseeded = card.run(given, params, RandomBits.from_os())
    marked = answer.seeded and not unseeded.seeded
    assert marked, f"{where}: an answer does not say whether its noise came from a seed; see `scoped` and `marked`"
    if isinstance(card, SynthesisMethod):
        _check_rows(where, card, answer)


def _check_people(where: str, card: AskedMethod[Any]) -> None:
    """The noise hides all rows of a person: a short audit does not refute that."""
    if "contributions" not in card.params.model_fields:
        return
    params = card.params.parse(where, {**card.example.model_dump(), "contributions": ROWS_OF_A_PERSON})
    found = audit(subject_of_method(card, params, where), DRAWS, RandomBits.from_seed(SEED))
    told = "\n".join(found.says())
    assert not found.refuted, f"{where}: with {ROWS_OF_A_PERSON} rows of each person it breaks its claim: {told}"


def _check_rows(where: str, card: SynthesisMethod[Any], made: Any) -> None:
    """Invented rows have the cells that the card speaks of."""
    assert isinstance(made, SyntheticRows), f"{where}: `run` must give SyntheticRows"
    sizes = tuple(card.sizes(card.example))
    assert tuple(made.sizes) == sizes, f"{where}: `sizes` says {sizes}, and the rows have {tuple(made.sizes)}"
    assert made.is_whole, f"{where}: codes or noisy counts are not those of the columns; see SyntheticRows"
