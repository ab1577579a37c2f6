"""One contract for all methods that generalise: every guarantee is kept, or refused with a reason before any work.

Tables are generated, with one row a person, with several, and beside a population. The judge shares no code with the
methods (`recoded.require_good`). Which combinations are refused is written here, so that none is refused unnoticed.

Covers methods/tables/*, request.
"""

from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.examples import draws
from tests.methods.tables.recoded import (
    GUARANTEES,
    POPULATION,
    Case,
    random_case,
    require_good,
    table_of,
    with_population,
)

from tacit.catalogue import find_method, methods
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.request import TableDecision, TableRequest

WAYS: dict[str, dict[str, dict[str, Any]]] = {
    "tables/cluster": {"": {}},
    "tables/lattice": {"": {}},
    "tables/local": {"nodes": {"sweeps": 1}, "sets": {"sweeps": 1, "labels": "sets"}},
    "tables/mondrian": {"nodes": {}, "sets": {"labels": "sets"}},
    "tables/specialize": {"": {}},
    "tables/suppress": {"": {"rounds": 2}},
}
ELSEWHERE = {
    "auto": "tries some of these, and has its own tests",
    "tables/freeform": "promises k-concealment alone, which has its own tests",
}
PRESENCE = ("presence", "presence from")
OVERLAPPING = ("tables/cluster", "tables/local", "tables/suppress")
"""Their labels overlap, so a person of the population may fit several classes, and delta-presence has no meaning."""
CASES = {
    **{(name, "one row"): entries for name, entries in GUARANTEES.items()},
    **{(name, "several rows"): entries for name, entries in GUARANTEES.items()},
    **{(name, "population"): entries for name, entries in POPULATION.items()},
}
TABLES, FEW = draws(3), draws(2)


def generated(what: tuple[str, str]) -> list[Case]:
    """Random tables of one kind, the same for every method."""
    name, kind = what
    generator = np.random.default_rng([len(kind), *name.encode()])
    cases = [random_case(generator, CASES[what], unit=kind == "several rows") for _ in range(TABLES)]
    return [with_population(generator, case) for case in cases] if kind == "population" else cases


def run(name: str, parameters: dict[str, Any], table: Table, request: TableRequest) -> TableDecision:
    """What the method answers."""
    method = find_method(name)
    answer: TableDecision = method.run(table, request, method.params(**parameters))
    return answer


def test_every_method_that_works_on_tables_is_here() -> None:
    cards = methods()
    assert {name for name in cards if cards[name].kind == "tables"} == set(WAYS) | set(ELSEWHERE)


@pytest.mark.slow
@pytest.mark.parametrize("what", CASES, ids="-".join)
@pytest.mark.parametrize(("name", "way"), [(name, way) for name, ways in WAYS.items() for way in ways])
def test_every_guarantee_is_kept_or_refused(name: str, way: str, what: tuple[str, str]) -> None:
    parameters = WAYS[name][way]
    refused = name in OVERLAPPING and what[0] in PRESENCE
    cases = generated(what)[: FEW if name == "tables/local" else TABLES]
    if refused:
        for case in cases:
            with pytest.raises(BadParameter, match="population"):
                run(name, parameters, table_of(case), case.request)
        return
    made = partial(run, name, parameters)
    answers = [require_good(case, made, full_domain=name == "tables/lattice") for case in cases]
    assert any(answer is not None for answer in answers)
