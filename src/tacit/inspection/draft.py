"""The draft of a plan: YAML that a person reads, corrects and then runs.

Every column stands on a line of its own, with the guessed role and, as a comment, the reason. The draft is text, not a
dumped object, because its comments are the point; any YAML 1.1 reader reads back what it says. Names that YAML would
take for something else (`yes`, `12`, `a: b`, the empty name) are quoted.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import yaml

from tacit.data.dataset import ROW
from tacit.guarantees.catalogue import guarantees
from tacit.guarantees.guarantee import Guarantee
from tacit.inspection.suggestion import Suggestion
from tacit.inspection.unit import FoundUnit
from tacit.visible import visible

SUPPRESSION = 0.02
NO_SECRET = (
    "No column looks sensitive, so the draft promises nothing about secrets. If a column tells health, money, belief "
    "or anything else that nobody should learn about a person, give it the role sensitive and add a guarantee about it."
)
_WIDTH = 116
_LONGEST_KEY = 900
_WIDEST_NAME = 32
_PLAIN_NAME = re.compile(r"(?!(?:y|n|yes|no|on|off|true|false|null)$)[A-Z][A-Z0-9_]*", re.ASCII | re.IGNORECASE)
"""What begins with a letter is read as text unless it is one of these words."""

_HEAD = """\
# A draft, guessed from the data: check every line before you rely on it.
# Roles. identifier: left out of the release. quasi-identifier: others may know it, so it is made coarser until people
# look alike. sensitive: what nobody should learn about a person. insensitive: published as it is.
version: 1
"""


@dataclass(frozen=True)
class DraftParts:
    """What a draft tells beside the data: a role for each column, and the unit.

    `reasons` say why an option of the data was guessed, `notes` what else to look at; `remedies` are lines of the
    release section.
    """

    suggestions: Mapping[str, Suggestion]
    unit: FoundUnit = field(default_factory=FoundUnit)
    reasons: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    remedies: Sequence[str] = ()


def draft_plan(source: Mapping[str, Any], parts: DraftParts) -> str:
    """A commented plan for the data at `source`."""
    lines = [
        *_data(source, parts.reasons),
        *(f"# {comment(note)}" for note in parts.notes),
        _unit(parts.unit),
        *_columns(parts.suggestions),
        *_release(parts.suggestions),
        *parts.remedies,
    ]
    return _HEAD + "\n".join(lines) + "\n"


def _data(source: Mapping[str, Any], reasons: Mapping[str, str]) -> list[str]:
    """The data section: on one line, or one line for each option where a guess needs its reason."""
    if not reasons:
        return [f"data: {flow(dict(source))}"]
    lines = ["data:"]
    for name, value in source.items():
        why = f"  # {comment(reasons[name])}" if name in reasons else ""
        lines.append(f"  {flow({name: value})[1:-1]}{why}")
    return lines


def _unit(found: FoundUnit) -> str:
    """The line that says what tells people apart."""
    if found.column is not None:
        named = flow({"column": found.column}) if found.column == ROW else _scalar(found.column)
        return f"unit: {named}  # tells people apart: {comment(found.reason)}"
    if found.suspected is not None:
        them = (
            "if they tell people apart, make one column of them"
            if found.suspected.repeats
            else ("if a person may have several rows, make one column that tells people apart")
        )
        return (
            f"unit: null  # {comment(found.suspected.told)}: {them} and name it here; write `{ROW}` if each row is one "
            "person"
        )
    if not found.doubts:
        return "unit: null  # no column seems to identify people with several rows, so each row counts as one person"
    name, doubt = next(iter(found.doubts.items()))
    return (
        f"unit: null  # values of {comment(name)!r} repeat, but {comment(doubt)}: name the column that tells people "
        f"apart, or write `{ROW}` if each row is one person"
    )


def _columns(suggestions: Mapping[str, Suggestion]) -> list[str]:
    if not suggestions:
        return ["columns: {}"]
    names = {name: _scalar(name) for name in suggestions}
    wide = min(max(map(len, names.values())), _WIDEST_NAME) + 1
    fields = {name: _fields(suggestion) for name, suggestion in suggestions.items()}
    # Columns of wide tables are often declared alike.
    flows = {key: flow(one) for key, one in {repr(one): one for one in fields.values()}.items()}
    bodies = {name: flows[repr(one)] for name, one in fields.items()}
    broad = max(map(len, bodies.values()))
    lines = ["columns:"]
    for name, suggestion in suggestions.items():
        value = f"{bodies[name]:<{broad}}  # {comment(suggestion.reason)}"
        if len(names[name]) > _LONGEST_KEY:
            # YAML reads a key before its colon only up to 1,024 characters.
            lines += [f"  ? {names[name]}", f"  : {value}"]
        else:
            lines.append(f"  {names[name] + ':':<{wide}} {value}")
    return lines


def comment(text: str) -> str:
    """The text on one line, without what YAML would not read."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def _fields(suggestion: Suggestion) -> dict[str, Any]:
    fields: dict[str, Any] = {"role": suggestion.role}
    if suggestion.hierarchy is not None:
        spec = dict(suggestion.hierarchy)
        fields["hierarchy"] = spec["file"] if set(spec) == {"file"} else spec
    return fields


def _release(suggestions: Mapping[str, Suggestion]) -> list[str]:
    secrets = {name: one.distinct for name, one in suggestions.items() if one.role == "sensitive"}
    promised = [one for kind in guarantees().values() for one in kind.suggested(secrets)]
    return [
        "release:",
        *([] if secrets else [f"  # {line}" for line in wrap(NO_SECRET, _WIDTH)]),
        "  guarantees:",
        *(f"    - {one.name}: {flow(_parameters(one))}" for one in promised),
        "  method: auto  # tries several and takes the one that loses least; `tables/lattice` gives uniform labels",
        f"  suppression: {SUPPRESSION}  # the largest share of rows that may be suppressed, that is, published as *",
        "  objective: loss",
        "  shuffle: true  # puts rows in random order, because neighbouring rows could give each other away",
        "  # guard_formulas: true  # keeps spreadsheets from running cells as formulas; remove the first # to use it",
    ]


def _parameters(guarantee: Guarantee) -> dict[str, Any]:
    """The parameters as a person writes them: those that were given, whole numbers without a point."""
    given = guarantee.model_dump(exclude_unset=True)
    return {k: int(v) if isinstance(v, float) and v.is_integer() else v for k, v in given.items()}


def _scalar(text: str) -> str:
    """The text as YAML on one line: plain where that is read back as the same text, quoted otherwise."""
    # Most names are surely plain, and very wide tables have thousands.
    return text if _PLAIN_NAME.fullmatch(text) else flow([text])[1:-1]


class _OneLine(yaml.SafeDumper):
    """Writes text with line breaks or control characters in double quotes, where they are escaped."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_OneLine.add_representer(str, _represent_text)


def flow(value: Any) -> str:
    """A value as YAML on one line, in which nothing acts on who reads it.

    A text with a character that acts stands in double quotes, where YAML knows the escapes that `visible` writes.
    """
    flow: str = yaml.dump(
        value, Dumper=_OneLine, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf")
    )
    return visible(flow.rstrip("\n"), keep="\n")
