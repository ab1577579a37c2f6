"""The share of a class that fails however it is split: never more than what fails in a split that exists.

Covers guarantees/guarantee, alpha_k_anonymity, l_diversity, t_closeness.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.counted import classes_from, merged

from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.t_closeness import TCloseness

PATHS = [["v0", "a", "*"], ["v1", "b", "*"], ["v2", "a", "*"], ["v3", "b", "*"]]

ENTRIES = [
    {"k-anonymity": {"k": 3}},
    {"l-diversity": {"l": 2, "kind": "distinct"}},
    {"l-diversity": {"l": 2.5, "kind": "entropy"}},
    {"l-diversity": {"l": 2, "kind": "recursive", "c": 1}},
    {"l-diversity": {"l": 2, "kind": "probabilistic"}},
    *({"t-closeness": {"t": 0.2, "distance": d}} for d in ("equal", "ordered", "hierarchical", "kl")),
    {"alpha-k-anonymity": {"alpha": 0.5, "k": 3}},
    {"beta-likeness": {"beta": 0.5}},
    {"delta-disclosure": {"delta": 0.7}},
]


@pytest.mark.parametrize("entry", ENTRIES, ids=str)
@given(counts=st.lists(st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(any), min_size=1, max_size=5))
@examples(60)
def test_no_split_keeps_more(entry, counts):
    guarantee = parse_table_guarantee(entry)
    parts = classes_from(counts, reference=[3, 4, 5, 6], ordered=True, paths=PATHS)
    failing = ~guarantee.satisfied(guarantee.measure(parts))
    share = parts.sizes[failing].sum() / parts.sizes.sum()
    whole = merged(parts, [0] * parts.number)
    unkeepable = guarantee.unkeepable(guarantee.measure(whole))
    assert unkeepable.shape == (1,)
    assert 0 <= unkeepable[0] <= share


@pytest.mark.parametrize(
    ("guarantee", "kept", "gone"),
    [
        (AlphaKAnonymity(alpha=0.5, k=2), [4, 4], [3, 0]),
        (LDiversity(l=2, kind="probabilistic"), [4, 4], [3, 0]),
        (LDiversity(l=2, kind="entropy"), [4, 4], [0, 0]),
        (TCloseness(t=0.25), [1, 3], [4, 0]),
    ],
)
def test_the_share_is_reached_by_the_best_split(guarantee, kept, gone):
    """A part that just keeps the promise and one that is as bad as can be; in the third case nothing need go.

    For t: everybody in the input has the second value, so the distance of a part is its share of the first.
    """
    reference = [0, 1] if isinstance(guarantee, TCloseness) else None
    whole = classes_from([np.add(kept, gone).tolist()], reference)
    expected = sum(gone) / (sum(kept) + sum(gone))
    assert guarantee.unkeepable(guarantee.measure(whole)) == pytest.approx([expected], abs=1e-11)
