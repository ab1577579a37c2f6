"""Every guarantee against the second implementation, on random small tables.

Covers guarantees/guarantee, guarantees/_bounds, guarantees/_distances, guarantees/_population, guarantees/_sensitive.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle import judge
from tests.oracle.counted import classes_by, classes_from, tally_of
from tests.oracle.scenes import ORDERED, QUASI, parameters, plain, scenes

from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.guarantee import check

NAMES = sorted(guarantees())
NEED_POPULATION = {"k-map", "delta-presence"}
BY_LINEAR_PROGRAM = {"ordered", "hierarchical"}


def recognised(params, measured, largest):
    """The judge's numbers; those of its linear programs, right to 1e-9, as the fractions that they are.

    `largest` bounds the denominators: counts of the class, times counts of the input, times 3 steps or levels. Two such
    fractions are at least 1/largest² apart, more than the error.
    """
    assert largest**-2 > 2e-9
    if params.get("distance") in BY_LINEAR_PROGRAM:
        return [Fraction(m).limit_denominator(largest) for m in measured]
    return measured


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@examples(120)
def test_agrees_with_the_judge(name, data):
    scene = data.draw(scenes(population=name in NEED_POPULATION))
    params = data.draw(parameters(name))
    classes = classes_by(tally_of(scene, QUASI, ORDERED), scene.quasi)
    guarantee = parse_table_guarantee({name: plain(params)})
    expected = recognised(params, judge.measure(name, params, scene), 12 * 12 * 3)
    measured = guarantee.measure(classes)
    assert measured.shape == (classes.number,)
    np.testing.assert_allclose(measured, [float(m) for m in expected], rtol=1e-12, atol=1e-14)
    keeps = [judge.keeps(name, params, m) for m in expected]
    assert guarantee.satisfied(measured).tolist() == keeps
    finding = check(guarantee, classes)
    assert finding.holds == all(keeps)
    assert finding.failing == keeps.count(False)
    failing = [row for rows, kept in zip(scene.classes(), keeps, strict=True) if not kept for row in rows]
    assert finding.failing_people == scene.people(failing)


CHAIN = [[f"v{v}", "even" if v % 2 == 0 else "odd", "*"] for v in range(4)]

EXACT = {
    "l": [("l-diversity", {"kind": "entropy"}), ("l-diversity", {"kind": "probabilistic"})],
    "c": [("l-diversity", {"kind": "recursive", "l": 2})],
    "alpha": [("alpha-k-anonymity", {"k": 2})],
    "beta": [("beta-likeness", {"kind": "basic"})],
    "delta": [("delta-disclosure", {})],
    "t": [("t-closeness", {"distance": d}) for d in ("equal", "ordered", "hierarchical", "kl")],
}
CASES = [(field, name, rest) for field, cases in EXACT.items() for name, rest in cases]


@pytest.mark.slow
@pytest.mark.parametrize(("field", "name", "rest"), CASES, ids=lambda part: str(part))
@given(counts=st.lists(st.lists(st.integers(1, 6), min_size=4, max_size=4), min_size=2, max_size=3))
@examples(60)
def test_bound_equal_to_the_measure_is_kept_unless_strict(field, name, rest, counts):
    """The last digit of a division decides nothing: a bound that equals the exact measure counts as equal."""
    rows = [{"q": str(i), "s": f"v{v}"} for i, row in enumerate(counts) for v, n in enumerate(row) for _ in range(n)]
    domain = [path[0] for path in CHAIN]
    scene = judge.Scene(rows, ("q",), rows, domains={"s": domain}, paths={"s": {path[0]: path for path in CHAIN}})
    params = {**rest, field: 2, "column": "s"}
    exact = recognised(params, judge.measure(name, params, scene), 24 * 72 * 3)[0]
    assume(exact > (1 if field == "l" else 0))
    classes = classes_from(counts, ordered=True, paths=CHAIN)

    def kept(bound: float) -> bool:
        guarantee = parse_table_guarantee({name: {**params, field: bound}})
        return bool(guarantee.satisfied(guarantee.measure(classes))[0])

    safer, bolder = (1 - 1e-9, 1 + 1e-9) if field == "l" else (1 + 1e-9, 1 - 1e-9)
    assert kept(float(exact)) is (field not in ("c", "delta"))
    assert kept(float(exact) * safer) or float(exact) * safer > 1 >= exact
    assert not kept(float(exact) * bolder)
