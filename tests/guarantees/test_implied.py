"""What follows from a guarantee: always true where it is kept, monotone by class, and as strong as stated.

Covers guarantees/guarantee, guarantees/k_anonymity, l_diversity, guarantees/_limits.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.counted import classes_by, tally_of
from tests.oracle.scenes import ORDERED, QUASI, parameters, plain, scenes

from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.k_map import KMap
from tacit.guarantees.l_diversity import LDiversity


def distinct(least, column=None):
    return LDiversity(l=least, kind="distinct", column=column)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(guarantees()))
@given(data=st.data())
@examples(60)
def test_what_is_implied_holds_wherever_the_guarantee_does(name, data):
    scene = data.draw(scenes(population=name in ("k-map", "delta-presence")))
    guarantee = parse_table_guarantee({name: plain(data.draw(parameters(name)))})
    classes = classes_by(tally_of(scene, QUASI, ORDERED), scene.quasi)
    kept = guarantee.satisfied(guarantee.measure(classes))
    for weaker in guarantee.implied():
        assert weaker.monotone == "class"
        assert weaker.satisfied(weaker.measure(classes))[kept].all()


@pytest.mark.parametrize(
    ("guarantee", "expected"),
    [
        (KAnonymity(k=4), (KAnonymity(k=4),)),
        (KMap(k=4), (KMap(k=4),)),
        (distinct(3, "s"), (distinct(3, "s"),)),
        (LDiversity(l=2.5, kind="entropy", column="s"), (distinct(3, "s"),)),
        (LDiversity(l=3, kind="entropy"), (distinct(3),)),
        (LDiversity(l=3, kind="recursive", c=2), (distinct(3),)),
        (LDiversity(l=3.2, kind="probabilistic", column="s"), (distinct(4, "s"), KAnonymity(k=4))),
        (LDiversity(l=3, kind="probabilistic"), (distinct(3), KAnonymity(k=3))),
        (AlphaKAnonymity(alpha=0.3, k=5, column="s"), (KAnonymity(k=5), distinct(4, "s"))),
        (AlphaKAnonymity(alpha=1 / 3, k=5), (KAnonymity(k=5), distinct(3))),
        (AlphaKAnonymity(alpha=0.1, k=5), (KAnonymity(k=5), distinct(10))),
        (AlphaKAnonymity(alpha=1, k=5), (KAnonymity(k=5),)),
    ],
)
def test_as_strong_as_stated(guarantee, expected):
    assert guarantee.implied() == expected


def test_a_share_of_one_nth_implies_n_values():
    """1/n is rounded, and its inverse again; neither may cost a value or ask for one too many."""
    for least in range(2, 500):
        assert AlphaKAnonymity(alpha=1 / least, k=2).implied()[1] == distinct(least)


@pytest.mark.parametrize(
    "entry",
    [
        {"t-closeness": {"t": 0.2}},
        {"beta-likeness": {"beta": 1}},
        {"delta-disclosure": {"delta": 1}},
        {"delta-presence": {"maximum": 0.5}},
    ],
)
def test_nothing_follows_where_it_depends_on_the_input(entry):
    assert parse_table_guarantee(entry).implied() == ()
