"""Ages: bands nest, the open ends take all that is beyond them, what is no age is refused by its shape.

Covers hierarchies/ages.
"""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies import build_hierarchy, parse_spec
from tacit.data.tables.hierarchies.ages import OLDEST, read_age
from tacit.errors import BadData, BadParameter


def built(values, **form):
    return build_hierarchy("x", parse_spec("x", form), values, Path())


@st.composite
def specs(draw):
    widths = [draw(st.integers(1, 6))]
    while len(widths) < draw(st.integers(1, 4)):
        widths.append(widths[-1] * draw(st.integers(2, 3)))
    top = widths[0] * draw(st.integers(1, OLDEST // widths[0]))
    under = draw(st.none() | st.integers(1, 8).map(lambda n: n * widths[0]))
    # The widest band must leave something between the open ends.
    assume(top // widths[-1] * widths[-1] > -(-(under or 0) // widths[-1]) * widths[-1])
    return {"ages": widths, "top": top, **({} if under is None else {"under": under})}


def spelt(label):
    """The ages that a label names, by reading it as a person would."""
    if label.endswith("+"):
        return range(int(label[:-1]), OLDEST + 1)
    if label.startswith("under "):
        return range(int(label.removeprefix("under ")))
    first, *last = map(int, label.split(" to "))
    return range(first, (last or [first])[0] + 1)


@given(specs(), st.sets(st.integers(0, OLDEST), min_size=1))
def test_every_age_is_within_its_label_and_labels_do_not_overlap(form, ages):
    hierarchy = built([str(age) for age in ages], **form)
    assert hierarchy.height == len(form["ages"]) + 1
    for level in range(1, hierarchy.height):
        labels = hierarchy.labels_at(level)
        assert all(int(leaf) in spelt(label) for leaf, label in zip(hierarchy.leaves, labels, strict=True))
        covered = [age for label in hierarchy.labels[level] for age in spelt(label)]
        assert len(covered) == len(set(covered))


@given(specs(), st.integers(0, OLDEST))
def test_whoever_is_beyond_an_open_end_is_in_its_band(form, age):
    first = built([str(age)], **form).labels_at(1)[0]
    assert (first == f"{form['top']}+") == (age >= form["top"])
    assert (first == f"under {form.get('under')}") == (age < form.get("under", 0))


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("0", 0),
        ("34", 34),
        (" 34 ", 34),
        ("34.9", 34),
        ("3.4e1", 34),
        ("90+", 90),
        (">=90", 90),
        ("≥ 85", 85),
        ("0.5", 0),
    ],
)
def test_completed_years(text, age):
    assert read_age(text) == age


@pytest.mark.parametrize("text", ["", "-1", "old", "20-24", "1e400", "34 years", "+", "1e9"])
def test_what_is_no_age(text):
    assert read_age(text) is None


def test_the_default_top_is_ninety():
    assert built(["89", "90", "101"], ages=[5]).labels_at(1) == ["85 to 89", "90+", "90+"]


@pytest.mark.parametrize("value", ["-3", "151", "85+", "Smith"])
def test_strange_values_are_shown_by_their_shape(value):
    with pytest.raises(BadData, match="not read as an age up to 150") as error:
        built(["34", value], ages=[5])
    assert "Smith" not in str(error.value)


def test_an_open_end_of_the_data_needs_a_top_that_is_not_above_it():
    assert built(["34", "85+"], ages=[5, 10], top=85).labels_at(1) == ["30 to 34", "85+"]


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"ages": []}, "no width is given"),
        ({"ages": [5, 12]}, "width 12 must be a multiple of the width 5"),
        ({"ages": [5, 5]}, "width 5 must be a multiple of the width 5 before it, and larger"),
        ({"ages": [5], "top": 88}, "top 88 cuts a band of 5 years; write 90"),
        ({"ages": [5], "under": 18}, "under 18 cuts a band of 5 years; write 20"),
        ({"ages": [50], "top": 100, "under": 100}, "bands of 50 years leave no band"),
        ({"ages": [100], "top": 100, "under": 100}, "bands of 100 years leave no band"),
        ({"ages": [0]}, "ages"),
        ({"ages": [5], "top": 200}, "top"),
    ],
)
def test_what_would_not_nest_is_refused(form, message):
    with pytest.raises(BadParameter, match=message):
        parse_spec("x", form)
