"""A card of the catalogue as a subject: its own `run`, its own privacy event, inputs that differ by one unit.

Mechanisms that add independent noise to each number of a vector take many copies of a whole-number input at once: on a
fixed grid of at most 1 a vector of n copies gets n independent draws of the noise that one copy would get, since no
copy is rounded and the scale depends on the sensitivity alone. All others run one by one.
"""

from typing import Any

import numpy as np

from tacit.accounting.exact import exact
from tacit.arrays import FloatArray
from tacit.audit.neighbours import neighbours_of_card
from tacit.audit.outputs import Book, rows_of_array
from tacit.audit.subject import Draw, Pair, Subject, claim_of, one_by_one
from tacit.card import Method
from tacit.catalogue import find_method
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import proven
from tacit.params import Params
from tacit.randomness.stream import RandomBits

BATCHED = frozenset({"Laplace", "TruncatedLaplace", "FiniteLaplace", "Geometric", "Gaussian"})
"""Parameters of mechanisms whose noise on each number of a vector is independent and does not depend on how many."""


def subject_of_card(name: str, changes: dict[str, Any] | None = None, delta: float | None = None) -> Subject:
    """The method of this name, with its example's parameters but for `changes`."""
    method = find_method(name)
    params = method.params.parse(name, {**method.example.model_dump(), **(changes or {})})
    return subject_of_method(method, params, name, delta)


def subject_of_method(method: Method[Any], params: Params, name: str, delta: float | None = None) -> Subject:
    """The method, to be run on its neighbours; the claim is the event of its first answer."""
    if not any(kind.about == "answers" for name, kind in proven().items() if name in method.guarantees):
        raise BadParameter(f"{name} does not claim differential privacy; there is nothing to audit")
    pairs = neighbours_of_card(method, params)
    event = method.run(pairs[0].first, params, RandomBits.from_seed("the event of an answer")).event
    claim = claim_of(event, vars(params).get("delta") or None if delta is None else delta)
    book = Book()
    fixed = _on_a_grid(params)
    if _in_batches(fixed, pairs):
        return Subject(name, pairs, claim, _batches(method, fixed), quick=True, book=book)
    run = one_by_one(lambda given, bits: method.run(given, params, bits), book)
    return Subject(name, pairs, claim, run, book=book)


def _on_a_grid(params: Params) -> Params:
    """The parameters with the grid that one number would get."""
    if "grid" not in type(params).model_fields or vars(params)["grid"] is not None or "sensitivity" not in vars(params):
        return params
    from tacit.methods.mechanisms._grid import grid_for

    return params.model_copy(update={"grid": grid_for(None, exact(vars(params)["sensitivity"])).power})


def _in_batches(fixed: Params, pairs: tuple[Pair, ...]) -> bool:
    if type(fixed).__name__ not in BATCHED or vars(fixed).get("grid", 0) > 0:
        return False
    return all(np.asarray(side).dtype.kind == "i" for pair in pairs for side in (pair.first, pair.second))


def _batches(method: Method[Any], fixed: Params) -> Draw:
    def draw(given: Any, size: int, bits: RandomBits) -> FloatArray:
        one = np.atleast_1d(np.asarray(given))
        values = method.run(np.tile(one, size), fixed, bits).values
        return rows_of_array(values.astype(np.float64).reshape(size, one.size))

    return draw
