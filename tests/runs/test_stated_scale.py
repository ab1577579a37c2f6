"""The ordered distance of t-closeness counts the whole order that a plan states, also the values that nobody has.

Covers data/tables/counting, verification/case, runs/tables/count.
"""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle.judge import earth_mover, ordered_distances
from tests.runs.planned import form_of, protected, write_plan

import tacit
from tacit.data.tables.classes import classes_of
from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.guarantees.guarantee import check
from tacit.guarantees.t_closeness import TCloseness
from tacit.verification.case import Case
from tacit.verification.verify import verify

SCALE = ("none", "low", "medium", "high", "extreme")
PAIN = [("north", "none")] * 4 + [("north", "low")] * 6 + [("south", "none")] * 4 + [("south", "extreme")] * 6
"""Each class has 0.6 where the input has 0.3, three steps of four away from the other 0.3: 0.3 · 3/4."""
TREE = {"tree": {"fine": ["none", "low"], "ill": ["extreme"]}}
EXACT = TCloseness(t=1, distance="ordered")


def counted(rows: list[tuple[str, str]]) -> tuple[pa.Table, TallyRequest]:
    table = pa.table({"place": [row[0] for row in rows], "pain": [row[1] for row in rows], "n": [1] * len(rows)})
    return table, TallyRequest(("place",), ("pain",), orders={"pain": SCALE})


@pytest.mark.slow
@pytest.mark.parametrize("hierarchy", [{}, {"hierarchy": TREE}], ids=["alone", "beside a hierarchy"])
def test_a_release_tells_the_distance_on_the_stated_scale(tmp_path: Path, hierarchy: dict[str, object]) -> None:
    """On the scale of the three values that occur it would be 0.15; a hierarchy need not know the others."""
    columns = {
        "place": {"role": "quasi-identifier"},
        "pain": {"role": "sensitive", "order": list(SCALE), **hierarchy},
    }
    rows = [{"place": place, "pain": pain} for place, pain in PAIN]
    kept = {"guarantees": [{"t-closeness": {"t": 0.23, "distance": "ordered"}}]}
    outcome = protected(write_plan(tmp_path, form_of(columns, kept), rows))
    assert outcome.release.promises[0].measured == pytest.approx(0.225, rel=1e-12)
    assert outcome.release.body.classes == 2
    pain = next(column for column in outcome.release.body.columns if column.name == "pain")
    assert (pain.distinct_before, pain.distinct_after) == (3, 3)
    broken = {"guarantees": [{"t-closeness": {"t": 0.2, "distance": "ordered"}}]}
    assert protected(write_plan(tmp_path, form_of(columns, broken), rows)).release.body.classes == 1


def test_without_an_order_words_have_no_scale() -> None:
    table, reading = counted(PAIN)
    classes = classes_of(tally_from(table, TallyRequest(reading.quasi_identifiers, reading.sensitive)))
    with pytest.raises(tacit.TacitError, match="needs an order"):
        EXACT.measure(classes)


@given(data=st.data())
@examples(40)
def test_both_definitions_find_the_cheapest_way_to_move_earth_on_the_scale(data: st.DataObject) -> None:
    """The oracle is a linear programme over all values of the scale, each |i − j|/(m − 1) from the others."""
    occurring = data.draw(st.lists(st.sampled_from(("", *SCALE)), min_size=1, max_size=4, unique=True))
    cells = st.tuples(st.sampled_from(("north", "south")), st.sampled_from(occurring))
    rows = data.draw(st.lists(cells, min_size=1, max_size=12))
    table, reading = counted(rows)
    tally = tally_from(table, reading)
    classes = classes_of(tally)
    scale = [*[""][: any(pain == "" for _, pain in rows)], *SCALE]
    whole = [sum(pain == value for _, pain in rows) / len(rows) for value in scale]
    expected = []
    for place in sorted({place for place, _ in rows}):
        here = [pain for there, pain in rows if there == place]
        share = [here.count(value) / len(here) for value in scale]
        expected.append(earth_mover(share, whole, ordered_distances(scale)))
    measured = EXACT.measure(classes)
    assert np.allclose(measured, expected, atol=1e-9)
    (opinion,) = verify(Case(table, reading, tally.sensitive), [EXACT], [check(EXACT, classes)])
    assert opinion.highest == pytest.approx(max(expected), abs=1e-9)


def test_the_second_definition_does_not_rest_on_the_scale_of_the_first() -> None:
    """Given a count that left the values out that nobody has, it finds them in the plan's order again."""
    table, reading = counted(PAIN)
    shrunk = tally_from(table, TallyRequest(("place",), ("pain",), orders={"pain": ("none", "low", "extreme")}))
    finding = check(EXACT, classes_of(shrunk))
    (opinion,) = verify(Case(table, reading, shrunk.sensitive), [EXACT], [finding])
    assert finding.measured == pytest.approx(0.15, rel=1e-12)
    assert opinion.highest == pytest.approx(0.225, rel=1e-12)
    assert not opinion.agrees(finding)
