"""A recoded table measured by what was decided, and by what is read: the same figures (`data/tables/view.py`)."""

import pytest
from hypothesis import assume, given
from tests.examples import examples
from tests.metrics.tables.worlds import World, publication, worlds

from tacit.catalogue import find_metric
from tacit.data.tables.cover import Cover
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.view import compare, view_of

SAME = ("loss", "precision", "distortion", "total-variation", "wasserstein", "query-error", "correlation", "regression")
SAME += ("suppression", "discernibility", "average-class-size", "risk", "singling-out")


def covered(cover: Cover, label: int) -> set[int]:
    return set(cover.leaf[cover.starts[label] : cover.starts[label + 1]].tolist())


@pytest.mark.slow
@examples(150)
@given(worlds(split=True))
def test_labels_that_are_read_measure_as_labels_that_were_decided(world: World) -> None:
    published = publication(world)
    table, released = published.table, published.released
    both = compare(
        view_of(table.tally, table.hierarchies),
        view_of(released, table.hierarchies, published.suppressed_rows),
        tuple(table.weights),
    )
    for c, labels in enumerate(released.values):
        # A text may name nodes of several levels, and then nobody who reads it can tell which is meant.
        shown = set(released.codes[c].tolist())
        assume(len(set(labels)) == len(labels))
        assume(all(covered(published.after.covers[c], j) == covered(both.after.covers[c], j) for j in shown))
    for name in SAME:
        card = find_metric(name)
        ours, theirs = card.run(published, card.example), card.run(both, card.example)
        assert theirs.value == pytest.approx(ours.value, abs=1e-9), name
        assert theirs.per_column == pytest.approx(ours.per_column, abs=1e-9), name


def test_values_that_the_hierarchy_lacks_are_leaves_behind_the_others_and_merge_at_the_root() -> None:
    hierarchy = Hierarchy.from_paths("a", [["1", "low", "*"], ["9", "high", "*"]]).with_leaves(["5", "1", "7"])
    assert hierarchy.leaves == ("1", "9", "5", "7")
    assert hierarchy.labels_at(1) == ["low", "high", "5", "7"]
    assert hierarchy.labels_at(2) == ["*"] * 4
    assert hierarchy.with_leaves(["9"]) is hierarchy
    assert Hierarchy.from_paths("a", [["1"]]).with_leaves(["2"]).labels_at(1) == ["*", "*"]
