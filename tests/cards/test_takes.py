"""What a plan declares is enough to ask every statistic, with what is left to the question."""

from typing import Any

import numpy as np
import pytest

from tacit.cards.statistics import Statistic
from tacit.cards.takes import (
    BasketAndItem,
    CategoryColumn,
    Declaration,
    NumberColumn,
    NumberColumns,
    PersonAndKey,
    ScoreColumns,
)
from tacit.catalogue import methods
from tacit.errors import BadParameter
from tacit.randomness.stream import RandomBits

STATISTICS = {name: card for name, card in methods().items() if isinstance(card, Statistic)}
DECLARED = {
    "age": Declaration("age", bounds=(0.0, 120.0)),
    "stay": Declaration("stay", bounds=(0.0, 60.0)),
    "small": Declaration("small", bounds=(0.0, 1.0)),
    "large": Declaration("large", bounds=(0.0, 1.0)),
    "sex": Declaration("sex", categories=("f", "m")),
    "word": Declaration("word", categories=("rain", "sun", "fog")),
    "ill": Declaration("ill"),
    "visit": Declaration("visit"),
}
ROWS = 60
CELLS: dict[str, Any] = {
    "age": np.linspace(1, 99, ROWS),
    "stay": np.linspace(0, 70, ROWS)[::-1],
    "small": np.arange(ROWS) % 2,
    "large": np.arange(ROWS) % 3 > 0,
    "sex": np.array(["f", "m"] * (ROWS // 2)),
    "word": np.array(["rain", "sun", "fog", "hail"] * (ROWS // 4)),
    "ill": np.arange(ROWS) % 2 > 0,
    "visit": np.arange(ROWS) // 3,
    "person": np.arange(ROWS) // 2,
}
OF = {
    "count": ["ill"],
    "mode": ["sex"],
    "histogram": ["age", "sex"],
    "logistic-regression": ["age", "stay", "ill"],
    "best-choice": ["small", "large"],
    "best-candidate": ["small", "large"],
    "keywords": ["word"],
    "partition-selection": ["word"],
    "itemsets": ["visit", "word"],
}
OF |= {name: ["age", "stay"] for name in ("covariance", "linear-regression", "k-means", "textbook-k-means")}
OF |= {name: ["age", "stay"] for name in ("uniform-grid", "adaptive-grid", "privtree")}
OWN: dict[str, dict[str, Any]] = {
    "clipping": {"bounds": [10, 50, 100]},
    "k-means": {"k": 2, "guess": 60},
    "textbook-k-means": {"k": 2},
    "histogram": {"bins": 4},
    "histogram-mean": {"bins": 4},
    "itemsets": {"k": 1},
    "keywords": {"k": 1, "most": 2},
    "partition-selection": {"delta": 1e-3},
    "ranges": {"bins": 8},
    "truncated-mean": {"least_rows": 10},
    "uniform-grid": {"guess": 60},
    "adaptive-grid": {"guess": 60},
}
"""What a question must say beside its epsilon."""


def asked(name: str, neighbours: Any, contributions: int) -> Any:
    """The parameters of a question of the plan."""
    card, short = STATISTICS[name], name.removeprefix("statistics/")
    columns = [DECLARED[column] for column in OF.get(short, ["age"])]
    filled = card.takes.parameters(columns, neighbours, contributions)
    own = {"epsilon": 1.0, **OWN.get(short, {})}
    assert not set(filled) & set(own)
    return card.params.parse(name, {**filled, **own})


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize(("neighbours", "contributions"), [("add-remove", 1), ("add-remove", 5), ("replace", 1)])
def test_every_question_can_be_asked_from_declarations(name: str, neighbours: str, contributions: int) -> None:
    card, short = STATISTICS[name], name.removeprefix("statistics/")
    params = asked(name, neighbours, contributions)
    assert params.neighbours == neighbours
    assert getattr(params, "contributions", contributions) == contributions
    names = card.takes.columns(OF.get(short, ["age"]), "person")
    answer = card.run(card.takes.given([CELLS[column] for column in names]), params, RandomBits.from_seed(1))
    assert answer.event == card.spends(params)
    if card.wanted is not None:
        assert set(card.wanted(names, params).columns) == set(names)


def test_declared_bounds_and_categories_become_parameters() -> None:
    mean = asked("statistics/mean", "replace", 1)
    assert (mean.lower, mean.upper) == (0, 120)
    axes = asked("statistics/histogram", "add-remove", 1).axes
    assert [axis.kind for axis in axes] == ["bins", "categories"]
    assert (axes[0].lower, axes[0].upper, axes[0].bins) == (0, 120, 4)
    assert axes[1].names == ("f", "m")
    model = asked("statistics/logistic-regression", "add-remove", 5)
    assert (model.lower, model.upper, model.contributions) == ((0, 0), (120, 60), 5)
    assert asked("statistics/best-choice", "add-remove", 1).candidates == ("small", "large")
    assert asked("statistics/keywords", "add-remove", 5).vocabulary == ("rain", "sun", "fog")


@pytest.mark.parametrize(
    ("takes", "columns", "what"),
    [
        (NumberColumn(), ["sex"], r"`sex: {bounds: \[LOWER, UPPER\]}`"),
        (CategoryColumn(), ["age"], r"`age: {categories: \[FIRST, SECOND, ...\]}`"),
        (NumberColumns(), ["age", "sex"], r"`sex: {bounds"),
        (BasketAndItem(), ["visit", "age"], r"`age: {categories"),
        (PersonAndKey(parameter="vocabulary"), ["ill"], r"`ill: {categories"),
        (ScoreColumns(), ["small", "age"], "different bounds"),
        (STATISTICS["statistics/histogram"].takes, ["ill"], r"`ill: {bounds or categories"),
    ],
)
def test_what_is_not_declared_is_refused_with_what_to_write(takes: Any, columns: list[str], what: str) -> None:
    with pytest.raises(BadParameter, match=what):
        takes.parameters([DECLARED[name] for name in columns])


def test_the_number_of_columns_is_refused_where_it_does_not_fit() -> None:
    for takes, columns, number in (
        (NumberColumn(), ["age", "stay"], "1"),
        (BasketAndItem(), ["word"], "2"),
        (NumberColumns(least=2, labelled=True), ["ill"], "2 to 200"),
        (ScoreColumns(), [], "at least 1"),
    ):
        with pytest.raises(BadParameter, match=f"it must name {number}"):
            takes.parameters([DECLARED[name] for name in columns])


def test_a_question_about_people_needs_the_column_that_names_them() -> None:
    assert PersonAndKey().columns(["word"], "person") == ("person", "word")
    with pytest.raises(BadParameter, match="`unit`"):
        PersonAndKey().columns(["word"])


def test_a_cell_that_is_no_number_makes_no_column_a_text() -> None:
    rows = NumberColumns().given([np.array([1.5, 2.0]), np.array([3, None], dtype=object)])
    assert rows.tolist() == [[1.5, 3], [2.0, None]]
    assert NumberColumns().given([np.array([1.5, 2.0]), np.array([True, False])]).tolist() == [[1.5, 1.0], [2.0, 0.0]]
