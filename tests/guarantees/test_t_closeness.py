import math

import pytest
from tests.oracle.counted import classes_from
from tests.oracle.judge import earth_mover, tree_distances

from tacit.data.tables.classes import Classes, Frequencies
from tacit.data.tables.hierarchy import Hierarchy
from tacit.errors import BadData, BadParameter
from tacit.guarantees.t_closeness import TCloseness


def distance(counts, reference, kind, paths=None):
    classes = classes_from([counts], reference, ordered=True, paths=paths)
    return TCloseness(t=1, distance=kind, column="s").measure(classes)[0]


def test_w2_distances():
    p, q = [1, 6, 3], [2, 4, 4]
    assert distance(p, q, "variational") == pytest.approx(0.2, rel=1e-14)
    assert distance(p, q, "equal") == distance(p, q, "variational")
    assert distance(p, q, "kl") == pytest.approx(0.087660, abs=5e-7)
    assert distance(p, q, "kl") / math.log(2) == pytest.approx(0.126466, abs=5e-7)
    assert distance(p, q, "ordered") == pytest.approx(0.1, rel=1e-14)


def test_w3_order_tells_which_class_leaks_more():
    uniform = [1, 1, 1, 1]
    low, middle = [1, 1, 0, 0], [0, 1, 1, 0]
    assert distance(low, uniform, "variational") == distance(middle, uniform, "variational") == 0.5
    assert distance(low, uniform, "ordered") == pytest.approx(1 / 3, rel=1e-14)
    assert distance(middle, uniform, "ordered") == pytest.approx(1 / 6, rel=1e-14)


STOMACH = [
    ["gastric ulcer", "stomach", "digestive", "*"],
    ["gastritis", "stomach", "digestive", "*"],
    ["colitis", "colon", "digestive", "*"],
    ["flu", "respiratory", "respiratory infection", "*"],
]


def test_hierarchical_distance_by_hand():
    """Half the earth at gastric ulcer: a quarter must move to each of three others, up 1, 2 and 3 of 3 levels."""
    paths = {path[0]: path for path in STOMACH}
    assert distance([1, 0, 0, 0], [1, 1, 1, 1], "hierarchical", STOMACH) == pytest.approx(
        (1 / 4) * (1 / 3 + 2 / 3 + 3 / 3), rel=1e-14
    )
    apart = tree_distances(list(paths), paths)
    for p in ([2, 1, 1, 0], [0, 0, 1, 3], [4, 0, 0, 0]):
        by_program = earth_mover([c / 4 for c in p], [0.1, 0.2, 0.3, 0.4], apart)
        assert distance(p, [1, 2, 3, 4], "hierarchical", STOMACH) == pytest.approx(by_program, abs=1e-9)


@pytest.mark.parametrize("kind", ["equal", "ordered", "hierarchical"])
def test_equal_distributions_are_exactly_zero_apart(kind):
    """So that t = 0 can be kept."""
    counts = [3, 7, 11, 13]
    classes = classes_from([counts, [3 * c for c in counts]], [10**9 // 34 * c for c in counts], True, STOMACH)
    assert TCloseness(t=0, distance=kind).measure(classes).tolist() == [0, 0]


def test_kl_against_itself_is_never_negative():
    counts = [[3, 7, 11, 13], [1, 1, 1, 9]]
    assert TCloseness(t=1, distance="kl").measure(classes_from(counts[:1])).tolist() == [0]
    assert (TCloseness(t=1, distance="kl").measure(classes_from(counts)) >= 0).all()


def test_a_value_that_the_input_lacks():
    assert distance([1, 1], [2, 0], "kl") == math.inf
    assert distance([1, 1], [2, 0], "equal") == 0.5
    assert distance([1, 1], [2, 0], "ordered") == 0.5
    assert distance([1, 1, 0, 0], [2, 0, 0, 0], "hierarchical", STOMACH) == pytest.approx(1 / 6)


def test_one_value_is_no_distance():
    only = [["a", "*"]]
    assert [distance([3], [9], kind, only) for kind in ("equal", "kl", "ordered", "hierarchical")] == [0, 0, 0, 0]


def test_a_hierarchy_of_one_level_is_the_root():
    assert distance([3], [9], "hierarchical", [["a"]]) == 0


def test_cells_may_come_in_any_order_of_values():
    sorted_ = classes_from([[1, 2, 3, 0], [0, 4, 1, 1]], [5, 6, 7, 8], True, STOMACH)
    old = sorted_.sensitive["s"]
    turned = [2, 1, 0, 5, 4, 3]
    shuffled = Frequencies(
        old.values, old.class_, old.value[turned], old.count[turned], old.reference, True, old.hierarchy
    )
    for kind in ("equal", "kl", "ordered", "hierarchical"):
        guarantee = TCloseness(t=1, distance=kind)
        again = guarantee.measure(Classes(sorted_.rows, sorted_.sizes, {"s": shuffled}))
        assert again == pytest.approx(guarantee.measure(sorted_), rel=1e-14)


def test_a_missing_value_meets_the_others_at_the_root():
    hierarchy = Hierarchy.from_paths("s", STOMACH[:2])
    two = classes_from([[1, 0, 0]], [1, 1, 1]).sensitive["s"]
    frequencies = Frequencies(
        ("gastric ulcer", "gastritis", ""), two.class_, two.value, two.count, two.reference, hierarchy=hierarchy
    )
    classes = Classes(two.count, two.count, {"s": frequencies})
    # A third moves up one of three levels, a third all the way.
    assert TCloseness(t=1, distance="hierarchical").measure(classes) == pytest.approx([(1 / 3) * (1 / 3 + 1)])


def test_order_must_be_declared():
    with pytest.raises(BadParameter, match=r"needs an order of the values of column 's'.*order: \[low, middle, high\]"):
        TCloseness(t=0.2, distance="ordered").measure(classes_from([[1, 2]]))


def test_hierarchy_must_be_declared():
    with pytest.raises(BadParameter, match=r"needs a hierarchy of the values of column 's'.*hierarchy: file\.csv"):
        TCloseness(t=0.2, distance="hierarchical").measure(classes_from([[1, 2]]))


def test_hierarchy_must_know_the_values():
    old = classes_from([[1, 2]]).sensitive["s"]
    known = Frequencies(
        old.values, old.class_, old.value, old.count, old.reference, hierarchy=Hierarchy.from_paths("s", STOMACH)
    )
    with pytest.raises(BadData, match="no place in its hierarchy"):
        TCloseness(t=0.2, distance="hierarchical").measure(Classes(old.count[:1], old.count[:1], {"s": known}))
