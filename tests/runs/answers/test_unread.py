"""How cells that are no numbers or truth values count, and that every answer over such says so, whatever the rows are.

Covers runs/answers/unread.
"""

from typing import Any

import pandas as pd
import pytest

import tacit
from tacit.cards.takes import Declaration
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker
from tacit.runs.answers.unread import UNREAD, unread_cells

PLENTY = 10_000.0
"""An epsilon at which the mean of four rows between 30 and 200 is off by 0.1 with a probability below e**-20."""
ODD = pd.DataFrame({"weight": [None, "a text", "1,5", "nan"]})
GOOD = pd.DataFrame({"weight": ["70", "80", "90", "100"]})


@pytest.mark.parametrize(("bounds", "counts_as"), [((30, 200), 30), ((-9, -3), -3), ((-1, 1), 0)])
def test_cells_that_are_no_numbers_count_as_the_remark_says(bounds: tuple[float, float], counts_as: float) -> None:
    asked = {"of": "weight", "bounds": bounds, "epsilon": PLENTY, "budget": tacit.PrivacyBudget(epsilon=PLENTY)}
    answer = tacit.statistics.mean(ODD, **asked).release.body.answers[0]
    assert answer.values[0] == pytest.approx(counts_as, abs=0.2)
    assert f"counts as {counts_as} in weight." in answer.remarks[0]
    assert answer.remarks[1] == UNREAD


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("sum", {"of": "weight"}),
        ("variance", {"of": "weight"}),
        ("quantiles", {"of": "weight"}),
        ("extremes", {"of": "weight"}),
        ("histogram", {"of": "weight"}),
        ("covariance", {"of": ["weight", "height"]}),
        ("linear-regression", {"of": ["weight", "height"]}),
        ("logistic-regression", {"of": ["weight", "tall"], "regularisation": 10.0}),
    ],
)
def test_the_remark_depends_on_the_question_alone(name: str, asked: dict[str, Any]) -> None:
    said = []
    for frame in (ODD, GOOD):
        table = frame.assign(height="170", tall=True)
        answer = _asked(table, name, asked)
        said.append([remark for remark in answer.remarks if "counts as" in remark or remark == UNREAD])
    assert said[0] == said[1]
    assert len(said[0]) == 2
    assert ("; 0 in tall" in said[0][0]) == ("tall" in asked["of"])


def _asked(table: pd.DataFrame, name: str, asked: dict[str, Any]) -> Any:
    statistic = getattr(tacit.statistics, name.replace("-", "_"))
    given = {"bounds": dict.fromkeys(("weight", "height"), (30, 200)), **asked}
    (answer,) = statistic(table, epsilon=1.0, budget=tacit.PrivacyBudget(epsilon=1), **given).release.body.answers
    return answer


def test_without_bounds_a_cell_counts_as_nothing_else_than_0() -> None:
    asker = Asker({"weight": Declaration("weight")}, Protection(None, "add-remove", 1, None))
    question = asker.question("statistics/clipping", {"of": "weight", "bounds": [30, 60], "epsilon": 1})
    assert "counts as 0 in weight." in unread_cells(question)[0]


@pytest.mark.parametrize(
    ("cells", "true"),
    [(["ja", "nein", None, "2", ""], 0), (["TRUE", "t", "Yes", "y", "1"], 5), ([True, False, None, True, True], 3)],
)
def test_cells_count_as_true_or_false_as_the_remark_says(cells: list[Any], true: int) -> None:
    frame = pd.DataFrame({"smokes": cells})
    asked = {"of": "smokes", "epsilon": PLENTY, "budget": tacit.PrivacyBudget(epsilon=PLENTY)}
    answer = tacit.statistics.count(frame, **asked).release.body.answers[0]
    assert answer.values == [true]
    told = (
        "A cell that is true, t, yes, y or 1 (in capitals or not) counts as true in smokes, every other cell as false."
    )
    assert answer.remarks == (told,)


@pytest.mark.slow
def test_counts_and_categories_say_nothing_of_numbers() -> None:
    spent = {"epsilon": 1.0, "budget": tacit.PrivacyBudget(epsilon=9)}
    for answer in (
        tacit.statistics.count(GOOD, **spent),
        tacit.statistics.mode(GOOD, of="weight", categories=["70", "80"], **spent),
        tacit.statistics.histogram(GOOD, of="weight", categories=["70", "80"], **spent),
    ):
        assert answer.release.body.answers[0].remarks == ()
