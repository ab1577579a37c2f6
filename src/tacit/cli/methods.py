"""`tacit methods [NAME]`."""

from typing import Any

import click

from tacit.cli.terminal import complain, print_json, say

GUARANTEES = "guarantees"
"""The folder of guarantees, which plans name without it."""


@click.command("methods")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the list or the card as JSON.")
def methods(name: str | None, as_json: bool) -> None:
    """List what there is, or describe the method, guarantee, metric, attack or step NAME with its parameters.

    The name of a folder, such as `statistics` or `attacks/tables`, lists what is in it.
    """
    from tacit.verbs.listing import entries as all_entries
    from tacit.verbs.listing import faults as all_faults

    entries = all_entries()
    if name is not None and name.rstrip("/") != GUARANTEES:
        name = name.removeprefix(f"{GUARANTEES}/")
    inside = {} if name is None else _inside(name, entries)
    if inside:
        name, entries = None, inside
    elif name is not None:
        name = _full(name, list(entries))
        entries = {name: entries[name]}
    if as_json:
        faults = [str(fault) for fault in all_faults()]
        print_json({"entries": [{"name": key, **entry} for key, entry in entries.items()], "faults": faults})
    elif name is not None:
        _describe(name, entries[name])
    else:
        _list(entries)
        for fault in all_faults():
            complain(str(fault))


def _inside(name: str, entries: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What is in the folder; none where it is the name of something, or of no folder."""
    if name.rstrip("/") == GUARANTEES:
        return {full: entry for full, entry in entries.items() if entry["kind"] == "guarantee"}
    folder = f"{name.rstrip('/')}/"
    found = {full: entry for full, entry in entries.items() if full.startswith(folder)}
    return {} if name in entries else found


def _full(name: str, names: list[str]) -> str:
    """The name with its folder, which may be left out where only one has the rest of it."""
    from difflib import get_close_matches

    ends = [full for full in names if full.rpartition("/")[2] == name]
    if name in names or len(ends) == 1:
        return name if name in names else ends[0]
    close = ends or get_close_matches(name, names, n=1)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "; `tacit methods` lists all"
    raise click.BadParameter(f"nothing is called {name!r}{hint}", param_hint="NAME")


def _list(entries: dict[str, dict[str, Any]]) -> None:
    wide = max(map(len, entries))
    for kind in ("method", "guarantee", "metric", "attack", "step"):
        listed = {name: entry for name, entry in entries.items() if entry["kind"] == kind}
        if listed:
            say(f"{kind}s")
        for name, entry in listed.items():
            say(f"  {name:<{wide}}  {entry['gives']}")


def _describe(name: str, entry: dict[str, Any]) -> None:
    say(f"{name}: {entry['title']} ({entry['kind']})", f"  {entry['gives']}")
    if entry.get("needs"):
        say(f"  needs {entry['needs']}")
    if "written" in entry:
        say("  written in a plan as", f"    {entry['written']}")
    asks = entry.get("asks")
    if asks is not None:
        _describe_question(asks)
    filled = entry.get("filled", [])
    for parameter, schema in entry["parameters"].items():
        if parameter in filled:
            continue
        default = f" (default {schema['default']})" if "default" in schema else ""
        say(f"  {parameter}: {schema.get('description', '')}{default}")
    if filled:
        say(f"  set elsewhere in the plan, not here: {', '.join(filled)}")
    if entry["paper"]:
        say(f"  {entry['paper']}")


def _describe_question(asks: dict[str, Any]) -> None:
    """How a plan writes the question."""
    least, most = asks["columns"]["least"], asks["columns"]["most"]
    number = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
    say("  asked in a plan as", f"    {asks['example']}")
    columns = "one column" if number == "1" else f"{number} columns, in the order in which they are needed"
    say(f"  of: {columns}")
    say("  by: columns to group by, with declared categories or `keys`" if asks["by"] else "  by: not accepted")


COMMAND = methods
