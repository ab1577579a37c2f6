"""What is not told beside a private release (runs/untold): neither how it fares under attack nor how far it is off."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.runs.baskets import Baskets, BasketsBody, BasketsKind, BasketsProcess, WrittenBaskets
from tests.runs.planned import form_of, write_plan
from tests.runs.test_kinds import GUESS, LINES

from tacit.errors import PolicyRefused
from tacit.plan.load import load_plan
from tacit.promise import Promise, Proven
from tacit.release.release import Expense
from tacit.runs import attack, compare, evidence_kinds
from tacit.runs.candidates import Candidate, Candidates
from tacit.runs.run import Description
from tacit.runs.untold import is_private
from tacit.verbs import plans

PROVEN = Proven(name="differential-privacy", epsilon=1, delta=0, unit="row", neighbours="add-remove")
PLAN = "version: 1\ndata: {kind: baskets, path: shop.baskets}\nrelease: {guarantees: [item-support: {k: 2}]}\n"


class NoisyProcess(BasketsProcess):
    """Baskets whose promise is proven, or that were charged for."""

    sign = "proven"
    charges: Sequence[str] = ()

    def promises(self, prepared: Baskets, made: WrittenBaskets, back: Baskets) -> tuple[Promise, ...]:
        measured = super().promises(prepared, made, back)
        return (*measured, PROVEN) if self.sign == "proven" else measured

    def describe(self, *given: Any) -> Description[BasketsBody]:
        NoisyProcess.charges = [*NoisyProcess.charges, self.job.title]
        told = super().describe(*given)
        return told if self.sign == "proven" else replace(told, spent=Expense(epsilon=1, delta=0))


class NoisyKind(BasketsKind):
    """A kind of data whose releases are private, as its plan does not say."""

    def process(self, job: Any, plan: Any, engine: Any) -> NoisyProcess:
        return NoisyProcess(job, self.guarantees(plan.release)[0].k)


KIND = NoisyKind()


@pytest.fixture(params=["proven", "spent"])
def plan(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    point = EntryPoint("baskets", f"{__name__}:KIND", evidence_kinds.GROUP)
    monkeypatch.setattr(
        evidence_kinds, "entry_points_of", lambda group: (point,) if group == evidence_kinds.GROUP else ()
    )
    monkeypatch.setattr(NoisyProcess, "sign", request.param)
    monkeypatch.setattr(NoisyProcess, "charges", ())
    for module in (attack, compare):
        monkeypatch.setattr(module, "attacks_on", lambda kind: [("baskets/unique", GUESS)])
    (tmp_path / "shop.baskets").write_text("\n".join(LINES) + "\n")
    path = tmp_path / "shop.plan.yaml"
    path.write_text(PLAN)
    return path


def test_an_attack_would_tell_exact_counts_of_the_input(plan: Path) -> None:
    made = plans.protect_plan(plan)
    before = made.evidence.read_bytes(), made.report.read_bytes()
    with pytest.raises(PolicyRefused, match=r"shop\.release\.baskets keeps its promise by randomness .* exactly") as no:
        plans.attack_plan(plan)
    assert "tries to refute a method itself" in str(no.value)
    assert (made.evidence.read_bytes(), made.report.read_bytes()) == before


def compared(plan: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    card = SimpleNamespace(
        title="None", better="lower", example=None, run=lambda views, params: SimpleNamespace(value=0.0)
    )
    monkeypatch.setattr(compare, "metrics", lambda: {"baskets/none": card})
    two = [Candidate(f"{number}", load_plan(plan).release, {}) for number in range(2)]
    monkeypatch.setattr(compare, "candidates_of", lambda *given: Candidates(tuple(two), {}, {}))
    return plans.compare_plan(plan, {})


def test_a_comparison_charges_no_candidate_where_a_release_shows_what_it_is(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans.protect_plan(plan)
    with pytest.raises(PolicyRefused, match=r"shop\.release\.baskets .* charge for each candidate\. Nothing was chang"):
        compared(plan, monkeypatch)
    assert len(NoisyProcess.charges) == 1


def test_a_comparison_ends_with_the_first_candidate_that_shows_it(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No second one is charged, no page is written, and that one was charged is said."""
    with pytest.raises(PolicyRefused, match="The first candidate was made, and what it was charged stays charged"):
        compared(plan, monkeypatch)
    assert len(NoisyProcess.charges) == 1
    assert not list(plan.parent.glob("*.html"))


@pytest.mark.parametrize(
    ("release", "private"),
    [
        ({}, False),
        ({"guarantees": [{"differential-privacy": {"epsilon": 1}}]}, True),
        ({"guarantees": [{"local-differential-privacy": {"epsilon": 1}}]}, True),
        ({"method": "synthesize/independent"}, True),
    ],
)
def test_a_plan_says_it_by_its_guarantees_or_by_its_method(
    release: dict[str, Any], private: bool, tmp_path: Path
) -> None:
    plan = load_plan(write_plan(tmp_path, form_of(release=release)))
    assert is_private(plan.release) is private


def test_a_private_plan_is_refused_before_anything_is_read(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan.write_text(PLAN.replace("item-support: {k: 2}", "differential-privacy: {epsilon: 1}"))
    (plan.parent / "shop.baskets").unlink()
    for act in (lambda: plans.attack_plan(plan), lambda: compared(plan, monkeypatch)):
        with pytest.raises(PolicyRefused, match=r"the release of shop\.plan\.yaml keeps its promise by randomness"):
            act()
