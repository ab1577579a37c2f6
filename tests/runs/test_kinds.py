"""Kinds: one that a package brings goes through the same door as tables, for every verb on a plan.

Covers runs/evidence_kinds, runs/job, runs/kinds, runs/promised, runs/release_kind, runs/run.
"""

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.runs.baskets import KIND, Baskets, BasketsBody, BasketsProcess, ItemSupport
from tests.runs.planned import form_of, names_in, protected, write_plan

from tacit.cards.attack import ReleaseAttack
from tacit.cards.method import Method
from tacit.errors import BadParameter, CannotGuarantee, PolicyRefused, TacitError
from tacit.evidence.files import evidence_schema
from tacit.params import Params
from tacit.plan.load import load_plan
from tacit.release.attacks import Success
from tacit.runs import attack, compare, evidence_kinds, kinds
from tacit.runs.candidates import Candidate, Candidates
from tacit.runs.kind import Kind
from tacit.runs.release_kind import ReleaseKind
from tacit.verbs import plans

LINES = ["bread milk", "bread milk wine", "bread caviar", "milk wine", "bread"]
NAMED = {"version": 1, "data": {"kind": "baskets", "path": "shop.baskets"}}


def items(baskets: Baskets) -> set[str]:
    return set().union(*baskets)


def guess(baskets: Baskets, params: Params) -> Success:
    """The share of baskets that nobody else has."""
    alone = sum(baskets.count(one) == 1 for one in baskets)
    return Success.counted(alone, len(baskets), 1 / len(baskets))


GUESS = ReleaseAttack(
    title="Unique baskets",
    params=Params,
    run=guess,
    needs="nothing",
    gives="the share of baskets that nobody else has",
    paper="https://example.org",
    example=Params(),
    knowledge="the basket of a person",
    story="Whoever knows a basket looks for it.",
)


@pytest.fixture(autouse=True)
def brought(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package that names the kind, and an attack in its folder."""
    point = EntryPoint("baskets", "tests.runs.baskets:KIND", evidence_kinds.GROUP)
    monkeypatch.setattr(
        evidence_kinds, "entry_points_of", lambda group: (point,) if group == evidence_kinds.GROUP else ()
    )

    def cards(kind: str) -> Iterator[tuple[str, Any]]:
        yield from [("baskets/unique", GUESS)] if kind == "baskets" else []

    monkeypatch.setattr(attack, "attacks_on", cards)
    monkeypatch.setattr(compare, "attacks_on", cards)


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    (tmp_path / "shop.baskets").write_text("\n".join(LINES) + "\n")
    return plans.inspect_file(tmp_path / "shop.baskets", {}).plan


def test_every_kind_has_a_name_a_title_and_a_body() -> None:
    assert evidence_kinds.kind_names() == ("answers", "counts", "republication", "synthesis", "tables", "baskets")
    for name in evidence_kinds.kind_names():
        kind = evidence_kinds.evidence_kind(name)
        assert (kind.name, bool(kind.title)) == (name, True)
        assert evidence_schema(kind.body)["properties"]["body"]


def test_a_file_is_inspected_by_the_kind_that_claims_it(plan: Path) -> None:
    assert plan.read_text() == (
        "version: 1\ndata: {kind: baskets, path: shop.baskets}\nrelease: {guarantees: [item-support: {k: 2}]}\n"
    )


def test_a_release_is_made_read_back_and_published(plan: Path) -> None:
    made = plans.protect_plan(plan)
    assert made.output.read_text().splitlines() == ["bread milk", "bread milk wine", "bread", "milk wine", "bread"]
    assert (made.release.kind, made.release.body) == ("baskets", BasketsBody(baskets=5, left_out=1))
    assert made.release.measured[0].measured == 2
    assert names_in(plan.parent) == [
        "shop.baskets",
        "shop.plan.yaml",
        "shop.release.baskets",
        "shop.release.evidence.json",
        "shop.release.report.html",
    ]
    assert plans.read_evidence(made.evidence) == made.release
    page = made.report.read_text()
    assert "1 items were left out" in page
    assert "item-support" in page
    assert any("item-support" in line for line in plans.summary_lines(made.release, {}))


def test_a_release_that_breaks_its_promise_is_refused(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.runs.baskets.least_support", lambda baskets: 1)
    with pytest.raises(TacitError, match="does not keep its promise"):
        plans.protect_plan(plan)
    assert names_in(plan.parent) == ["shop.baskets", "shop.plan.yaml"]


@pytest.mark.parametrize("field", ["inputs", "outputs"])
def test_a_release_that_names_no_file_is_refused(plan: Path, field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = BasketsProcess.describe
    silent: dict[str, Any] = {field: ()}
    monkeypatch.setattr(BasketsProcess, "describe", lambda *given: replace(honest(*given), **silent))
    with pytest.raises(TacitError, match="its description needs `inputs` and `outputs`"):
        plans.protect_plan(plan)
    assert names_in(plan.parent) == ["shop.baskets", "shop.plan.yaml"]


def test_a_kind_that_reads_nothing_is_refused(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(KIND), "inputs", lambda self, plan: ())
    with pytest.raises(TacitError, match=r"run of shop\.plan\.yaml reads, .* `inputs` names them, the data first"):
        plans.protect_plan(plan)


@pytest.mark.slow
def test_raw_and_released_files_are_checked(plan: Path) -> None:
    raw = plans.check_plan(plan, plan.parent / "shop.baskets")
    assert not raw.holds
    assert "the rarest is in 1" in raw.lines("shop")[1]
    made = plans.protect_plan(plan)
    assert plans.check_plan(plan, made.output).holds


@pytest.mark.slow
def test_attacks_run_on_raw_and_released_and_stand_in_the_evidence(plan: Path) -> None:
    made = plans.protect_plan(plan)
    board = plans.attack_plan(plan)
    (result,) = board.results
    assert result.raw is not None
    assert result.release is not None
    # All five raw baskets differ; in the release the two with bread alone are alike.
    assert (result.raw.rate, result.release.rate) == (1.0, 0.6)
    assert plans.read_evidence(made.evidence).body.attacks == board.results
    assert "Unique baskets" in made.report.read_text()


@pytest.mark.slow
def test_the_lowest_bound_is_told_of_what_is_promised_and_kept(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The release is made for k = 2; wine is in two baskets, so that a promise of k = 3 would not be kept."""
    plans.protect_plan(plan)
    several = tuple(map(ItemSupport, (2, 1, 3)))
    monkeypatch.setattr(type(KIND), "guarantees", lambda kind, section: several)
    bounded = replace(GUESS, bound=lambda params, guarantee, found: 1.5 / guarantee.k)
    monkeypatch.setattr(attack, "attacks_on", lambda kind: [("baskets/unique", bounded)])
    (result,) = plans.attack_plan(plan).results
    assert (result.bound, result.bound_from) == (0.75, "item-support")
    silent = replace(GUESS, bound=lambda params, guarantee, found: None)
    monkeypatch.setattr(attack, "attacks_on", lambda kind: [("baskets/unique", silent)])
    (result,) = plans.attack_plan(plan).results
    assert (result.bound, result.bound_from) == (None, None)


@pytest.mark.parametrize(
    "asked", ["[item-support: {k: 2}, item-support: {k: 9}]", "[other: {k: 2}]", "[item-support: {k: 3}]"]
)
def test_what_the_plan_asks_and_the_release_does_not_promise_is_refused(
    plan: Path, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kind that measures k = 2, whatever the plan asks; one that left all promises out would be caught as well."""
    monkeypatch.setattr(type(KIND), "guarantees", lambda kind, section: (ItemSupport(2),))
    before = sorted(path.name for path in plan.parent.iterdir())
    plan.write_text(plan.read_text().replace("[item-support: {k: 2}]", asked))
    with pytest.raises(CannotGuarantee, match="was asked for"):
        plans.protect_plan(plan)
    assert sorted(path.name for path in plan.parent.iterdir()) == before


@pytest.mark.parametrize(
    ("written", "instead", "name"),
    [
        ("release: {", "release: {sample: {share: 0.5}, ", "release: `sample`"),
        ("release: {", "release: {seed: 1, ", "release: `seed`"),
        ("release: {", "release: {steps: {survey: {}}, ", "release: `steps`"),
        ("release: {", "unit: name\nrelease: {", "`unit`"),
        ("data: {", "data: {encodng: utf-8, ", "data: `encodng`"),
    ],
)
def test_a_plan_may_say_only_what_its_kind_heeds(plan: Path, written: str, instead: str, name: str) -> None:
    plan.write_text(plan.read_text().replace(written, instead))
    with pytest.raises(BadParameter, match=f"{name} does not apply to baskets of items"):
        plans.protect_plan(plan)


def test_candidates_are_compared_by_attacks_and_metrics(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = SimpleNamespace(
        title="Lost items",
        better="lower",
        example=None,
        run=lambda views, params: SimpleNamespace(value=float(len(items(views.before) - items(views.after)))),
    )
    monkeypatch.setattr(compare, "metrics", lambda: {"baskets/lost": card})

    def candidates(section: Any, wanted: object, kind: str) -> Candidates:
        several = (section.model_copy(update={"guarantees": ({"item-support": {"k": k}},)}) for k in (2, 3))
        return Candidates(tuple(Candidate(f"k={i}", one, {}) for i, one in enumerate(several, 2)), {}, {})

    monkeypatch.setattr(compare, "candidates_of", candidates)
    found = plans.compare_plan(plan, {}).comparison
    assert [(row.metrics["lost"], row.metrics["attacks/baskets/unique"]) for row in found.made] == [(1, 0.6), (2, 0.2)]
    assert found.before is None
    assert [row.keeps_plan for row in found.made] == [True, True]
    assert any("lost" in line for line in plans.comparison_lines(found, plan.name, ()))


def test_a_kind_that_is_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadParameter, match="no kind of data 'basket'; did you mean 'baskets'"):
        kinds.find_kind("basket")
    point = EntryPoint("odd", "json:dumps", evidence_kinds.GROUP)
    monkeypatch.setattr(evidence_kinds, "entry_points_of", lambda group: (point,))
    with pytest.raises(TacitError, match="is not a tacit"):
        kinds.find_kind("odd")
    gone = EntryPoint("gone", "surely_missing.kind", evidence_kinds.GROUP)
    monkeypatch.setattr(evidence_kinds, "entry_points_of", lambda group: (gone,))
    with pytest.raises(TacitError, match=r"'gone' of tacit\.kinds can't be imported: .*surely_missing"):
        kinds.find_kind("gone")
    assert kinds.kind_of_file(tmp_path / "people.csv").name == "tables", "a broken package breaks nothing else"
    assert KIND.name == "baskets"


@pytest.mark.slow
def test_a_release_of_another_plan_is_not_attacked(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    made = protected(plan)
    before = made.evidence.read_bytes()
    other = tmp_path / "other.yaml"
    other.write_text(write_plan(tmp_path, form_of(release={"suppression": 0.5})).read_text())
    write_plan(tmp_path)
    with pytest.raises(PolicyRefused, match=r"made by another plan than other\.yaml.*plan\.yaml"):
        plans.attack_plan(other, [made.output])
    assert made.evidence.read_bytes() == before
    # The same plan with a comment is the same plan.
    plan.write_text("# checked\n" + plan.read_text())
    assert plans.attack_plan(plan).results


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("tables", r"tacit and one\.kind both bring a kind that is called 'tables'"),
        ("answers", r"tacit and one\.kind both bring"),
        ("audit", r"tacit and one\.kind both bring"),
        ("twice", r"one\.kind and other\.kind both bring a kind that is called 'twice'"),
    ],
)
def test_two_kinds_of_one_name_are_refused(name: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = ["one.kind", "other.kind"] if name == "twice" else ["one.kind"]
    points = [EntryPoint(name, module, evidence_kinds.GROUP) for module in modules]
    monkeypatch.setattr(evidence_kinds, "entry_points_of", lambda group: points)
    for look in (lambda: kinds.find_kind(name), evidence_kinds.kind_names):
        with pytest.raises(TacitError, match=says):
            look()


PRIVATE = {"privacy": {"budget": {"epsilon": 1}}}


@pytest.mark.parametrize(
    ("release", "kind"),
    [
        ({}, "tables"),
        ({"method": "tables/republish", "metrics": ["loss"]}, "republication"),
        ({"method": "synthesize/independent"}, "synthesis"),
        ({"method": "columns/noise"}, "tables"),
    ],
)
@pytest.mark.parametrize("data", [{}, {"kind": "tables"}])
def test_the_card_of_the_method_says_which_release_is_meant(
    release: dict[str, Any], kind: str, data: dict[str, str], tmp_path: Path
) -> None:
    """Whatever folder the method stands in, and whether the plan names the kind of its data or not."""
    plan = load_plan(write_plan(tmp_path, form_of(release=release, data={"path": "people.csv", **data}, **PRIVATE)))
    found = kinds.kind_of(plan)
    assert (found.name, found.about) == (kind, "tables")
    assert isinstance(found, Kind) == (kind == "tables")


def test_a_method_of_another_command_is_refused_by_name(tmp_path: Path) -> None:
    plan = load_plan(write_plan(tmp_path, form_of(release={"method": "counts/suppression"})))
    with pytest.raises(BadParameter, match=r"makes no release; it is for `tacit tabulate PLAN --by"):
        kinds.kind_of(plan)
    with pytest.raises(BadParameter, match="no kind of data 'answers'; that is what `tacit ask PLAN` makes"):
        kinds.find_kind("answers")


class Postcards(ReleaseKind):
    """Another kind of release of tables."""

    name, title, data, body = "postcards", "Postcards of a table", "tables", BasketsBody

    def protect(self, plan: Any, *given: Any) -> Any:
        return f"a postcard of {plan.name}"

    check = attack = compare = protect


def test_a_package_brings_another_kind_of_release_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    point = SimpleNamespace(name="postcards", load=Postcards)
    monkeypatch.setattr(evidence_kinds, "entry_points_of", lambda group: (point,))
    card = Method(title="t", params=Params, needs="n", gives="g", paper="https://", example=Params(), run=print)
    monkeypatch.setattr(type(card), "kind", "postcards")
    monkeypatch.setattr(kinds, "find_method", lambda name: card)
    assert plans.protect_plan(write_plan(tmp_path)) == "a postcard of people"
    with pytest.raises(BadParameter, match="there is no kind of data 'postcards'"):
        kinds.find_kind("postcards")
    assert kinds.kind_of_file(tmp_path / "people.csv").name == "tables"
