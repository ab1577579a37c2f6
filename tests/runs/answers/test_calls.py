"""Questions in Python: what a call on a data frame is told, charged and refused.

Covers verbs/question, tacit/statistics.
"""

import unicodedata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.runs.answers.patients import COUNT, FRAME, PLENTY, plan_in

import tacit
from tacit import statistics
from tacit.errors import BadData, BadParameter, BudgetExceeded
from tacit.randomness.stream import RandomBits


@pytest.mark.slow
def test_seeded_answers_are_marked_though_no_group_was_chosen() -> None:
    """The choice of groups has noise too, which somebody knows."""
    budget = tacit.PrivacyBudget(epsilon=10, delta=1e-3, unit="row")
    asked = {"of": "age", "by": "sex", "bounds": (0, 100), "epsilon": 1, "keys": {"epsilon": 0.1, "delta": 1e-8}}
    answer = statistics.mean(FRAME, **asked, budget=budget, bits=RandomBits.from_seed(1))
    assert answer.keys == ()
    assert answer.seeded
    assert answer.release.seeded
    assert not statistics.mean(FRAME, **asked, budget=budget).release.seeded


@pytest.mark.slow
def test_a_column_of_another_type_is_not_charged() -> None:
    frame = FRAME.assign(age=pd.to_datetime("2020-01-01"))
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadData, match="'age' is of type"):
        statistics.mean(frame, of="age", bounds=(0, 1), epsilon=0.5, budget=budget)
    for level in (2, "high", None):
        with pytest.raises(BadParameter, match="level"):
            statistics.count(frame, epsilon=0.5, budget=budget, level=level)
    assert budget.spent["epsilon"] == 0


@pytest.mark.slow
def test_short_names_charge_one_budget() -> None:
    budget = tacit.PrivacyBudget(epsilon=1, unit="id", rows=2)
    means = statistics.mean(
        FRAME, of="age", by="sex", bounds=(0, 100), categories={"sex": ["f", "m"]}, epsilon=0.75, budget=budget
    )
    assert means.keys == ("f", "m")
    assert all(low <= value <= high for low, value, high in zip(means.lower, means.values, means.upper, strict=True))
    assert means.spent["epsilon"] == pytest.approx(0.75)
    with pytest.raises(BudgetExceeded):
        statistics.count(FRAME, epsilon=0.5, budget=budget)
    assert budget.left == {"epsilon": 0.25, "delta": 0.0}


@pytest.mark.slow
@pytest.mark.parametrize("cell", [10**40, "none", b"x", [1], {}, None, object(), 1j])
def test_no_cell_decides_whether_there_is_an_answer(cell: Any) -> None:
    """A column of objects is read cell by cell: neither a refusal nor an error tells of a row."""
    frame = pd.DataFrame({"id": ["a", "b", 3], "age": pd.Series([5, 9, cell], dtype=object), "odd": [cell, 1, "x"]})
    budget = tacit.PrivacyBudget(epsilon=3 * PLENTY, delta=1e-6, unit="id")
    found = statistics.count(frame, epsilon=PLENTY, budget=budget)
    assert found.values == [3]
    low = statistics.mean(frame, of="age", bounds=(0, 10), epsilon=PLENTY, budget=budget)
    assert low.lower[0] <= low.values[0] <= low.upper[0]
    keys = {"epsilon": 1.0, "delta": 1e-7}
    statistics.count(frame, by="odd", epsilon=1.0, keys=keys, budget=budget)
    statistics.count(frame, by="odd", epsilon=1.0, keys=keys, budget=tacit.PrivacyBudget(epsilon=2, delta=1e-6))


def test_the_price_of_an_answer_is_finite_where_people_are_replaced() -> None:
    """A pair of people who go and come fails with probability delta (1 + e**epsilon) / 2, more than was written."""
    budget = tacit.PrivacyBudget(epsilon=1, delta=1e-3, unit="id", rows=2, neighbours="replace")
    found = statistics.partition_selection(FRAME, of="sex", epsilon=0.5, delta=1e-5, budget=budget)
    assert found.answer.epsilon == pytest.approx(0.5)


@pytest.mark.slow
def test_a_list_is_no_category() -> None:
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match="a category of 'sex' is a list; write each by itself"):
        tacit.statistics.count(FRAME, by="sex", categories=[["f", "m"]], epsilon=1, budget=budget)
    assert budget.spent["epsilon"] == 0


def test_categories_are_read_as_cells_are() -> None:
    frame = pd.DataFrame({"truth": [True, True, False], "number": [1.0, 2.0, 2.0]})
    budget = tacit.PrivacyBudget(epsilon=2 * PLENTY)
    truth = statistics.count(frame, by="truth", categories=[True, False], epsilon=PLENTY, budget=budget)
    assert truth.values == [2, 1]
    number = statistics.count(frame, by="number", categories=[1.0, 2], epsilon=PLENTY, budget=budget)
    assert (number.keys, number.values) == (("1", "2"), [1, 2])


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"categories": ["f", None]}, "missing"),
        ({"categories": "f"}, "must be a list"),
        ({"categories": ["f", "f"]}, "must be different"),
        ({"bounds": {"age": 5}}, "two numbers"),
        ({"bits": 5}, "stream of random bits"),
    ],
)
def test_a_bad_call_says_what_to_write(wrong: dict[str, Any], says: str) -> None:
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match=says):
        statistics.count(FRAME, **{"by": "sex", "categories": ["f"], **wrong}, epsilon=0.1, budget=budget)
    assert budget.spent["epsilon"] == 0


def test_people_are_told_apart_as_the_dataset_says() -> None:
    dataset = tacit.read(FRAME, dict.fromkeys(FRAME, "insensitive"), unit="id")
    with pytest.raises(BadParameter, match="name the same `unit`"):
        statistics.count(dataset, epsilon=0.1, budget=tacit.PrivacyBudget(epsilon=1))
    with pytest.raises(BadParameter, match="no `unit` is named"):
        tacit.PrivacyBudget(epsilon=1, rows=2)


@pytest.mark.parametrize("given", [{}, {"budget": 1}, {"budget": None}], ids=["none", "a number", "None"])
def test_a_call_without_a_budget_says_what_to_pass(given: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match=r"give `budget=tacit\.PrivacyBudget\(epsilon=1\)`"):
        statistics.mean(FRAME, of="age", bounds=(0, 1), epsilon=1, **given)


@pytest.mark.parametrize(
    ("name", "given", "passed"),
    [("mean", {}, "pass `bounds=` in the call"), ("count", {"by": "sex"}, "pass `categories=` in the call")],
)
def test_what_a_call_does_not_declare_is_refused_with_what_to_pass(
    name: str, given: dict[str, Any], passed: str
) -> None:
    asked = {"of": "age", **given} if name == "mean" else given
    with pytest.raises(BadParameter, match=passed):
        getattr(statistics, name)(FRAME, epsilon=1, budget=tacit.PrivacyBudget(epsilon=1), **asked)


@pytest.mark.parametrize(
    ("name", "asked", "labels"),
    [
        (
            "histogram",
            {"of": ["sex", "age"], "bins": 2, "categories": {"sex": ["f", "m"]}},
            [["sex f, age 0 to 5", "sex f, age 5 to 10"], ["sex m, age 0 to 5", "sex m, age 5 to 10"]],
        ),
        ("ranges", {"of": "age", "bins": 4}, ["0 to 2.5", "2.5 to 5", "5 to 7.5", "7.5 to 10"]),
        ("quantiles", {"of": "age", "quantiles": [0.25, 0.5]}, ["quantile 0.25", "median"]),
        ("covariance", {"of": ["age", "rank"]}, [["age, age", "age, rank"], ["rank, age", "rank, rank"]]),
        ("linear_regression", {"of": ["age", "rank"]}, ["slope of age", "intercept"]),
        ("k_means", {"of": ["age", "rank"], "k": 1, "guess": 5}, [["centre 1, age", "centre 1, rank"]]),
        ("uniform_grid", {"of": ["age", "rank"], "side": 1}, ["age 0 to 10, rank 0 to 10"]),
        ("mean", {"of": "age"}, None),
    ],
)
def test_numbers_are_labelled(name: str, asked: dict[str, Any], labels: Any) -> None:
    frame = FRAME.assign(rank=range(len(FRAME)))
    book = tacit.PrivacyBudget(epsilon=10, delta=1e-6, unit="row")
    given = {"epsilon": 1, "bounds": {"age": (0, 10), "rank": (0, 10)}, **asked}
    assert getattr(statistics, name)(frame, budget=book, **given).answer.labels == labels


@pytest.mark.slow
def test_quantiles_without_an_interval_say_how_to_buy_one() -> None:
    book = tacit.PrivacyBudget(epsilon=10, unit="row")
    asked = {"of": "age", "bounds": (0, 60), "epsilon": 1, "budget": book}
    without, bought = statistics.quantiles(FRAME, **asked), statistics.quantiles(FRAME, **asked, interval_share=0.5)
    assert (without.lower, without.upper) == (None, None)
    assert "0 to 60" not in repr(without)
    assert "interval_share" in repr(without)
    assert bought.lower is not None
    assert "interval_share" not in repr(bought)


@pytest.mark.parametrize("which", ["minimum", "maximum"])
def test_an_extreme_is_called_by_what_was_asked(which: str) -> None:
    book = tacit.PrivacyBudget(epsilon=10, unit="row")
    found = statistics.extremes(FRAME, of="age", bounds=(0, 60), epsilon=1, which=which, budget=book)
    assert found.answer.question == f"{which.capitalize()} of age"


@pytest.mark.slow
def test_groups_that_nobody_passes_are_told() -> None:
    book = tacit.PrivacyBudget(epsilon=10, delta=1e-6, unit="id")
    keys = {"epsilon": 0.001, "delta": 1e-9}
    found = statistics.count(FRAME, by="sex", keys=keys, epsilon=1, budget=book)
    assert found.answer.keys == ()
    assert "No group had enough people" in repr(found)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda plan, one: tacit.ask(plan, budget=one), "a plan has its own budget"),
        (lambda plan, one: tacit.ask(FRAME), "no question about it was given"),
        (lambda plan, one: tacit.ask(FRAME, budget=one), "no question about it was given"),
        (lambda plan, one: tacit.ask(FRAME, [COUNT], budget=one), "`questions` is of type list"),
        (lambda plan, one: tacit.ask(FRAME, {"statistics/count": 0.5}, budget=one), "parameters are of type float"),
        (
            lambda plan, one: statistics.mean(FRAME, of=FRAME.age, epsilon=1, bounds=(0, 9), budget=one),
            "must be the name of a column",
        ),
        (
            lambda plan, one: statistics.count(FRAME, by=FRAME.sex, epsilon=1, categories=["f"], budget=one),
            "must be the name of a column",
        ),
    ],
)
def test_a_call_that_is_no_question_is_told_what_to_write(tmp_path: Path, call: Any, words: str) -> None:
    plan, one = plan_in(tmp_path, COUNT), tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match=words):
        call(plan, one)
    assert one.spent["epsilon"] == 0
    assert not (tmp_path / "patients.ledger").exists()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"bounds": (0, 100)}, '`bounds` belong to a column, but no `of` names one; name it, as in `of="age"`'),
        ({"of": "age", "bound": (0, 100)}, "bound: there is no such parameter; did you mean 'bounds'?"),
        ({"of": "age", "bounds": (0, 100), "epsilon": 1e-9}, "epsilon is too small"),
    ],
    ids=["no column", "a slip", "hardly any epsilon"],
)
def test_a_call_is_told_what_is_wrong_with_it(given: dict[str, Any], says: str) -> None:
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter) as refused:
        statistics.mean(FRAME, **{"epsilon": 1, **given}, budget=budget)
    assert says in str(refused.value)
    assert budget.left["epsilon"] == 1


@pytest.mark.parametrize("in_a_file", [False, True], ids=["frame", "file"])
@pytest.mark.parametrize("ask", [{"by": "ill"}, {"of": "ill"}], ids=["by", "of"])
def test_categories_that_no_truth_value_is_in_are_refused_before_the_charge(
    ask: dict[str, Any], in_a_file: bool, tmp_path: Path
) -> None:
    """The type of a column is public, so that is no news about a row."""
    frame, budget = pd.DataFrame({"ill": [True, False, True]}), tacit.PrivacyBudget(epsilon=PLENTY)
    frame.to_parquet(tmp_path / "ill.parquet")
    data = tmp_path / "ill.parquet" if in_a_file else frame
    statistic = statistics.count if "by" in ask else statistics.histogram
    with pytest.raises(BadParameter, match=r"or `categories=\[True, False\]` in a call"):
        statistic(data, **ask, categories=["True", "False"], epsilon=PLENTY, budget=budget)
    assert budget.left["epsilon"] == PLENTY
    assert statistic(data, **ask, categories=[True, False], epsilon=PLENTY, budget=budget).values == [2, 1]


def test_an_empty_category_is_refused() -> None:
    one = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match="missing cells are in no group"):
        statistics.count(FRAME, by="sex", epsilon=1, categories=["f", ""], budget=one)


def test_a_data_frame_without_columns_is_called_one() -> None:
    with pytest.raises(BadData, match=r"^the data frame has no columns; it needs at least one, with a name$"):
        tacit.statistics.count(pd.DataFrame(), epsilon=1, budget=tacit.PrivacyBudget(epsilon=1))


def test_a_column_whose_name_only_looks_alike_is_told_apart() -> None:
    composed, apart = (unicodedata.normalize(form, "Größe") for form in ("NFC", "NFD"))
    asked = {"of": composed, "bounds": (0, 2), "epsilon": 1, "budget": tacit.PrivacyBudget(epsilon=1)}
    with pytest.raises(BadData, match="looks alike but is composed of different characters: copy the name"):
        tacit.statistics.mean(pd.DataFrame({apart: [1, 2]}), **asked)
