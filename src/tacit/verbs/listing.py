"""What there is: methods, guarantees, metrics and attacks, as their cards describe them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.cards.card import Card


def entries() -> dict[str, dict[str, Any]]:
    """Methods, guarantees, metrics and attacks by name, as plain values."""
    from tacit import catalogue
    from tacit.guarantees.catalogue import guarantees, proven

    found: dict[str, dict[str, Any]] = {}
    shelves: tuple[tuple[str, Mapping[str, Card[Any]]], ...] = (
        ("method", catalogue.methods()),
        ("metric", catalogue.metrics()),
        ("attack", catalogue.attacks()),
    )
    for kind, shelf in shelves:
        for name in shelf:
            shown = name if kind == "method" else f"{kind}s/{name}"
            try:
                card = shelf[name]
            except TacitError as error:
                found[shown] = {"kind": kind, "title": name, "gives": str(error), "paper": "", "parameters": {}}
                continue
            found[shown] = {
                "kind": kind,
                "title": card.title,
                "needs": card.needs,
                "gives": card.gives,
                "paper": card.paper,
                "parameters": card.params.model_json_schema().get("properties", {}),
            }
    promises: dict[str, Any] = guarantees() | proven()
    for name, guarantee in promises.items():
        found[name] = {
            "kind": "guarantee",
            "title": guarantee.title,
            "gives": (guarantee.__doc__ or "").strip().split("\n")[0],
            "paper": guarantee.paper,
            "parameters": guarantee.model_json_schema().get("properties", {}),
        }
    return found
