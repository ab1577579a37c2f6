"""Statistics that an installed package brings, with parameters that are called as no other's: they are asked as ours.

Covers cards/takes, cards/statistics, runs/answers/unread, runs/answers/kept_keys, runs/answers/process.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.plugin.brought import install

import tacit
from tacit.errors import TacitError
from tacit.testing import check_card

FLOORED = '''
"""A sum with parameters of its own names: it hands them on to ours."""
from tacit.cards.statistics import Statistic
from tacit.cards.takes import NumberColumn, Takes
from tacit.methods.statistics import sum as ours
from tacit.noise.statistic_params import Lower, StatisticParams, Upper


class Floored(StatisticParams):
    floor: Lower
    ceiling: Upper

    @property
    def asked(self):
        return ours.Sum(
            epsilon=self.epsilon, neighbours=self.neighbours, contributions=self.contributions,
            lower=self.floor, upper=self.ceiling,
        )


class Bare(Takes):
    """Says nothing of cells that are no numbers."""

    def declared(self, columns):
        floor, ceiling = columns[0].known_bounds
        return {"floor": floor, "ceiling": ceiling}


class Telling(Bare):
    def unread_as(self, of, params):
        return {of[0]: params.floor}


class Wrong(NumberColumn):
    """Fills in the right parameters and would read others."""

    declared = Bare.declared


NAMED = NumberColumn(lower="floor", upper="ceiling")
TAKES = {"floored": NAMED, "bare": Bare(), "telling": Telling(), "wrong": Wrong()}


METHOD = Statistic(
    title="Floored sum",
    params=Floored,
    run=lambda values, params, bits: ours.METHOD.run(values, params.asked, bits),
    takes=TAKES[__name__.rpartition(".")[2]],
    wanted=lambda columns, params: ours.METHOD.wanted(columns, params.asked),
    answer=lambda found, params, bits: ours.METHOD.answer(found, params.asked, bits),
    spends=lambda params: ours.METHOD.spends(params.asked),
    neighbours=lambda params: ours.METHOD.neighbours(params.asked),
    needs="numbers",
    gives="their sum",
    paper="https://example.org",
    example=Floored(epsilon=1.0, floor=0.0, ceiling=1.0),
)
'''
WORDS = '''
"""Words of people, of which so many of each person count as a parameter says that nobody else has."""
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from tacit.cards.takes import PersonAndKey
from tacit.methods.statistics import partition_selection as ours
from tacit.noise.fields import Delta, Epsilon
from tacit.noise.statistic_params import NeighboursField
from tacit.params import Params


class Words(Params):
    epsilon: Epsilon
    delta: Delta
    neighbours: NeighboursField = "add-remove"
    of_each: Annotated[int, Field(ge=1, description="how many words of a person count")] = 1

    @property
    def asked(self):
        return ours.PartitionSelection(
            epsilon=self.epsilon, delta=self.delta, neighbours=self.neighbours, most=self.of_each
        )


METHOD = replace(
    ours.METHOD,
    title="Words",
    params=Words,
    run=lambda log, params, bits: ours.METHOD.run(log, params.asked, bits),
    takes=PersonAndKey(kept="of_each"),
    wanted=lambda columns, params: ours.METHOD.wanted(columns, params.asked),
    answer=lambda found, params, bits: ours.METHOD.answer(found, params.asked, bits),
    spends=lambda params: ours.METHOD.spends(params.asked),
    error=None,
    neighbours=lambda params: ours.METHOD.neighbours(params.asked),
    example=Words(epsilon=1.0, delta=1e-6),
)
'''
MODULES = {
    "outside/__init__.py": "",
    "outside/methods/__init__.py": "",
    **{f"outside/methods/statistics/{name}.py": FLOORED for name in ("floored", "bare", "telling", "wrong")},
    "outside/methods/statistics/words.py": WORDS,
}
AGES = pd.DataFrame({"age": [40.0, 50.0, 60.0], "who": ["a", "b", "c"], "word": ["sun", "sun", "sun"]})
PLENTY = 10_000.0
"""An epsilon at which a sum of three ages below 100 is off by 1 with a probability below e**-90."""


@pytest.fixture(autouse=True)
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with these statistics, installed as pip would."""
    site = install(tmp_path / "site", "outside", MODULES, "[tacit.methods]\noutside = outside.methods\n")
    monkeypatch.syspath_prepend(site)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside"]:
        del sys.modules[name]


def ask(name: str, budget: tacit.PrivacyBudget, **asked: Any) -> Any:
    return tacit.ask(AGES, {f"statistics/{name}": asked}, budget=budget).release.body.answers[0]


@pytest.mark.parametrize(("name", "counts_as"), [("floored", "30"), ("telling", "30"), ("bare", None)])
def test_bounds_may_be_called_as_a_statistic_likes(name: str, counts_as: str | None) -> None:
    budget = tacit.PrivacyBudget(epsilon=PLENTY)
    answer = ask(name, budget, of="age", bounds=(30, 100), epsilon=PLENTY)
    assert answer.values == pytest.approx([150.0], abs=1.0)
    told = [remark for remark in answer.remarks if "counts as" in remark]
    assert [f"counts as {counts_as} in age." in remark for remark in told] == [True] * (counts_as is not None)
    check_card("methods", f"statistics/{name}")


def test_a_card_that_names_a_parameter_that_it_lacks_is_refused_before_it_is_charged() -> None:
    budget = tacit.PrivacyBudget(epsilon=1)
    with pytest.raises(TacitError, match="'lower', which Floored does not have"):
        ask("wrong", budget, of="age", bounds=(30, 100), epsilon=1.0)
    assert budget.spent == {"epsilon": 0, "delta": 0}
    with pytest.raises(TacitError, match="'lower', which Floored does not have"):
        check_card("methods", "statistics/wrong")


def test_how_many_keys_count_may_be_called_as_a_statistic_likes() -> None:
    budget = tacit.PrivacyBudget(epsilon=1, delta=1e-3, unit="who")
    answer = ask("words", budget, of="word", of_each=2, epsilon=1.0, delta=1e-3)
    assert any("counts with at most 2 keys" in remark for remark in answer.remarks)
    check_card("methods", "statistics/words")


def test_groups_are_chosen_by_a_statistic_whatever_its_parameters_are_called() -> None:
    budget = tacit.PrivacyBudget(epsilon=2 * PLENTY, delta=0.5, unit="who", rows=2, groups=2)
    keys = {"method": "statistics/words", "epsilon": PLENTY, "delta": 0.4}
    answer = ask("count", budget, by="word", keys=keys, epsilon=PLENTY)
    assert answer.keys == ("sun",)
