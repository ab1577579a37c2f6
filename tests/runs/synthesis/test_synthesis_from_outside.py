"""A method of synthesis that an installed package brings, with parameters that are called as no other's.

Covers cards/synthesis, noise/synthetic_rows, runs/synthesis/task, runs/synthesis/process, evidence/synthesis.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.plugin.brought import install
from tests.runs.planned import write_plan

import tacit
from tacit.errors import TacitError
from tacit.testing import check_card
from tacit.verbs.plans import protect_plan

OWN = '''
"""Rows from noisy histograms: ours, asked with a parameter of another name."""
from dataclasses import replace
from typing import Annotated

from pydantic import Field, model_validator

from tacit.cards.takes import AxisColumns
from tacit.methods.synthesize import independent as ours
from tacit.noise.axes import AnyAxis
from tacit.noise.statistic_params import StatisticParams


class Own(StatisticParams):
    domain: Annotated[tuple[AnyAxis, ...], Field(min_length=1, description="what each column may hold")]
    steps: Annotated[int, Field(ge=1, description="bins of a number")] = 5

    @model_validator(mode="before")
    @classmethod
    def _with_bins(cls, given):
        axes = [axis if not isinstance(axis, dict) or axis["kind"] == "categories" else {"bins": 5, **axis}
                for axis in given.get("domain", ())]
        return {**given, "domain": axes}

    @property
    def asked(self):
        return ours.Independent(
            epsilon=self.epsilon, neighbours=self.neighbours, contributions=self.contributions, axes=self.domain
        )


LIES = __name__.endswith("lying")
METHOD = replace(
    ours.METHOD,
    title="Own columns",
    params=Own,
    run=lambda columns, params, bits: ours.METHOD.run(columns, params.asked, bits),
    takes=AxisColumns(parameter="domain"),
    wanted=lambda columns, params: ours.METHOD.wanted(columns, params.asked),
    answer=lambda found, params, bits: ours.METHOD.answer(found, params.asked, bits),
    spends=lambda params: ours.METHOD.spends(params.asked),
    error=None,
    neighbours=lambda params: ours.METHOD.neighbours(params.asked),
    delta=None,
    sizes=lambda params: [axis.size + LIES for axis in params.domain],
    loses="Only what one column says of itself is kept.",
    example=Own(epsilon=1.0, domain=ours.METHOD.example.axes),
)
'''
MISSHAPEN = """
from dataclasses import replace

import numpy as np

from outside.methods.synthesize.own import METHOD as OWN


def spoilt(made):
    {spoil}


METHOD = replace(
    OWN,
    run=lambda columns, params, bits: spoilt(OWN.run(columns, params, bits)),
    answer=lambda found, params, bits: spoilt(OWN.answer(found, params, bits)),
)
"""
SPOILS = {
    "few_counts": "return replace(made, noisy=replace(made.noisy, values=made.noisy.values[1:]))",
    "other_tables": "return replace(made, measured=((0, 1),))",
    "unmeasured": "return replace(made, measured=made.measured[:1], noisy=replace(made.noisy, values=np.zeros(3)))",
    "far_codes": "return replace(made, codes=made.codes + 9)",
    "few_codes": "return replace(made, codes=made.codes[:, :1])",
    "below": "return replace(made, codes=made.codes - 1 - made.codes.max())",
}
MODULES = {
    "outside/__init__.py": "",
    "outside/methods/__init__.py": "",
    "outside/methods/synthesize/own.py": OWN,
    "outside/methods/synthesize/lying.py": OWN,
    **{f"outside/methods/synthesize/{name}.py": MISSHAPEN.format(spoil=spoil) for name, spoil in SPOILS.items()},
}
PEOPLE = [{"sex": "fm"[i % 2], "age": str(20 + i % 50)} for i in range(100)]
COLUMNS: dict[str, Any] = {
    "sex": {"role": "quasi-identifier", "categories": ["f", "m"]},
    "age": {"role": "quasi-identifier", "bounds": [0, 100]},
}
MUCH = 1e6
"""So much epsilon that no noise is drawn."""


@pytest.fixture(autouse=True)
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with these methods, installed as pip would."""
    site = install(tmp_path / "site", "outside", MODULES, "[tacit.methods]\noutside = outside.methods\n")
    monkeypatch.syspath_prepend(site)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "outside"]:
        del sys.modules[name]


@pytest.mark.slow
def test_a_plan_names_it_and_its_evidence_says_what_it_loses(tmp_path: Path) -> None:
    guarantee = {"differential-privacy": {"epsilon": MUCH}}
    form = {
        "version": 1,
        "data": {"path": "people.csv"},
        "columns": COLUMNS,
        "privacy": {"budget": {"epsilon": MUCH}},
        "release": {"guarantees": [guarantee], "method": "synthesize/own"},
    }
    made = protect_plan(write_plan(tmp_path, form, PEOPLE))
    assert made.release.body.loses == "Only what one column says of itself is kept."
    assert made.release.recipe.parameters == {
        "epsilon": MUCH, "neighbours": "add-remove", "contributions": 1, "steps": 5,
    }  # fmt: skip
    assert made.release.body.columns[1].cells[:2] == ("0 to 20", "20 to 40")
    check_card("methods", "synthesize/own")


def protected(method: str, budget: tacit.PrivacyBudget) -> Any:
    dataset = tacit.read(pd.DataFrame(PEOPLE), COLUMNS)
    return tacit.protect(dataset, [tacit.DifferentialPrivacy(epsilon=MUCH)], method=method, budget=budget)


@pytest.mark.slow
def test_a_call_in_python_names_it() -> None:
    made = protected("synthesize/own", tacit.PrivacyBudget(epsilon=MUCH))
    assert Counter(made.data["sex"]) == {"f": 50, "m": 50}


def test_rows_with_other_cells_than_the_card_says_are_refused_before_they_are_charged() -> None:
    budget = tacit.PrivacyBudget(epsilon=MUCH)
    with pytest.raises(TacitError, match="the cells that `sizes` of its card states"):
        protected("synthesize/lying", budget)
    assert budget.spent == {"epsilon": 0, "delta": 0}


@pytest.mark.parametrize("name", SPOILS)
def test_rows_without_the_counts_of_their_columns_are_refused_before_they_are_charged(name: str) -> None:
    budget = tacit.PrivacyBudget(epsilon=MUCH)
    with pytest.raises(TacitError, match="with one cell more than its size, for what is missing"):
        protected(f"synthesize/{name.replace('_', '-')}", budget)
    assert budget.spent == {"epsilon": 0, "delta": 0}
