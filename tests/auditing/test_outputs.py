from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacit.auditing.features import Fineness, PointFeature
from tacit.auditing.output_sets import best_rule, tally
from tacit.auditing.outputs import ABSENT, OutputCodes, alike, rows_of, rows_of_array
from tacit.auditing.subject import shown


@dataclass(frozen=True)
class Answer:
    value: float
    event: str = "public"


@dataclass(frozen=True)
class Refusal:
    event: str = "public"


def test_outputs_of_all_kinds_become_rows_and_words() -> None:
    book = OutputCodes()
    outputs = [3, 2.5, "yes", None, (1, "a"), {"b": 2, "a": 1}, np.array([4, 5]), Answer(7.0), Refusal(), {2, 1}]
    rows = rows_of(outputs, book)
    assert [book.words(row) for row in rows] == [
        "3", "2.5", "'yes'", "None", "(1, 'a')", "('a', 1, 'b', 2)", "(4, 5)", "7", "Refusal", "(1, 2)"
    ]  # fmt: skip
    assert rows[0, 2] == ABSENT


def test_equal_outputs_have_equal_rows_and_others_do_not() -> None:
    book = OutputCodes()
    rows = rows_of([True, 1, "1", float("nan"), float("nan"), float("inf"), ()], book)
    distinct = {tuple(row) for row in rows}
    assert len(distinct) == 6


@given(st.floats(min_value=-1e6, max_value=1e6).filter(lambda value: abs(value) >= 1e-290))
def test_fineness_is_the_lowest_set_bit(value: float) -> None:
    power = float(Fineness(1, "it").of(rows_of_array(np.array([value])))[0])
    assert np.ldexp(value, -int(power)) == int(np.ldexp(value, -int(power)))
    assert int(np.ldexp(value, -int(power))) % 2 == 1


def test_points_match_whole_outputs_of_any_length() -> None:
    book = OutputCodes()
    points = PointFeature(rows_of([(1, 2), (1,)], book), np.array([0.7, -0.7]))
    assert points.of(rows_of([(1,), (1, 2), (1, 2, 3), (2,)], book)).tolist() == [-0.7, 0.7, 0, 0]
    assert points.of(rows_of([(1,)], book)).tolist() == [-0.7]
    assert points.says("at least", 0.5, book) == "the output is (1, 2)"
    assert points.says("at most", 0.5, book) == "the output is not (1, 2)"


def test_the_rule_finds_the_side_on_which_outputs_differ() -> None:
    here, there = np.arange(3000.0) % 10, np.arange(3000.0) % 8
    rule = best_rule(*alike(rows_of_array(here), rows_of_array(there)), 0.0)
    assert rule is not None
    counts = tally(rule, rows_of_array(here), rows_of_array(there))
    assert counts.first[0] == 600
    assert counts.second[0] == 0
    assert best_rule(rows_of_array(np.ones(90)), rows_of_array(np.ones(90)), 0.0) is None


def test_inputs_in_words() -> None:
    assert shown(("a", "b")) == "{a, b}"
    assert shown(()) == "{}"
    assert shown(np.array([0.5, 2.0])) == "(0.5, 2)"
    assert shown(3) == "3"
