"""Promises that are proven, not measured: every name on a card is one or the other, and accounting tells how much.

Covers differential_privacy, local_differential_privacy, accounting/promise, accounted_loss.
"""

import math
import re
from typing import ClassVar

import pyarrow as pa
import pytest
from tests.methods.statistics.answers import data_for

import tacit
from tacit.accounted_loss import AccountedLoss
from tacit.accounting.events import Gaussian, Pure
from tacit.accounting.promise import promised
from tacit.catalogue import methods
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import accounted, given_by, guarantees, parse_guarantee, parse_table_guarantee, proven
from tacit.guarantees.differential_privacy import DifferentialPrivacy
from tacit.guarantees.guarantee import Guarantee, PeopleOrRows, ProvenGuarantee
from tacit.promise import Proven
from tacit.randomness.stream import RandomBits

PRIVATE = [name for name in methods() if name.startswith("statistics/")]


@pytest.mark.parametrize("name", list(methods()))
def test_every_guarantee_on_a_card_has_a_file(name):
    claimed = methods()[name].guarantees
    assert claimed == "any" or all(given_by((one,)) for one in claimed)


@pytest.mark.parametrize(("name", "kind"), proven().items())
def test_a_proven_promise_is_named_after_its_file_and_says_where_it_comes_from(name, kind):
    assert kind.name == name == kind.__module__.rpartition(".")[2].replace("_", "-")
    assert name not in guarantees()
    assert kind.paper.startswith("https://")
    assert kind.open
    assert all(text.endswith(".") for text in kind.open)
    # e is 2.718…, rounded up.
    assert " 2.72 times as likely" in kind(epsilon=1.0).promise()
    with pytest.raises(BadParameter, match="epsilon"):
        kind.parse(name, {"epsilon": -1})


def test_none_can_be_checked_on_a_table():
    with pytest.raises(BadParameter, match="can't be measured in a release"):
        parse_table_guarantee({"differential-privacy": {"epsilon": 1}})


def test_a_plan_can_name_one():
    assert parse_guarantee({"differential-privacy": {"epsilon": 1}}) == DifferentialPrivacy(epsilon=1)
    with pytest.raises(BadParameter, match="epsilon"):
        parse_guarantee({"differential-privacy": {"epsilon": -1}})


def test_odds():
    """50 in 100 before, at most 73 in 100 after epsilon = 1; 1 in 100 becomes at most 2.7."""
    promise = DifferentialPrivacy(epsilon=1.0)
    assert promise.belief_after(0.5) == pytest.approx(math.e / (1 + math.e))
    assert "73 in 100" in promise.promise()
    assert promise.belief_after(0.01) == pytest.approx(0.0267, abs=5e-5)
    assert "probability 1e-06" in DifferentialPrivacy(epsilon=1.0, delta=1e-6, neighbours="replace").promise()


@pytest.mark.parametrize(
    ("of", "neighbours", "words"),
    [
        ("people", "add-remove", "when one person comes or goes ("),
        ("people", "replace", "when one person is replaced by another ("),
        ("rows", "add-remove", "when one row comes or goes ("),
        (None, None, "when one unit of privacy changes ("),
    ],
)
def test_it_says_who_is_hidden(of, neighbours, words):
    assert words in DifferentialPrivacy(epsilon=1.0, neighbours=neighbours).promise(of)


@pytest.mark.parametrize("kind", proven().values())
@pytest.mark.parametrize("epsilon", [1e-12, 1e-6, 0.01, 0.1, 0.5, math.log(2), 1.0, math.log(3), 5.0, 10.0, 13.8])
def test_the_factor_is_a_number_that_is_never_too_small_and_hardly_too_large(kind, epsilon):
    (said,) = re.findall(r"more than ([\d.,]+) times as likely", kind(epsilon=epsilon).promise())
    more = float(said.replace(",", "")) - 1
    assert math.expm1(epsilon) * (1 - 1e-9) <= more <= max(math.expm1(epsilon) * 1.011, 1.1e-9)
    assert "e**" not in kind(epsilon=epsilon).promise()


def test_a_factor_that_is_a_round_number_is_said_as_one():
    assert " 2 times as likely" in DifferentialPrivacy(epsilon=math.log(2)).promise()
    assert " 1,000 times as likely" in DifferentialPrivacy(epsilon=math.log(1000)).promise()


@pytest.mark.parametrize("kind", proven().values())
@pytest.mark.parametrize("epsilon", [13.9, 20.0, 1e6])
def test_a_factor_that_nobody_can_imagine_is_said_to_be_large(kind, epsilon):
    """1,000,000 is e**13.8155…"""
    says = kind(epsilon=epsilon).promise()
    assert f"may become more than a million times as likely (no more than e**{epsilon:g} times)" in says


def test_nearly_sure_is_not_said_as_sure_and_hides_nothing():
    """e**8 / (1 + e**8) is 0.99966."""
    assert "at most 99.97 in 100 after" in DifferentialPrivacy(epsilon=8.0).promise()
    assert "may be all but certain after, so hardly anything is hidden" in DifferentialPrivacy(epsilon=20.0).promise()


def test_an_epsilon_of_nothing_changes_nothing():
    assert "no outcome becomes any likelier when" in DifferentialPrivacy(epsilon=0.0).promise()


class OtherPrivacy(ProvenGuarantee):
    """Something else, of which nobody says how it is proven."""

    name: ClassVar[str] = "other-privacy"
    title: ClassVar[str] = "other privacy"
    paper: ClassVar[str] = "https://example.org/other"
    open: ClassVar[tuple[str, ...]] = ("Much.",)

    def promise(self, of: PeopleOrRows | None = None) -> str:
        """In words."""
        return "something else holds"


class ThatPrivacy(OtherPrivacy):
    """The same, with a proof."""

    name: ClassVar[str] = "that-privacy"
    title: ClassVar[str] = "that privacy"

    @classmethod
    def proven_by(cls, loss: AccountedLoss) -> Proven:
        """Half of the loss."""
        terms = {"unit": loss.unit or "row", "neighbours": loss.neighbours, "delta": loss.delta}
        told = {"contributions": loss.contributions, "title": cls.title, "says": "something else holds"}
        return Proven(name=cls.name, epsilon=loss.epsilon / 2, **terms, **told)


SPENT = AccountedLoss(0.5, 1e-6, "replace", "name", 3, ({"kind": "x"},))


def test_a_guarantee_says_how_it_is_proven():
    found = DifferentialPrivacy.proven_by(SPENT)
    assert (found.name, found.title) == ("differential-privacy", "differential privacy")
    assert (found.epsilon, found.delta, found.neighbours) == (0.5, 1e-6, "replace")
    assert (found.unit, found.contributions, found.events) == ("name", 3, ({"kind": "x"},))
    assert "one person is replaced" in found.says
    rows = DifferentialPrivacy.proven_by(AccountedLoss(0.5, 0.0, "add-remove"))
    assert rows.unit == "row"
    assert "one row comes or goes" in rows.says
    assert ThatPrivacy(epsilon=1).proven_by(SPENT).name == "that-privacy"


@pytest.mark.parametrize("kind", [OtherPrivacy, proven()["local-differential-privacy"]])
def test_one_that_does_not_say_how_is_not_proven(kind):
    with pytest.raises(BadParameter, match=f"{kind.name} can't be proven here: .*privacy loss between neighbouring"):
        kind(epsilon=1).proven_by(SPENT)


def test_accounts_are_kept_in_terms_of_one_of_them():
    assert accounted() is DifferentialPrivacy
    assert accounted().name in proven()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [OtherPrivacy, ThatPrivacy])
def test_a_synthetic_table_promises_what_is_proven_and_nothing_else(kind):
    asked = {"method": "synthesize/independent", "budget": tacit.PrivacyBudget(epsilon=2)}
    people = tacit.read(pa.table({"sex": ["f", "m"] * 50}), {"sex": {"role": "sensitive", "categories": ["f", "m"]}})
    if kind is OtherPrivacy:
        with pytest.raises(BadParameter, match="other-privacy can't be proven here"):
            tacit.protect(people, [kind(epsilon=1)], **asked)
        assert asked["budget"].spent["epsilon"] == 0
        return
    made = tacit.protect(people, [kind(epsilon=1)], **asked).release
    (promise,) = made.promises
    assert (promise.name, promise.epsilon) == ("that-privacy", pytest.approx(0.5))
    assert made.spent.epsilon == pytest.approx(1)


class Unproven(Guarantee):
    """About answers, and no loss is bounded."""

    name: ClassVar[str] = "unproven"
    title: ClassVar[str] = "unproven"
    paper: ClassVar[str] = "https://example.org/unproven"
    about: ClassVar[str] = "answers"

    most: float = 1.0

    @property
    def bound(self) -> float:
        """Of whatever it is."""
        return self.most

    def promise(self) -> str:
        """In words."""
        return "something holds"


def test_what_bounds_no_loss_is_refused():
    people = tacit.read(pa.table({"sex": ["f", "m"]}), {"sex": {"role": "sensitive", "categories": ["f", "m"]}})
    with pytest.raises(BadParameter, match="unproven is not a ProvenGuarantee"):
        tacit.protect(people, [Unproven()], method="synthesize/independent", budget=tacit.PrivacyBudget(epsilon=2))


def test_accounting_tells_what_is_promised():
    assert promised([Pure(0.1)] * 10, 0, "add-remove") == AccountedLoss(1.0, 0.0, "add-remove")
    found = promised(Gaussian(1.0), 1e-5, "replace")
    assert (found.delta, found.neighbours) == (1e-5, "replace")
    assert 4 < found.epsilon < 5


@pytest.mark.parametrize("name", PRIVATE)
def test_every_statistic_promises_what_it_was_asked_for(name):
    method = methods()[name]
    answer = method.run(data_for(name), method.example, RandomBits.from_seed(1))
    delta = getattr(method.example, "delta", 0.0)
    assert promised(answer.event, delta).epsilon <= method.example.epsilon * (1 + 1e-9)
