"""The judge of the local methods' tests can fail: what no method may publish is found out.

Covers methods/tables/mondrian.
"""

from dataclasses import replace

import numpy as np
import pytest
from tests.methods.tables.recoded import GUARANTEES, Case, random_case, require_good

from tacit.data.tables.table import Table
from tacit.methods.tables.mondrian import METHOD, Mondrian
from tacit.request import TableDecision, TableRequest


def sound(table: Table, request: TableRequest) -> TableDecision:
    answer: TableDecision = METHOD.run(table, request, Mondrian())
    return answer


def unguarded(table: Table, request: TableRequest) -> TableDecision:
    """Promises nothing but pairs, whatever was asked."""
    return replace(sound(table, replace(request, guarantees=pairs().request.guarantees)))


def cheaper_than_it_is(table: Table, request: TableRequest) -> TableDecision:
    answer = sound(table, request)
    assert answer.cost is not None
    return replace(answer, cost=answer.cost - 0.01)


def pairs() -> Case:
    return random_case(np.random.default_rng(0), GUARANTEES["k"])


def judged(run, name: str) -> int:
    """How many of twenty tables are found wanting."""
    generator = np.random.default_rng(5)
    failed = 0
    for _ in range(20):
        case = random_case(generator, GUARANTEES[name])
        try:
            require_good(case, run)
        except AssertionError:
            failed += 1
    return failed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["k3", "distinct", "entropy", "t", "alpha", "beta", "delta"])
def test_a_method_that_keeps_less_than_it_promises_is_found_out(name: str) -> None:
    assert judged(sound, name) == 0
    assert judged(unguarded, name) > 0


@pytest.mark.slow
def test_a_wrong_cost_is_found_out() -> None:
    assert judged(cheaper_than_it_is, "k") > 0
