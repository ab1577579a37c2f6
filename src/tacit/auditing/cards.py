"""A card of the catalogue as a subject: its own `run`, the event that it says it spends, the neighbours that it names.

Mechanisms that add independent noise to each number of a vector take many copies of a whole-number input at once (the
card's `copies`): a vector of n copies gets n independent draws of the noise that one copy would get. All others run one
by one.
"""

from typing import Any

import numpy as np

from tacit.accounting.events import Scoped
from tacit.arrays import FloatArray
from tacit.auditing.outputs import OutputCodes, rows_of_array
from tacit.auditing.subject import Draw, Subject, claim_of, one_by_one
from tacit.cards.mechanisms import Mechanism
from tacit.cards.method import Method
from tacit.cards.private import PrivateMethod
from tacit.catalogue import find_method
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.pair import Pair


def subject_of_card(name: str, changes: dict[str, Any] | None = None, delta: float | None = None) -> Subject:
    """The method of this name, with its example's parameters except for `changes`."""
    method = find_method(name)
    params = method.params.parse(name, {**method.example.model_dump(), **(changes or {})})
    return subject_of_method(method, params, name, delta)


def subject_of_method(method: Method[Any], params: Params, name: str, delta: float | None = None) -> Subject:
    """The method, to be run on its neighbours; the claim is what it says it spends."""
    if not isinstance(method, PrivateMethod):
        raise BadParameter(f"{name} does not claim differential privacy; there is nothing to audit")
    pairs = tuple(method.neighbours(params))
    judged_at = (method.promised_delta(params) or None) if delta is None else delta
    claim = claim_of(method.spends_on(pairs[0].first, params), judged_at)
    book, event = OutputCodes(), claim.event
    relation = event.neighbours if isinstance(event, Scoped) else None
    fixed = _for_copies(method, params, pairs)
    if fixed is not None:
        return Subject(name, pairs, claim, _batches(method, fixed), quick=True, book=book, neighbours=relation)
    run = one_by_one(lambda given, bits: method.run(given, params, bits), book)
    return Subject(name, pairs, claim, run, book=book, neighbours=relation)


def _for_copies(method: Method[Any], params: Params, pairs: tuple[Pair, ...]) -> Params | None:
    """The parameters for many copies at once, if the card has them and all inputs are whole."""
    if not isinstance(method, Mechanism) or method.copies is None:
        return None
    whole = all(np.asarray(side).dtype.kind == "i" for pair in pairs for side in (pair.first, pair.second))
    return method.copies(params) if whole else None


def _batches(method: Method[Any], fixed: Params) -> Draw:
    def draw(given: Any, size: int, bits: RandomBits) -> FloatArray:
        one = np.atleast_1d(np.asarray(given))
        values = method.run(np.tile(one, size), fixed, bits).values
        return rows_of_array(values.astype(np.float64).reshape(size, one.size))

    return draw
