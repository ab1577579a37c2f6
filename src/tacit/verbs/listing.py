"""What there is: methods, guarantees, metrics, attacks and steps, as they describe themselves."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tacit.brought import distribution_of as distribution_of
from tacit.errors import TacitError

if TYPE_CHECKING:
    from tacit.brought import Fault
    from tacit.cards.card import Card
    from tacit.runs.tables.step import Step


def entries() -> dict[str, dict[str, Any]]:
    """Methods, guarantees, metrics, attacks and steps by name, as plain values."""
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
                **_filled(card),
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
    return found | _steps()


def faults() -> "tuple[Fault, ...]":
    """What is wrong with installed packages that extend Tacit, so that what they bring is not listed."""
    from tacit.brought import faults_of
    from tacit.catalogue import folder_faults
    from tacit.guarantees.catalogue import faults as guarantee_faults
    from tacit.runs.evidence_kinds import kind_faults
    from tacit.runs.tables.step import GROUP

    cards = (fault for group in ("methods", "metrics", "attacks") for fault in folder_faults(f"tacit.{group}"))
    return (*cards, *guarantee_faults(), *faults_of(GROUP, "steps"), *kind_faults())


def _steps() -> dict[str, dict[str, Any]]:
    """The optional parts of a table's run, and how a plan asks for each."""
    from tacit.runs.tables.step import all_steps

    return {
        f"steps/{step.name}": {
            "kind": "step",
            "title": step.name.replace("-", " ").capitalize(),
            "gives": (type(step).__doc__ or "").strip().split("\n")[0],
            "paper": "",
            "parameters": step.params.model_json_schema().get("properties", {}),
            "place": step.place,
            "written": written(step),
        }
        for step in all_steps()
    }


def written(step: "Step[Any]") -> str:
    """How a plan asks for the step, in a line."""
    import yaml

    from tacit.runs.tables.step import example_of, in_plan

    text = yaml.safe_dump(in_plan(step, example_of(step)), default_flow_style=True, width=1000, sort_keys=False)
    return text.strip()[1:-1]


def _filled(card: "Card[Any]") -> dict[str, Any]:
    """The parameters of the card that a plan fills in from what it says elsewhere; nothing for other cards."""
    from tacit.cards.asked import AskedMethod

    return {"filled": sorted(card.filled_in)} if isinstance(card, AskedMethod) else {}


def _asked(name: str, card: "Card[Any]") -> dict[str, Any]:
    """How a question is written that a plan asks of the card: its columns, and an example; nothing for other cards."""
    from tacit.cards.statistics import Statistic

    if not isinstance(card, Statistic):
        return {}
    takes = card.takes
    columns = [f"COLUMN_{place + 1}" for place in range(max(takes.least, 1))] if takes.most != 0 else []
    of = columns[0] if len(columns) == 1 else f"[{', '.join(columns)}]"
    needed = [field for field in card.written if field in card.example.model_fields_set]
    own = ", ".join(f"{field}: {_shown(getattr(card.example, field))}" for field in needed)
    return {
        "asks": {
            "columns": {"least": takes.least, "most": takes.most},
            "by": not takes.by_person,
            "example": f"- {name}: {{{f'of: {of}, ' if takes.least else ''}{own}}}",
        }
    }


def _shown(value: Any) -> str:
    """A value as YAML reads it; 1e-06 would be a text there, and 1.0e-06 is a number."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    text = str(value)
    return text.replace("e", ".0e") if isinstance(value, float) and "e" in text and "." not in text else text
