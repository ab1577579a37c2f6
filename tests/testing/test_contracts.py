"""The contract tests find what breaks a contract: each has a twin here that must fail.

Covers testing/cards, testing/installed, testing/guarantees, testing/kinds, testing/parameters.
"""

import csv
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import ConfigDict, Field
from tests.metrics.tables.worlds import loss_example, publication
from tests.runs.baskets import BasketsKind
from tests.runs.planned import PEOPLE

from tacit.accounted_loss import AccountedLoss
from tacit.cards.attack import ReleaseAttack
from tacit.cards.contest import Contest, NoiseCurve, NoisePoint, WayOfAnswering
from tacit.cards.metric import MetricValue
from tacit.cards.takes import NumberColumn, PersonAndKey
from tacit.catalogue import attacks, methods, metrics
from tacit.errors import TacitError
from tacit.guarantees.catalogue import guarantees
from tacit.guarantees.differential_privacy import DifferentialPrivacy
from tacit.guarantees.guarantee import Guarantee, InSql, NotInSql, ProvenGuarantee, RepublicationInSql
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.m_invariance import MInvariance
from tacit.params import Params
from tacit.promise import Proven
from tacit.release.attacks import Success
from tacit.runs import attack, evidence_kinds
from tacit.testing import (
    cards,
    check,
    check_attack,
    check_card,
    check_guarantee,
    check_kind,
    check_method,
    check_metric,
    check_statistics_attack,
    installed,
)
from tacit.testing import guarantees as of_guarantees
from tacit.testing import kinds as kinds_contract


class Open(Params):
    model_config = ConfigDict(extra="allow")


class Silent(Params):
    number: int = 1


class Forgetful(Params):
    number: Annotated[float, Field(description="not the same after JSON", exclude=True)] = 1.0


GOOD = metrics()["loss"] if "loss" in metrics() else metrics()["tables/loss"]
LINKAGE = next(attacks()[name] for name in attacks() if name.rpartition("/")[2] == "linkage")
OF_RELEASES = ReleaseAttack(**{field.name: getattr(LINKAGE, field.name) for field in fields(ReleaseAttack)})
BROKEN = {
    "title` is empty": replace(GOOD, title=""),
    "needs` must be a phrase": replace(GOOD, needs="Two tables."),
    "gives` must be a phrase": replace(GOOD, gives=" a number"),
    "paper` must be the https address": replace(GOOD, paper="Iyengar 2002"),
    "example` must be a": replace(GOOD, example=Silent()),
    "run` must be a function": replace(GOOD, run=None),
    "an unknown parameter must be refused": replace(GOOD, params=Open, example=Open()),
    "the parameter number has no description": replace(GOOD, params=Silent, example=Silent()),
    "is not the same after JSON": replace(GOOD, params=Forgetful, example=Forgetful(number=2.0)),
    "story` must be one sentence": replace(LINKAGE, story="First this. Then that."),
    "knowledge` is empty": replace(LINKAGE, knowledge=""),
    "column_parameter` is 'secret', which Params does not have": replace(LINKAGE, column_parameter="secret"),
    "fraction_parameter` is 'share', which Params does not have": replace(LINKAGE, fraction_parameter="share"),
}


@pytest.mark.parametrize("complaint", BROKEN)
def test_a_card_that_lacks_something_is_found(complaint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        cards, "SHELVES", {"metrics": lambda: {"tables/good": GOOD, "tables/broken": BROKEN[complaint]}}
    )
    check_card("metrics", "tables/good")
    with pytest.raises(AssertionError, match=f"metrics/tables/broken: .*{complaint}"):
        check_card("metrics", "tables/broken")


def test_a_statistic_that_takes_parameters_it_does_not_have_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    mean, keywords = methods()["statistics/mean"], methods()["statistics/keywords"]
    other = replace(mean, takes=NumberColumn(lower="floor"))
    unkept = replace(keywords, takes=PersonAndKey(parameter="vocabulary", kept="top"))
    shelf = {"statistics/mean": mean, "statistics/other": other, "statistics/unkept": unkept}
    monkeypatch.setattr(cards, "SHELVES", {"methods": lambda: shelf})
    check_card("methods", "statistics/mean")
    with pytest.raises(AssertionError, match="`takes` fills in 'floor', which Mean does not have"):
        check_card("methods", "statistics/other")
    with pytest.raises(TacitError, match="'top', which Keywords does not have"):
        check_card("methods", "statistics/unkept")


def test_a_metric_in_the_folder_of_another_kind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "SHELVES", {"metrics": lambda: {"graphs/good": GOOD}})
    with pytest.raises(AssertionError, match="its kind is 'tables'; metrics stand in the folder of their kind"):
        check_card("metrics", "graphs/good")


def counted() -> Iterator[float]:
    yield from map(float, range(100))


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (counted(), "the same input gave"),
        (iter([1, 1]), "finite floats"),
        (iter([float("nan")] * 2), "finite floats"),
        (iter([float("inf")] * 2), "finite floats"),
    ],
)
def test_a_metric_that_varies_or_is_no_number_is_found(
    values: Iterator[Any], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_metric("loss", lambda: publication(loss_example()))
    broken = replace(GOOD, run=lambda given, params: MetricValue(next(values)))
    monkeypatch.setattr(cards, "find_metric", lambda name, kind: broken)
    with pytest.raises(AssertionError, match=complaint):
        check_metric("loss", lambda: None)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rate": 0.9}, "must lie between"),
        ({"low": -0.1}, "must lie between"),
        ({"baseline": 2.0}, "must be a share"),
        ({"rate": 0.3}, "the hits divided by the targets"),
    ],
)
def test_an_attack_with_rates_that_cant_be_is_found(
    change: dict[str, float], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine = Success.counted(2, 10, 0.1)
    told = iter([fine, fine, *[fine.model_copy(update=change)] * 2])
    monkeypatch.setattr(cards, "find_attack", lambda *_: replace(LINKAGE, run=lambda given, params: next(told)))
    assert check_attack("linkage", lambda: None) == fine
    with pytest.raises(AssertionError, match=complaint):
        check_attack("linkage", lambda: None)


def contest(**change: Any) -> Contest:
    """One way of answering and one point; a change replaces a field of the way, of its success or of the point."""
    way = {"name": "aloud", "words": "answers that are read out", "success": Success.counted(2, 10, 0.1)}
    point = {"noise": 1.0, "rate": 0.5, "low": 0.4, "high": 0.6}
    if "success" in change:
        way["success"] = way["success"].model_copy(update=change["success"])
    way |= change.get("way", {})
    points = (NoisePoint(**(point | change.get("point", {}))),)
    against = (WayOfAnswering(**way),) * change.get("times", 1)
    return Contest(against=against, curve=NoiseCurve(about="noise", unit="", baseline=0.5, points=points))


POLL = next(attacks()[name] for name in attacks() if name.rpartition("/")[2] == "poll")


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        (contest(times=0), "there is no way of answering"),
        (contest(times=2), "two ways of answering are both called one of"),
        (contest(way={"words": ""}), "aloud: `words` is empty"),
        (contest(way={"words": "Answers."}), "aloud: `words` must be a phrase"),
        (contest(success={"rate": 0.9}), "aloud: the rate 0.9 must lie between"),
        (contest(success={"baseline": 2.0}), "aloud: the baseline 2.0 must be a share"),
        (contest(point={"low": 0.7}), "noise 1: the rate 0.5 must lie between"),
        (contest(point={"expected": float("nan")}), "the same seed gave two contests|must survive JSON"),
        (Success.counted(2, 10, 0.1), "`run` must give a Contest"),
    ],
)
def test_an_attack_on_statistics_that_breaks_its_contract_is_found(
    found: Any, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cards, "find_attack", lambda *_: replace(POLL, run=lambda params, generator: contest()))
    assert check_statistics_attack("poll") == contest()
    monkeypatch.setattr(cards, "find_attack", lambda *_: replace(POLL, run=lambda params, generator: found))
    with pytest.raises(AssertionError, match=f"attacks/poll: .*{complaint}|attacks/poll: {complaint}"):
        check_statistics_attack("poll")


def test_an_attack_on_statistics_must_draw_from_its_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = counted()

    def run(params: Any, generator: Any) -> Contest:
        return contest(point={"noise": next(drawn)})

    monkeypatch.setattr(cards, "find_attack", lambda *_: replace(POLL, run=run))
    with pytest.raises(AssertionError, match="the same seed gave two contests"):
        check_statistics_attack("poll")


def test_each_sort_of_attack_has_its_own_check() -> None:
    with pytest.raises(AssertionError, match="it is a StatisticsAttack, not a ReleaseAttack"):
        check_attack("statistics/poll", lambda: None)
    with pytest.raises(AssertionError, match="it is a TableAttack, not a StatisticsAttack"):
        check_statistics_attack("tables/linkage")


def test_a_method_that_draws_from_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = counted()
    card = next(iter(methods().values()))
    monkeypatch.setattr(cards, "find_method", lambda name: replace(card, run=lambda given, params: given))
    assert check_method("m", lambda: (7,)) == 7
    monkeypatch.setattr(cards, "find_method", lambda name: replace(card, run=lambda given, params: next(drawn)))
    with pytest.raises(AssertionError, match="gave two outputs"):
        check_method("m", lambda: (7,))
    check_method("m", lambda: (7,), like=lambda one, other: abs(one - other) <= 1)


class Loose(KAnonymity):
    """It can be changed."""

    model_config = ConfigDict(frozen=False)
    __hash__ = KAnonymity.__hash__


class Closed(KAnonymity):
    """It leaves nothing open."""

    open: ClassVar[tuple[str, ...]] = ()


class Once(KAnonymity):
    """It is measured once, and does not say why."""

    sql: ClassVar[InSql | NotInSql] = NotInSql("")


class OnceAll(MInvariance):
    """What all releases show is measured once."""

    republication_sql: ClassVar[RepublicationInSql | NotInSql] = NotInSql("")


@pytest.mark.parametrize(("kind", "field"), [(Once, "sql"), (OnceAll, "republication_sql")])
def test_a_guarantee_without_a_second_measure_is_found(
    kind: type[Guarantee], field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_guarantee(kind.name)
    monkeypatch.setattr(of_guarantees, "guarantees", lambda: {kind.name: kind})
    with pytest.raises(AssertionError, match=f"`{field}` must say in a sentence why"):
        check_guarantee(kind.name)


class OwnWord(DifferentialPrivacy):
    """What is proven is called as it was before."""

    name: ClassVar[str] = "own-word"

    @classmethod
    def proven_by(cls, loss: AccountedLoss) -> Proven:
        """That of another."""
        return DifferentialPrivacy.proven_by(loss)


class NoProof(DifferentialPrivacy):
    """What is spent does not prove it."""

    name: ClassVar[str] = "no-proof"
    proven_by = ProvenGuarantee.__dict__["proven_by"]


def test_a_guarantee_about_answers_that_is_not_proven_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    check_guarantee("differential-privacy", DifferentialPrivacy(epsilon=1))
    for kind, complaint in ((OwnWord, "what is proven is called"), (NoProof, "so what they spend must prove it")):
        monkeypatch.setattr(of_guarantees, "proven", lambda kind=kind: {kind.name: kind})
        monkeypatch.setattr(of_guarantees, "parse_guarantee", lambda entry, kind=kind: kind(**entry[kind.name]))
        with pytest.raises(AssertionError, match=complaint):
            check_guarantee(kind.name, kind(epsilon=1))


def test_a_guarantee_that_lacks_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    check_guarantee("k-anonymity", KAnonymity(k=3))
    with pytest.raises(AssertionError, match=r"a plan that names the parameters of .* makes"):
        check_guarantee("k-anonymity", Loose(k=3))
    brought: dict[str, type[Guarantee]] = {"k-anonymity": Closed, "other": KAnonymity}
    monkeypatch.setattr(of_guarantees, "guarantees", lambda: brought)
    with pytest.raises(AssertionError, match="must say what it does not protect from"):
        check_guarantee("k-anonymity")
    with pytest.raises(AssertionError, match="it calls itself 'k-anonymity'"):
        check_guarantee("other")
    monkeypatch.setattr(of_guarantees, "guarantees", lambda: {"k-anonymity": Loose})
    monkeypatch.setattr(of_guarantees, "parse_guarantee", lambda entry: Loose(**entry["k-anonymity"]))
    with pytest.raises(AssertionError, match="its parameters must not change"):
        check_guarantee("k-anonymity", Loose(k=3))


def test_everything_installed_is_listed_with_its_package() -> None:
    ours = [str(entry) for entry in installed("tacit")]
    assert len(ours) == len(set(ours))
    assert {f"methods/{name}" for name in methods()} <= set(ours)
    assert {f"guarantees/{name}" for name in guarantees()} <= set(ours)
    assert "kinds/tables" in ours
    with pytest.raises(TacitError, match="no module 'surely_unknown' brings anything to Tacit; these do: tacit"):
        installed("surely_unknown")
    with pytest.raises(KeyError):
        check(SimpleNamespace(group="methods", name="surely/unknown"))


@pytest.mark.slow
def test_tables_go_the_whole_way(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    with data.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["zip", "age", "ill"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows([row | {"age": str(20 + 7 * at % 50)} for at, row in enumerate([*PEOPLE] * 3)])
    check_kind("tables", data, repeatable=False)


class Believing(BasketsKind):
    """Takes its own word for what it wrote."""

    def process(self, *given: Any) -> Any:
        process = super().process(*given)
        object.__setattr__(process, "read_back", lambda prepared, made: (frozenset({"bread"}),) * 2)
        object.__setattr__(process, "measure_again", lambda *stations: None)
        return process


class Support(Guarantee):
    """Every item is in at least `k` baskets."""

    name: ClassVar[str] = "item-support"
    title: ClassVar[str] = "support of items"
    paper: ClassVar[str] = "https://example.org/support"
    about: ClassVar[str] = "baskets"

    k: int

    @property
    def bound(self) -> float:
        """The least support."""
        return self.k

    def promise(self) -> str:
        """In words."""
        return f"each item is in at least {self.k} baskets"


class Misnamed(BasketsKind):
    """Its evidence calls the release by another name."""

    told: ClassVar[dict[str, Any]] = {"name": "x"}

    def process(self, *given: Any) -> Any:
        process = super().process(*given)
        describe = process.describe

        def other(*stations: Any) -> Any:
            found = describe(*stations)
            return replace(found, outputs=(found.outputs[0].model_copy(update=self.told),))

        object.__setattr__(process, "describe", other)
        return process


class Hashed(Misnamed):
    """Its evidence has the hash of another file."""

    told: ClassVar[dict[str, Any]] = {"sha256": "0" * 64}


class Untitled(BasketsKind):
    """What it measures does not carry the title of its guarantee."""

    def guarantees(self, section: Any) -> tuple[Any, ...]:
        """One that has a title."""
        return tuple(Support(**given) for entry in section.guarantees for given in entry.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "lines", "complaint"),
    [
        (BasketsKind(), ["bread", "bread"], "the example keeps the draft plan as it is"),
        (BasketsKind(), ["bread milk", "bread"], "no attack could be run"),
        (Believing(), ["bread milk", "bread"], "it publishes what breaks its promise"),
        (Misnamed(), ["bread milk", "bread"], "the evidence calls x.release.baskets 'x'"),
        (Hashed(), ["bread milk", "bread"], "the evidence has another hash of x.release.baskets than the file"),
        (Untitled(), ["bread milk", "bread"], r"item-support is \('item-support', 'support of items'"),
    ],
)
def test_a_kind_that_breaks_its_contract_is_found(
    kind: Any, lines: list[str], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(kind, monkeypatch)
    (tmp_path / "x.baskets").write_text("\n".join(lines) + "\n")
    with pytest.raises(AssertionError, match=f"kinds/baskets: {complaint}"):
        check_kind("baskets", tmp_path / "x.baskets")


@pytest.mark.slow
def test_an_attack_that_exceeds_its_bound_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It hits one of two baskets; half is a bound, a tenth is none."""
    bring(BasketsKind(), monkeypatch)
    (tmp_path / "x.baskets").write_text("bread milk\nbread\n")
    found = Success.counted(1, 2, 0.0)
    reached: list[float] = []

    def brought(bound: float) -> Any:
        card = {"run": lambda view, params: found, "bound": lambda params, guarantee, found: bound}
        return lambda kind: [("baskets/half", replace(OF_RELEASES, **card))]

    monkeypatch.setattr(kinds_contract, "_check_compare", lambda trial: reached.append(found.rate))
    monkeypatch.setattr(attack, "attacks_on", brought(0.5))
    check_kind("baskets", tmp_path / "x.baskets")
    assert reached == [0.5]
    monkeypatch.setattr(attack, "attacks_on", brought(0.1))
    with pytest.raises(AssertionError, match="half succeeds more often than its `bound` says that item-support allows"):
        check_kind("baskets", tmp_path / "x.baskets")


def bring(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    point = SimpleNamespace(name="baskets", load=lambda: kind)
    monkeypatch.setattr(evidence_kinds, "entry_points_of", lambda group: (point,))
