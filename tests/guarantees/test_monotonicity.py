"""What merging classes can and can't spoil: each claim on random mergers, each limit of a claim by an example (W8).

Covers guarantees/guarantee, data/tables/classes.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.counted import classes_by, classes_from, merged, tally_of
from tests.oracle.judge import Scene
from tests.oracle.scenes import QUASI, SALARIES, rows

from tacit.data.tables.classes import Classes
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.guarantee import check

PATHS = [["v0", "a", "*"], ["v1", "b", "*"], ["v2", "a", "*"], ["v3", "b", "*"]]

BY_CLASS = [
    {"k-anonymity": {"k": 3}},
    {"k-map": {"k": 3}},
    {"k-concealment": {"k": 3}},
    {"l-diversity": {"l": 2, "kind": "distinct"}},
    {"alpha-k-anonymity": {"alpha": 1, "k": 3}},
]
BY_TABLE = [
    {"l-diversity": {"l": 2, "kind": "entropy"}},
    {"l-diversity": {"l": 2, "kind": "recursive", "c": 2}},
    {"l-diversity": {"l": 3, "kind": "recursive", "c": 2}},
    {"l-diversity": {"l": 2, "kind": "probabilistic"}},
    *({"t-closeness": {"t": 0.3, "distance": d}} for d in ("equal", "variational", "ordered", "hierarchical", "kl")),
    {"alpha-k-anonymity": {"alpha": 0.5, "k": 3}},
    {"beta-likeness": {"beta": 0.5, "kind": "basic"}},
    {"beta-likeness": {"beta": 2, "kind": "enhanced"}},
    {"delta-disclosure": {"delta": 0.7}},
    {"delta-presence": {"minimum": 0.3, "maximum": 0.6}},
    {"delta-presence": {"maximum": 0.6}},
]


BY_NEITHER = [{"m-invariance": {"m": 2}}]


def label(entry):
    ((name, values),) = entry.items()
    return " ".join([name, *(str(value) for value in values.values())])


def with_population(classes, extra):
    """The same classes, each fitting some more people of a population."""
    return Classes(classes.rows, classes.sizes, classes.sensitive, classes.sizes + np.array(extra))


@st.composite
def mergers(draw):
    """Some classes with a population, and the group that each is merged into; every value is somewhere."""
    row = st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any)
    counts = draw(st.lists(row, min_size=2, max_size=5))
    group = draw(st.lists(st.integers(0, len(counts) - 1), min_size=len(counts), max_size=len(counts)))
    numbered = sorted(set(group))
    extra = draw(st.lists(st.integers(0, 9), min_size=len(counts), max_size=len(counts)))
    reference = np.sum(counts, axis=0) + 1
    classes = classes_from(counts, reference=reference.tolist(), ordered=True, paths=PATHS)
    return with_population(classes, extra), [numbered.index(g) for g in group]


def test_every_guarantee_is_claimed_here():
    claimed = {parse_table_guarantee(entry).name for entry in BY_CLASS + BY_TABLE + BY_NEITHER}
    assert claimed == set(guarantees())
    assert all(parse_table_guarantee(entry).monotone == "class" for entry in BY_CLASS)
    assert all(parse_table_guarantee(entry).monotone == "table" for entry in BY_TABLE)
    assert all(parse_table_guarantee(entry).monotone == "no" for entry in BY_NEITHER)


@pytest.mark.parametrize("entry", BY_CLASS, ids=label)
@given(merger=mergers())
@examples(60)
def test_w8_merging_makes_no_class_worse(entry, merger):
    guarantee = parse_table_guarantee(entry)
    classes, group = merger
    before = guarantee.satisfied(guarantee.measure(classes))
    after = guarantee.satisfied(guarantee.measure(merged(classes, group)))
    assert all(after[g] for g, kept in zip(group, before, strict=True) if kept)


@pytest.mark.parametrize("entry", BY_TABLE, ids=label)
@given(merger=mergers())
@examples(60)
def test_w8_merging_makes_the_worst_class_no_worse(entry, merger):
    """More than the claim, which is about one bound: no merged class is worse than the worst of its own parts."""
    guarantee = parse_table_guarantee(entry)
    classes, group = merger
    before, after = (
        guarantee.margin(guarantee.measure(classes)),
        guarantee.margin(guarantee.measure(merged(classes, group))),
    )
    for g, margin in enumerate(after):
        worst_part = min(part for part, own in zip(before, group, strict=True) if own == g)
        assert margin >= worst_part - 1e-12 * max(1.0, abs(worst_part)) or margin == worst_part


# A class that keeps the promise, one that breaks it, such that both together break it.
SPOILT = {
    "l-diversity 2 entropy": ([3, 3, 0, 0], [60, 0, 0, 0]),
    "l-diversity 2 recursive 2": ([3, 3, 0, 0], [60, 0, 0, 0]),
    "l-diversity 3 recursive 2": ([3, 3, 3, 3], [60, 0, 0, 0]),
    "l-diversity 2 probabilistic": ([3, 3, 0, 0], [60, 0, 0, 0]),
    "t-closeness 0.3 equal": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "t-closeness 0.3 variational": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "t-closeness 0.3 ordered": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "t-closeness 0.3 hierarchical": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "t-closeness 0.3 kl": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "alpha-k-anonymity 0.5 3": ([3, 3, 0, 0], [60, 0, 0, 0]),
    "beta-likeness 0.5 basic": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "beta-likeness 2 enhanced": ([5, 5, 5, 5], [60, 0, 0, 0]),
    "delta-disclosure 0.7": ([5, 5, 5, 5], [60, 1, 1, 1]),
    "delta-presence 0.3 0.6": ([5, 5, 0, 0], [60, 0, 0, 0]),
    "delta-presence 0.6": ([5, 5, 0, 0], [60, 0, 0, 0]),
}


@pytest.mark.parametrize("entry", BY_TABLE, ids=label)
def test_w8_a_claim_by_table_is_no_claim_by_class(entry):
    guarantee = parse_table_guarantee(entry)
    good, bad = SPOILT[label(entry)]
    # The input is uniform (it need not be what is left of it); the population holds 10 more for the good class only.
    classes = with_population(classes_from([good, bad], reference=[100] * 4, ordered=True, paths=PATHS), [sum(good), 0])
    assert guarantee.satisfied(guarantee.measure(classes)).tolist() == [True, False]
    assert guarantee.satisfied(guarantee.measure(merged(classes, [0, 0]))).tolist() == [False]


def crossing():
    """Two people with a row in each of two classes; in each class one of them has flu."""
    seen = [
        {"zip": "1", "sex": "f", "disease": "flu", "person": "p"},
        {"zip": "1", "sex": "f", "disease": "cold", "person": "q"},
        {"zip": "2", "sex": "f", "disease": "cold", "person": "p"},
        {"zip": "2", "sex": "f", "disease": "flu", "person": "q"},
    ]
    scene = Scene(seen, ("zip",), seen, unit="person", domains={"disease": ["flu", "cold"]})
    return tally_of(scene, QUASI, {"disease": False})


def test_people_in_several_classes_take_claims_by_table_away():
    """Apart, half of each class has flu; together, everybody has."""
    tally = crossing()
    promise = parse_table_guarantee({"l-diversity": {"l": 2, "kind": "probabilistic"}})
    assert check(promise, classes_by(tally, ("zip",))).holds
    assert not check(promise, classes_by(tally, ())).holds
    assert promise.monotone == "table"


@given(everyone=rows(unit=True))
@examples(60)
def test_claims_by_class_survive_people_in_several_classes(everyone):
    domains = {"disease": sorted({row["disease"] for row in everyone})}
    tally = tally_of(Scene(everyone, QUASI, everyone, unit="person", domains=domains), QUASI, {"disease": False})
    fine, coarse = classes_by(tally, QUASI), classes_by(tally, ("zip",))
    zips = sorted({row["zip"] for row in everyone})
    keys = sorted({(row["zip"], row["sex"]) for row in everyone})
    for entry in ({"k-anonymity": {"k": 2}}, {"l-diversity": {"l": 2, "kind": "distinct"}}):
        guarantee = parse_table_guarantee(entry)
        assert guarantee.monotone == "class"
        before, after = guarantee.measure(fine), guarantee.measure(coarse)
        assert all(after[zips.index(key[0])] >= measured for key, measured in zip(keys, before, strict=True))


@pytest.mark.slow
@given(everyone=rows(unit=True))
@examples(60)
def test_claims_by_table_survive_several_values_of_people_in_one_class(everyone):
    settled = [{**row, "zip": str("pqrst".index(row["person"]) % 3), "sex": "f"} for row in everyone]
    domains = {"disease": sorted({row["disease"] for row in everyone}), "salary": SALARIES}
    scene = Scene(settled, QUASI, settled, unit="person", domains=domains)
    tally = tally_of(scene, QUASI, {"disease": False, "salary": True})
    fine, coarse = classes_by(tally, ("zip",)), classes_by(tally, ())
    for entry in BY_TABLE:
        ((name, values),) = entry.items()
        if name != "delta-presence" and values.get("distance") != "hierarchical":
            guarantee = parse_table_guarantee({name: {**values, "column": "salary"}})
            assert guarantee.monotone == "table"
            worst = guarantee.margin(guarantee.measure(fine)).min()
            assert guarantee.margin(guarantee.measure(coarse))[0] >= worst - 1e-12 * max(1.0, abs(worst)) or np.isinf(
                worst
            )


def test_w8_suppression_moves_a_distribution_that_is_not_the_inputs():
    """Against what is left, suppressing a class can push another away; against the input it can't."""
    promise = parse_table_guarantee({"t-closeness": {"t": 0.2}})
    whole = classes_from([[5, 5], [9, 1], [1, 9]])
    left = [[5, 5], [9, 1]]
    assert promise.measure(whole)[0] == 0
    assert promise.measure(classes_from(left))[0] == pytest.approx(0.2, abs=1e-15)
    assert promise.measure(classes_from(left, reference=[15, 15]))[0] == 0
