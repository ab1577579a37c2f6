"""Kinds are classes: what a plan must know of a method is on its card, and a plug-in brings kinds of its own.

Covers cards/attack, cards/card, cards/columns, cards/counts, cards/method, cards/metric, cards/republication,
cards/tables.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from tacit.cards.attack import Attack, StatisticsAttack, TableAttack
from tacit.cards.card import Card, P
from tacit.cards.columns import ColumnMethod, SamplingMethod
from tacit.cards.competition import TableCompetition
from tacit.cards.counts import CountsMethod
from tacit.cards.method import Method
from tacit.cards.metric import Metric
from tacit.cards.republication import RepublicationMethod
from tacit.cards.synthesis import SynthesisMethod
from tacit.cards.tables import TableMethod
from tacit.catalogue import attacks, methods, metrics
from tacit.params import Params

KINDS: dict[str, type[Card[Any]]] = {
    "tables": TableMethod,
    "columns": ColumnMethod,
    "sampling": SamplingMethod,
    "counts": CountsMethod,
    "republication": RepublicationMethod,
    "synthesis": SynthesisMethod,
}
COLUMNS = {name: card for name, card in methods().items() if isinstance(card, ColumnMethod)}


@pytest.mark.parametrize("name", [name for name in methods() if not name.startswith(("statistics/", "mechanisms/"))])
def test_the_kind_of_a_method_is_its_class(name: str) -> None:
    card = methods()[name]
    assert type(card) is (TableCompetition if name == "auto" else KINDS[card.kind])


def test_attacks_and_metrics_have_kinds_too() -> None:
    assert {type(card) for card in attacks().values()} == {TableAttack, StatisticsAttack}
    assert all(name.startswith(f"{card.kind}/") for name, card in attacks().items())
    assert Attack.kind == "any"
    assert {card.kind for card in metrics().values()} == {"tables"}


def test_a_plug_in_has_a_kind_of_its_own() -> None:
    @dataclass(frozen=True, kw_only=True)
    class PlaceMethod(Method[P]):
        kind: ClassVar[str] = "places"

        reach: int

    card = PlaceMethod(
        title="t", params=Params, needs="n", gives="g", paper="https://", example=Params(), run=print, reach=3
    )
    assert isinstance(card, Method)
    assert (card.kind, card.reach, card.guarantees) == ("places", 3, ())
    assert Metric.kind == "tables"


def test_only_names_that_stay_secret_may_stand_for_identifiers() -> None:
    kept = {name.partition("/")[2] for name, card in COLUMNS.items() if card.for_identifiers}
    assert kept == {"pseudonym", "mask", "vault"}
    assert {name.partition("/")[2] for name, card in COLUMNS.items() if not card.keeps_people_apart} == {"mask"}
    assert all(COLUMNS[name].for_identifiers for name in COLUMNS if COLUMNS[name].writes_secrets)


@pytest.mark.parametrize("name", COLUMNS)
def test_files_of_a_treatment_are_parameters_and_all_are_named(name: str) -> None:
    card = COLUMNS[name]
    assert set(card.secret_files) == {field for field in card.params.model_fields if field.endswith("_file")}
    assert set(card.reads(card.example)) == set(getattr(card.example, "given", ()))
