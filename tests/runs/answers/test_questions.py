"""Questions and their prices (runs/answers/question, protection): what a grouped question spends, by brute force.

A grouped question is a mechanism that runs one statistic for each group. Its claim is held against the composition that
one person can cause at worst, computed here from pure epsilons alone.

Covers answers/protection, answers/question, answers/ask, answers/budget, answers/kind, answers/process,
tacit/statistics, verbs/question.
"""

import json
import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacit
from tacit.accounting.account import account
from tacit.accounting.events import Approximate
from tacit.accounting.gaussian import gaussian_mu
from tacit.accounting.price import price
from tacit.accounting.scoping import scope_of
from tacit.cards.takes import Declaration
from tacit.catalogue import find_method, methods
from tacit.errors import BadData, BadParameter
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker, Draft, Question

COLUMNS = {
    "age": Declaration("age", (0.0, 100.0)),
    "sex": Declaration("sex", categories=("f", "m")),
    "town": Declaration("town", categories=("x", "y", "z")),
    "word": Declaration("word"),
    "all": Declaration("all", categories=("everybody",)),
    "pay": Declaration("pay", (0.0, 10.0)),
    "sick": Declaration("sick", (0.0, 1.0)),
}


def ask(who: Protection, name: str = "statistics/mean", **given: Any) -> Question:
    return Asker(COLUMNS, who).question(name, given)


def worst_rows(who: Protection) -> int:
    """How many rows, wherever they stand, one person can change, or one who goes and one who comes."""
    return who.rows * (2 if who.neighbours == "replace" else 1)


PROTECTIONS = st.builds(
    Protection,
    unit=st.sampled_from([None, "id"]),
    neighbours=st.sampled_from(["add-remove", "replace"]),
    rows=st.integers(1, 4),
    groups=st.none() | st.integers(1, 3),
)


@given(
    PROTECTIONS, st.sampled_from([("sex",), ("town",), ("sex", "town")]), st.fractions("1/10", 3, max_denominator=40)
)
def test_a_grouped_question_spends_what_it_says_whatever_one_person_does(
    who: Protection, by: tuple[str, ...], epsilon: Fraction
) -> None:
    question = ask(who, of="age", by=list(by), epsilon=float(epsilon))
    keys = list(product(*(COLUMNS[name].categories or () for name in by)))
    assert question.grouping is not None
    assert list(question.grouping.keys or ()) == keys
    each = Fraction(question.params.epsilon)
    worst = worst_rows(who) * each
    told = account(question.event).epsilon
    assert worst <= Fraction(float(epsilon)) * (1 + Fraction(1, 10**12))
    assert told == pytest.approx(float(worst), rel=1e-9)
    assert told <= float(epsilon) * (1 + 1e-12)
    assert question.params.neighbours == "add-remove"
    assert question.params.contributions == 1
    assert question.rows == who.rows


@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("name", ["statistics/covariance", "statistics/histogram"])
def test_gaussian_noise_of_groups_is_that_of_a_question_without_them(name: str, neighbours: Any) -> None:
    """A person has the rho of a question without groups, or more where wider noise is accounted more tightly.

    It can't have more than the analytic curve of continuous noise allows (Balle and Wang 2018).
    """
    who = Protection("id", neighbours, rows=4)
    grouped = ask(who, name, of="age", by="town", epsilon=1.0, delta=1e-6)
    alone = ask(Protection(), name, of="age", epsilon=1.0, delta=1e-6)
    rho = float(price(grouped.event).rho)
    assert float(price(alone.event).rho) * (1 - 3e-6) <= rho <= gaussian_mu(1.0, 1e-6) ** 2 / 2
    assert 1 - 1e-6 <= account([grouped.event], 1e-6).epsilon <= 1


GAUSSIAN: dict[str, dict[str, Any]] = {
    "one cell": {"name": "statistics/histogram", "of": "all"},
    "three cells": {"name": "statistics/histogram", "of": "town"},
    "a moment": {"name": "statistics/covariance", "of": "age"},
    "a line": {"name": "statistics/linear-regression", "of": ["age", "pay"]},
    "by rounds": {"name": "statistics/logistic-regression", "of": ["age", "sick"]},
    "by a minimum": {"name": "statistics/logistic-regression", "of": ["age", "sick"], "regularisation": 10.0},
}
ASKED = [(0.1, 1e-3), (1.0, 1e-6), (1.0, 1e-3), (8.0, 1e-6)]


@pytest.mark.slow
@pytest.mark.parametrize("by", [{}, {"by": "sex"}], ids=["plain", "grouped"])
@pytest.mark.parametrize(("epsilon", "delta"), ASKED)
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize("asked", GAUSSIAN.values(), ids=GAUSSIAN)
def test_what_a_delta_is_asked_for_is_charged_and_hardly_less(
    asked: dict[str, Any], neighbours: Any, epsilon: float, delta: float, by: dict[str, str]
) -> None:
    """The account of the event at the delta is the epsilon, whatever number of rows goes and comes.

    Noise without a delta is charged by its epsilon, of which an account at a delta above 0 finds a little less.
    """
    event = ask(Protection("id", neighbours, rows=3), epsilon=epsilon, delta=delta, **asked, **by).event
    cost = price(event)
    told = account(event, delta).epsilon if cost.epsilon is None else float(cost.epsilon)
    assert cost.delta == 0
    assert epsilon * (1 - 1e-5) <= told <= epsilon * (1 + 1e-12)


@pytest.mark.parametrize("rows", [2, 5])
def test_keys_know_themselves_what_replacing_somebody_changes(rows: int) -> None:
    """They are about people with any number of rows, and are charged what was asked."""
    who = Protection("id", "replace", rows=rows)
    question = ask(who, "statistics/partition-selection", of="word", epsilon=1.0, delta=1e-3, most=2)
    assert question.params.neighbours == "replace"
    assert question.params.touched == 4
    assert (price(question.event).epsilon, price(question.event).delta) == (1, Fraction(1, 1000))
    assert scope_of(question.event) == who.scope


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
@pytest.mark.parametrize("by", [(), (COLUMNS["town"],)], ids=["plain", "grouped"])
def test_an_answer_with_a_delta_of_its_own_is_charged_the_delta_that_was_asked_for(
    epsilon: float, by: tuple[Declaration, ...]
) -> None:
    """A group of two has (2 e, d (1 + e**e)) of (e, d) (Vadhan 2017)."""
    card = replace(find_method("statistics/histogram"), spends=lambda params: Approximate(params.epsilon, params.delta))
    draft = Draft("x", card, (COLUMNS["age"],), by, None, {"epsilon": epsilon, "delta": 1e-4}, {})
    asker = Asker(COLUMNS, Protection("id", "replace", rows=2))
    question = asker._grouped(draft) if by else asker._plain(draft)
    spent, answers = price(question.event), 2 if by else 1
    each = epsilon / (2 * answers)
    assert question.params.epsilon == pytest.approx(each, rel=1e-12)
    assert question.params.delta == pytest.approx(1e-4 / (answers * (1 + math.exp(each))), rel=1e-8)
    assert float(spent.epsilon or 0) == pytest.approx(epsilon, rel=1e-12)
    assert 1e-4 * (1 - 1e-8) <= float(spent.delta) <= 1e-4


def test_baskets_are_no_rows_so_their_groups_are_composed() -> None:
    """Of a person with three rows three towns may change, and up to three baskets of each."""
    who = Protection("id", rows=3)
    question = ask(who, "statistics/itemsets", of=["sex", "town"], by="town", epsilon=1.0, k=1)
    assert (question.params.contributions, question.rows) == (3, 1)
    assert question.params.epsilon == pytest.approx(1 / 3)
    assert account(question.event).epsilon == pytest.approx(1)


def test_an_event_with_a_delta_of_its_own_is_composed_too() -> None:
    """Nothing is known of how it grows with rows but that its delta does so exponentially."""
    card = replace(find_method("statistics/histogram"), spends=lambda params: Approximate(params.epsilon, params.delta))
    draft = Draft("x", card, (COLUMNS["age"],), (COLUMNS["town"],), None, {"epsilon": 1.0, "delta": 1e-6}, {})
    question = Asker(COLUMNS, Protection("id", rows=2))._grouped(draft)
    assert (question.params.contributions, question.rows) == (2, 1)
    spent = price(question.event)
    assert float(spent.epsilon or 0) == pytest.approx(1)
    assert float(spent.delta) == pytest.approx(1e-6)


@given(PROTECTIONS)
def test_a_plain_question_spends_its_epsilon(who: Protection) -> None:
    question = ask(who, of="age", epsilon=0.5)
    assert account(question.event).epsilon == pytest.approx(0.5)
    assert scope_of(question.event) == who.scope
    assert question.says == "Mean of age"


def test_groups_that_are_not_declared_must_be_paid_for() -> None:
    with pytest.raises(BadParameter, match=r"'word' declares no categories.*keys: \{epsilon"):
        ask(Protection(), of="age", by="word", epsilon=1)
    question = ask(Protection(), of="age", by="word", epsilon=1, keys={"epsilon": 0.5, "delta": 1e-6})
    spent = account(question.event, 1e-6)
    assert spent.epsilon == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"of": "word", "epsilon": 1}, r"'word' declares no bounds.*bounds: \[LOWER, UPPER\]"),
        ({"of": "nothing", "epsilon": 1}, "'nothing' is not a column"),
        ({"of": ["age", "age"], "epsilon": 1}, "different names"),
        ({"of": 7, "epsilon": 1}, "`of` must be the name of a column"),
        ({"of": "age"}, "epsilon"),
        ({"of": "age", "epsilon": 0}, "epsilon"),
        ({"of": "age", "epsilon": 1, "neighbours": "replace"}, "once for all questions"),
        ({"of": "age", "epsilon": 1, "keys": {"epsilon": 1, "delta": 0.1}}, "there is no `by`"),
        ({"of": "age", "by": "word", "epsilon": 1, "keys": 3}, "must be a price"),
        ({"of": "age", "by": ["word", "sex"], "epsilon": 1, "keys": {"epsilon": 1, "delta": 0.1}}, "several columns"),
        ({"of": "age", "epsilon": 1, "surely_unknown": 1}, "surely_unknown"),
    ],
)
def test_a_bad_question_says_what_to_write(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        Asker(COLUMNS, Protection()).question("statistics/mean", given)


def test_a_group_that_is_named_twice_is_refused() -> None:
    """It would be answered twice with other noise, for the price of one answer: by enough of them, without noise."""
    columns = {"sex": Declaration("sex", categories=("f",) * 1000)}
    with pytest.raises(BadParameter, match="must be different"):
        Asker(columns, Protection()).question("statistics/count", {"by": "sex", "epsilon": 1})
    with pytest.raises(BadParameter, match="at least one"):
        Asker({"sex": Declaration("sex", categories=())}, Protection()).question(
            "statistics/count", {"by": "sex", "epsilon": 1}
        )


def test_keys_are_chosen_for_the_same_neighbours() -> None:
    keys = {"epsilon": 0.5, "delta": 1e-6, "neighbours": "add-remove"}
    with pytest.raises(BadParameter, match="`neighbours` is stated once"):
        ask(Protection(neighbours="replace"), "statistics/count", by="word", epsilon=1, keys=keys)


@pytest.mark.parametrize("epsilon", [True, "1", float("nan"), -1, 10**400, [1]])
def test_the_price_of_groups_must_be_a_price(epsilon: Any) -> None:
    with pytest.raises(BadParameter, match="statistics/count: epsilon"):
        ask(Protection("id", rows=2), "statistics/count", by="sex", epsilon=epsilon)


@pytest.mark.parametrize("wrong", [{"rows": 0}, {"rows": True}, {"groups": 0}, {"groups": 1.5}, {"unit": 3}])
def test_who_is_protected_must_make_sense(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadParameter, match=next(iter(wrong))):
        Protection(**{"unit": "id", **wrong})


def test_only_statistics_answer_questions() -> None:
    with pytest.raises(BadParameter, match="is not a statistic"):
        ask(Protection(), "mechanisms/laplace", of="age", epsilon=1)


@pytest.mark.parametrize(
    ("name", "given", "says"),
    [
        ("statistics/mean", {"epsilon": 1}, r"^statistics/mean: `of` names 0 columns; it must name 1$"),
        ("count", {"epsilon": 1}, "did you mean 'statistics/count'"),
        ("statistics/men", {"epsilon": 1}, "did you mean 'statistics/me"),
        ("statistics/count", {"epsilom": 1}, "epsilom: there is no such key; did you mean 'epsilon'"),
        ("statistics/count", {"bye": "sex", "epsilon": 1}, "bye: there is no such key; did you mean 'by'?"),
        (
            "statistics/count",
            {"zzz": 1, "epsilon": 1},
            "zzz: there is no such key; the known ones are: of, by, keys, epsilon ",
        ),
        ("statistics/mean", {"of": "aeg"}, "statistics/mean: 'aeg' is not a column of the data; did you mean 'age'"),
        (
            "statistics/mean",
            {"of": "zzz"},
            "'zzz' is not a column of the data; it has 'age', 'sex', 'town', 'word', 'all'",
        ),
        ("statistics/count", {}, "epsilon: it is missing; write it"),
    ],
)
def test_a_wrong_question_is_named_with_what_to_write(name: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        Asker(COLUMNS, Protection(None, "add-remove", 1, None)).question(name, given)


@pytest.mark.parametrize("name", [name for name in methods() if name.startswith("statistics/")])
def test_what_is_told_to_be_known_may_be_written(name: str) -> None:
    """Each known name gets past the refusal of unknown ones and of what `privacy` states."""
    card = methods()[name]
    columns = {each: Declaration(each, (0, 1), ("true", "false")) for each in ("a", "b")}
    asker = Asker(columns, Protection(None, "add-remove", 1, None))
    of = list(columns)[: max(card.takes.least, 1)] if card.takes.most != 0 else []  # type: ignore[attr-defined]
    with pytest.raises(BadParameter) as wrong:
        asker.question(name, {"of": of, "zzz": 1})
    known = (
        next(line for line in str(wrong.value).split("\n") if "zzz" in line)
        .split("the known ones are: ")[1]
        .split(" (")[0]
    )
    assert {"epsilon", "rho"} & set(known.split(", "))
    for each in known.split(", "):
        refused = refusal(asker, name, {"of": of, each: object()})
        assert f"{each}: there is no such key" not in refused
        assert "stated once for all questions" not in refused


def refusal(asker: Asker, name: str, given: dict[str, Any]) -> str:
    """What is said against a question; nothing where it is taken."""
    try:
        asker.question(name, given)
    except BadParameter as wrong:
        return str(wrong)
    return ""


def test_names_that_only_a_call_takes_are_told_in_python_alone() -> None:
    frame, budget = pd.DataFrame({"sex": ["f", "m"]}), tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(BadParameter, match="levl: there is no such parameter; did you mean 'level'"):
        tacit.statistics.count(frame, levl=0.9, epsilon=0.1, budget=budget)
    with pytest.raises(
        BadParameter,
        match="zzz: there is no such parameter; the known ones are: of, by, keys, bounds, categories, level, epsilon",
    ):
        tacit.statistics.count(frame, zzz=1, epsilon=0.1, budget=budget)
    with pytest.raises(
        BadParameter, match=r"level: there is no such key; the known ones are: of, by, keys, epsilon \("
    ):
        Asker({}, Protection(None, "add-remove", 1, None)).question("statistics/count", {"level": 0.9, "epsilon": 1})


def test_the_price_of_groups_tells_what_may_be_written() -> None:
    asker = Asker({"a": Declaration("a")}, Protection(None, "add-remove", 1, None))
    keys = {"epsilon": 0.1, "delta": 1e-6, "zzz": 1}
    with pytest.raises(
        BadParameter, match="zzz: there is no such key; the known ones are: method, epsilon, delta"
    ) as wrong:
        asker.question("statistics/count", {"by": "a", "keys": keys, "epsilon": 1})
    assert "neighbours" not in str(wrong.value)


def test_a_declared_column_that_the_data_lacks_is_told_which_was_meant(tmp_path: Path) -> None:
    path, budget = tmp_path / "people.csv", tacit.PrivacyBudget(epsilon=1)
    path.write_text("age\n30\n40\n", encoding="utf-8")
    dataset = tacit.read(path, {"aeg": {"role": "sensitive", "bounds": [0, 100]}})
    with pytest.raises(BadData, match=r"has no column 'aeg', which questions are about; did you mean 'age'"):
        tacit.statistics.mean(dataset, of="aeg", epsilon=0.1, budget=budget)


def test_complaints_about_questions_name_the_plan(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age\n30\n", encoding="utf-8")
    asked = {"questions": [{"statistics/mean": {"of": "age", "zzz": 1}}], "privacy": {"budget": {"epsilon": 1}}}
    columns = {"age": {"role": "sensitive", "bounds": [0, 100]}}
    path = tmp_path / "my.yaml"
    path.write_text(json.dumps({"version": 1, "data": {"path": "people.csv"}, "columns": columns, **asked}))
    with pytest.raises(BadParameter) as wrong:
        tacit.ask(path)
    lines = str(wrong.value).split("\n")
    assert len(lines) == 2
    assert all(line.startswith(f"{path}: questions.0.statistics/mean: ") for line in lines)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            {"statistics/mean": {"of": "pay", "epsilon": 1}},
            "questions.1.statistics/mean: 'pay' is not a column of the plan; it has 'age'; to declare a column of the "
            "data, write `pay: {role: ...}` under `columns`",
        ),
        (
            {"statistics/keywords": {"of": "age", "k": 1, "most": 1, "epsilon": 1}},
            "questions.1.statistics/keywords: this question is about people; name the column that tells them apart as "
            "`unit`",
        ),
        ({"statistics/men": {"of": "age", "epsilon": 1}}, "questions.1: there is no statistic 'statistics/men'; "),
    ],
)
def test_a_complaint_says_which_question_of_the_plan_it_is_about(
    tmp_path: Path, question: dict[str, Any], says: str
) -> None:
    """A column that the data has and the plan lacks is not said to be missing from the data."""
    (tmp_path / "people.csv").write_text("age,pay\n30,9\n", encoding="utf-8")
    path = tmp_path / "my.yaml"
    plan = {
        "version": 1,
        "data": {"path": "people.csv"},
        "columns": {"age": {"role": "sensitive", "bounds": [0, 100], "categories": ["30", "40"]}},
        "privacy": {"budget": {"epsilon": 2}},
        "questions": [{"statistics/count": {"epsilon": 1}}, question],
    }
    path.write_text(json.dumps(plan), encoding="utf-8")
    with pytest.raises(BadParameter) as wrong:
        tacit.ask(path)
    assert str(wrong.value).startswith(f"{path}: {says}")
