"""`python docs/generate.py [--check]`: writes the parts of the reference that say what the code says.

A page of docs/reference marks such a part with `<!-- generated: NAME -->` and `<!-- end generated -->`; what stands
outside is written by hand. The plan's JSON Schema is written whole. With `--check` nothing is written, and the exit
code is 1 where a file is out of date.
"""

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).parent / "reference"
MARKED = re.compile(r"(?<=<!-- generated: )([a-z-]+)( -->\n).*?(?=<!-- end generated -->)", re.DOTALL)
BOUNDS = (
    ("exclusiveMinimum", "above {}"),
    ("minimum", "at least {}"),
    ("exclusiveMaximum", "below {}"),
    ("maximum", "at most {}"),
)

WORDS = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "true or false",
    "Any": "any value",
    "None": "null",
}

Schema = Mapping[str, Any]


def pages() -> dict[Path, str]:
    """Every page with a generated part, and the plan's schema, as they should read."""
    marked = {path: path.read_text(encoding="utf-8") for path in sorted(REFERENCE.glob("*.md"))}
    written = {path: renewed(text) for path, text in marked.items() if MARKED.search(text)}
    return written | {REFERENCE / "plan.schema.json": schema()}


def schema() -> str:
    """The JSON Schema of a plan file."""
    from tacit.plan.schema import plan_schema

    return json.dumps(plan_schema(), indent=2, ensure_ascii=False) + "\n"


def renewed(text: str) -> str:
    """The page with its generated parts made anew."""
    return MARKED.sub(lambda found: f"{found[1]}{found[2]}\n{PARTS[found[1]]()}\n", text)


def methods() -> str:
    """All methods, folder by folder."""
    from tacit.catalogue import methods

    return _shelf(methods(), lambda card: [("guarantees", _given(card.guarantees))])


def metrics() -> str:
    """All metrics."""
    from tacit.catalogue import metrics

    return _shelf(
        metrics(), lambda card: [("better", card.better), ("compares", _compares(card)), ("measured", _measured(card))]
    )


def _measured(card: Any) -> str:
    named = {"release": "of every release", "comparison": "of every candidate of a comparison"}
    named["two tables"] = "of two tables by `tacit.measure`"
    return " and ".join(named[one] for one in card.standard) or "where it is asked for"


def _compares(card: Any) -> str:
    return "a table with what was published of its rows" if card.needs_pairs else "any two tables"


def attacks() -> str:
    """All attacks."""
    from tacit.catalogue import attacks

    return _shelf(attacks(), lambda card: [("knowledge", getattr(card, "knowledge", ""))])


def _shelf(shelf: Mapping[str, Any], more: Callable[[Any], list[tuple[str, str]]]) -> str:
    # Tables first: they are what the command line works on.
    cards = {name: shelf[name] for name in sorted(shelf, key=lambda name: (not name.startswith("tables/"), name))}
    listed = [(f"[`{name}`](#{_anchor(name)})", card.title, card.gives) for name, card in cards.items()]
    parts = [_table(("name", "title", "gives"), listed)]
    for name, card in cards.items():
        facts = [("needs", card.needs), ("gives", card.gives), *more(card), ("paper", f"<{card.paper}>")]
        parts += [f"## {name}", _about(card.run.__module__), _facts(facts), _parameters(card.params)]
    return "\n\n".join(parts) + "\n"


def guarantees() -> str:
    """All guarantees."""
    from tacit.guarantees.catalogue import guarantees, proven

    measured: dict[str, Any] = dict(guarantees())
    kept: dict[str, Any] = dict(proven())
    parts = [
        _promises("in a plan", measured),
        "Kept by the randomness of a method and told by accounting, so no release can be checked for them:",
        _promises("given by methods", kept),
    ]
    for name, kind in (measured | kept).items():
        parts += [f"## {name}", _about(kind.__module__), _facts([("paper", f"<{kind.paper}>")]), _parameters(kind)]
    return "\n\n".join(parts) + "\n"


def steps() -> str:
    """The optional parts of a table's run, ours only: what else is installed is another matter."""
    from tacit.runs.tables import steps as folder
    from tacit.runs.tables.step import all_steps

    ours = [step for step in all_steps() if type(step).__module__.startswith(folder.__name__)]
    listed = [(f"[`{step.name}`](#{step.name})", str(step.place), f"`{step.key}`", _first(type(step))) for step in ours]
    parts = [_table(("name", "place", "in a plan", "what it does"), listed)]
    for step in ours:
        parts += [f"## {step.name}", _about(type(step).__module__), _facts(_of_step(step))]
        parts += [_parameters(step.params)] if step.params.model_fields else []
    return "\n\n".join(parts) + "\n"


def _of_step(step: Any) -> list[tuple[str, str]]:
    from tacit.verbs.listing import written

    names = {True: "yes", False: "no"}
    return [
        ("in a plan", f"`{step.key}`, described with [the plan](plan.md)"),
        ("for example", f"`{written(step)}`"),
        ("draws from the seed of the plan", names[step.is_random]),
        ("leaves rows out", names[step.leaves_rows_out]),
        ("where a table is published again and again", step.in_republication or "possible"),
    ]


def _promises(head: str, kinds: Mapping[str, Any]) -> str:
    rows = [(f"[`{name}`](#{_anchor(name)})", f"`{_python(kind)}`", _first(kind)) for name, kind in kinds.items()]
    return _table((head, "in Python", "promises"), rows)


def _python(kind: type) -> str:
    import tacit

    return f"tacit.{kind.__name__}" if kind.__name__ in tacit.__all__ else f"{kind.__module__}.{kind.__name__}"


def _about(module: str) -> str:
    """The docstring of a module as prose: a power is no emphasis, a comparison no tag."""
    text = inspect.getdoc(import_module(module)) or ""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else _plain(part) for part in parts)


def _plain(text: str) -> str:
    return re.sub(r"<(?=[A-Za-z/!])", "&lt;", text.replace("*", "\\*"))


def commands() -> str:
    """All commands with their arguments and options."""
    import click

    from tacit.cli import COMMANDS, tacit

    parts = []
    with click.Context(tacit, info_name="tacit", **tacit.context_settings) as context:
        for name in COMMANDS:
            command = tacit.get_command(context, name)
            assert command is not None
            with click.Context(command, info_name=name, parent=context) as inner:
                usage = " ".join(command.collect_usage_pieces(inner))
                # Not get_params: its help option remembers the names it had where the command was first used.
                rows = [_option(parameter) for parameter in command.params]
            about = inspect.cleandoc(command.help or "")
            options = _table(("option", "default", "meaning"), [row for row in rows if row])
            parts += [f"## tacit {name}", f"`tacit {name} {usage}`", about, options]
    return "\n\n".join(parts) + "\n"


def _option(parameter: Any) -> tuple[str, str, str] | None:
    import click

    if not isinstance(parameter, click.Option):
        return None
    names = ", ".join(f"`{name}`" for name in parameter.opts)
    shown = parameter.default if parameter.show_default else None
    default = "required" if parameter.required else "" if shown is None else f"`{shown}`"
    return names, default, parameter.help or ""


def evidence() -> str:
    """The fields of the evidence, class by class."""
    from tacit import promise
    from tacit.fact import Fact
    from tacit.release import answers, attacks, audit, counts, release, tables

    modules = (release, promise, tables, counts, answers, audit, attacks)
    kinds = [
        kind
        for module in modules
        for kind in reversed(vars(module).values())
        if isinstance(kind, type) and issubclass(kind, Fact) and kind.__module__ == module.__name__
    ]
    shown = [kind for kind in kinds if kind.model_fields and "[" not in kind.__name__]
    shown.sort(key=lambda kind: kind is not release.Release)
    return "\n\n".join(_fields(kind) for kind in shown) + "\n"


def _fields(kind: Any) -> str:
    rows = [(f"`{name}`", _annotation(field.annotation)) for name, field in kind.model_fields.items()]
    return f"### {kind.__name__}\n\n{inspect.getdoc(kind)}\n\n{_table(('field', 'holds'), rows)}"


def _annotation(annotation: Any) -> str:
    plain = isinstance(annotation, type) and not hasattr(annotation, "__args__")
    text = annotation.__name__ if plain else str(annotation)
    text = re.sub(r"typing\.|tacit\.[a-z_.]+\.", "", text)
    text = re.sub(r"Annotated\[([^,\[\]]*), FieldInfo\([^()]*\)\]", r"\1", text).replace("~B", "Body, of the kind")
    text = re.sub(r"tuple\[([\w| ]+), \.\.\.\]", r"list of \1", text)
    text = re.sub(r"dict\[(\w+), (.+)\]", r"mapping of \1 to \2", text)
    text = re.sub(r"\b(str|int|float|bool|Any|None)\b", lambda found: WORDS[found[0]], text)
    return text.replace(" | ", " or ")


def errors() -> str:
    """The tree of errors with their exit codes."""
    from tacit import errors

    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TacitError)]
    rows = [(f"`tacit.errors.{kind.__name__}`", str(kind.exit_code), _first(kind)) for kind in kinds]
    return _table(("error", "exit code", "meaning"), rows) + "\n"


def _parameters(params: Any) -> str:
    """The table of a card's parameters."""
    schema = params.model_json_schema()
    required = schema.get("required", [])
    rows = [
        (f"`{name}`", _kind(entry), _default(entry, name in required), _described(entry))
        for name, entry in schema.get("properties", {}).items()
    ]
    return _table(("parameter", "value", "default", "meaning"), rows) if rows else "It has no parameters."


def _default(entry: Schema, required: bool) -> str:
    if required:
        return "required"
    value = entry.get("default")
    return "none" if value is None else f"`{value}`"


def _described(entry: Schema) -> str:
    choices = [entry, *entry.get("anyOf", [])]
    return next((_plain(str(one["description"])) for one in choices if "description" in one), "")


def _kind(entry: Schema) -> str:
    """The type of a parameter and its bounds, in words."""
    choices = [one for one in entry.get("anyOf", entry.get("oneOf", [])) if one.get("type") != "null"]
    if choices:
        return " or ".join(dict.fromkeys(_kind(one) for one in choices))
    if "enum" in entry:
        return ", ".join(f"`{value}`" for value in entry["enum"])
    if "const" in entry:
        return f"`{entry['const']}`"
    if "$ref" in entry:
        return str(entry["$ref"]).rsplit("/", 1)[-1]
    words = {"integer": "whole number", "number": "number", "string": "text", "boolean": "true or false"}
    name = str(entry.get("type", "any value"))
    if name == "array":
        return f"list of {_kind(entry['items'])}" if isinstance(entry.get("items"), Mapping) else "list"
    bounds = [words_.format(f"{entry[key]:g}") for key, words_ in BOUNDS if key in entry]
    return ", ".join([words.get(name, "mapping" if name == "object" else name), *bounds])


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {name}: {text}" for name, text in facts)


def _first(kind: type) -> str:
    return (inspect.getdoc(kind) or "").split("\n")[0]


def _given(by: Any) -> str:
    """The guarantees that a card gives, by name."""
    from tacit.guarantees.catalogue import given_by

    return _listed(by if isinstance(by, str) else given_by(by))


def _listed(names: str | Sequence[str]) -> str:
    return names if isinstance(names, str) else ", ".join(f"`{name}`" for name in names) or "none"


def _anchor(name: str) -> str:
    return re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-")


PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    "methods": methods,
    "guarantees": guarantees,
    "metrics": metrics,
    "attacks": attacks,
    "steps": steps,
    "evidence": evidence,
    "errors": errors,
}


def main(arguments: Sequence[str]) -> int:
    """Writes the pages, or says which are out of date."""
    stale = [path for path, text in pages().items() if path.read_text(encoding="utf-8") != text]
    if "--check" in arguments:
        for path in stale:
            sys.stderr.write(f"{path.name} is out of date: run `python docs/generate.py`\n")
        return 1 if stale else 0
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
