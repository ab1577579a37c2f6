from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from tests.metrics.tables.worlds import World, loss_example, one_row, publication, worlds

from tacit.data.tables.cover import Cover
from tacit.data.tables.published import publish
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census
from tacit.errors import BadData, BadParameter
from tacit.metrics.tables.loss import measure_loss
from tacit.params import Params


@pytest.mark.slow
@given(worlds())
def test_labels_stand_where_the_rows_say(world: World) -> None:
    published = publication(world)
    for c in range(len(world.columns)):
        labels, domain = published.recoding.labels[c], world.domain(c)
        cover, levels = published.after.covers[c], published.after.levels[c]
        cells = {cells[c].text: cells[c] for cells in world.published if cells is not None}
        for j, label in enumerate(labels):
            if label in cells:
                leaves = {domain[i] for i in cover.leaf[cover.starts[j] : cover.starts[j + 1]]}
                assert (leaves, levels[j]) == (cells[label].leaves, cells[label].level)
        assert (levels[-1], cover.sizes[-1]) == (world.height(c), len(domain))


@pytest.mark.slow
@given(worlds(persons=True, split=False))
def test_the_released_tally_has_one_combination_for_each_class(world: World) -> None:
    texts = [world.texts(i) for i in range(len(world.rows))]
    released = publication(world).released
    found = {}
    for i in range(released.combinations):
        key = tuple(released.values[c][released.codes[c, i]] for c in range(len(world.columns)))
        found[key] = (released.rows[i], released.people.counts()[i])
    assert found == {
        text: (texts.count(text), len({p for p, t in zip(world.persons or [], texts, strict=True) if t == text}))
        for text in texts
        if text is not None
    }


def test_labels_that_read_alike_are_one_class() -> None:
    world = one_row()
    published = publication(World(world.columns, world.paths, [("a0",), ("a1",)], [world.published[0]] * 2, (1.0,)))
    twice = replace(
        published.recoding,
        labels=(("a0", "a0"),),
        leaves=(np.array([1, 1]),),
        codes=np.array([[0, 1]], dtype=np.int32),
    )
    assert publish(published.table, twice).released.rows.tolist() == [2]


def test_combinations_of_the_population_alone_are_no_class() -> None:
    published = publication(loss_example())
    nobody = np.array([0, 1])
    tally = replace(published.table.tally, rows=nobody, people=Census(nobody))
    found = publish(replace(published.table, tally=tally), replace(published.recoding, rows=nobody))
    assert found.released.rows.tolist() == [1]


def test_a_recoding_of_other_columns_is_refused() -> None:
    published = publication(one_row())
    with pytest.raises(BadData, match="columns"):
        publish(published.table, replace(published.recoding, columns=("b",)))


def test_a_recoding_of_other_rows_is_refused() -> None:
    published = publication(one_row())
    with pytest.raises(BadData, match="every row"):
        publish(published.table, replace(published.recoding, rows=np.array([2])))


def test_a_table_without_weight_is_refused() -> None:
    published = publication(one_row())
    with pytest.raises(BadParameter, match="weight"):
        publish(replace(published.table, weights=np.zeros(1)), published.recoding)


def test_a_label_that_is_no_node_must_be_declared() -> None:
    published = publication(loss_example())
    labels = (tuple(label.upper() for label in published.recoding.labels[0]), published.recoding.labels[1])
    strange = publish(published.table, replace(published.recoding, labels=labels))
    with pytest.raises(BadData, match=r"'workclass': 2 published .* 'GOVERNMENT'; .* declare"):
        strange.after.covers  # noqa: B018
    assert measure_loss(strange, Params()).details["total"] == pytest.approx(0.749206, abs=5e-7), "needs no cover"


def test_covers_and_numbers_of_leaves_must_agree() -> None:
    published = publication(one_row())
    wrong = Cover.from_sets([[0, 1]] * len(published.recoding.labels[0]))
    with pytest.raises(BadData, match="differ"):
        publish(published.table, replace(published.recoding, covers=(wrong,))).after.levels  # noqa: B018


def test_weights_need_not_sum_to_one() -> None:
    published = publication(loss_example())
    scaled: Table = replace(published.table, weights=published.table.weights * 7)
    found = measure_loss(publish(scaled, published.recoding), Params()).value
    assert found == pytest.approx(measure_loss(published, Params()).value)
