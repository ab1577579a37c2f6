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
                **_asked(name, card),
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


def _asked(name: str, card: "Card[Any]") -> dict[str, Any]:
    """How a question is written that a plan asks of the card: its columns, and an example; nothing for other cards."""
    from tacit.cards.statistics import Statistic

    if not isinstance(card, Statistic):
        return {}
    takes, params = card.takes, card.params
    columns = [f"COLUMN_{place + 1}" for place in range(max(takes.least, 1))] if takes.most != 0 else []
    of = columns[0] if len(columns) == 1 else f"[{', '.join(columns)}]"
    needed = [field for field in params.model_fields if field in card.example.model_fields_set - _filled(card)]
    own = ", ".join(f"{field}: {_shown(getattr(card.example, field))}" for field in needed)
    return {
        "asks": {
            "columns": {"least": takes.least, "most": takes.most},
            "by": not takes.by_person,
            "example": f"- {name}: {{{f'of: {of}, ' if takes.least else ''}{own}}}",
            "filled": sorted(_filled(card) & set(params.model_fields)),
        }
    }


def _filled(card: Any) -> set[str]:
    """The parameters that a plan fills in from what it declares, so that no question gives them."""
    from tacit.cards.takes import Declared

    number = max(card.takes.least, 1)
    column = Declared("x", (0, 1), ("true", "false"))
    return set(card.takes.parameters([column] * min(number, card.takes.most or number)))


def _shown(value: Any) -> str:
    """A value as YAML reads it; 1e-06 would be a text there, and 1.0e-06 is a number."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    text = str(value)
    return text.replace("e", ".0e") if isinstance(value, float) and "e" in text and "." not in text else text
