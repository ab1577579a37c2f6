"""`tacit compare PLAN`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress, say

NOTHING_MADE = 1


@click.command("compare")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option("--methods", help="Methods to try, separated by commas; by default all that can give the guarantees.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE,...",
    help="Values to try, such as k-anonymity.k=2,5,10, suppression=0,0.05 or tables/local.sweeps=5,20; repeatable.",
)
@click.option(
    "--vary", is_flag=True, help="Also try half and twice the first whole-number parameter of the guarantees."
)
@click.option("--metrics", help="Metrics to measure, separated by commas; by default the common ones.")
@click.option("--risk", help="The risk axis: highest, average (default), above, unique, marketer, or a metric.")
@click.option("--utility", help="The utility axis: a metric, by default loss.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Where to write the page with the map (.html).")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare(plan: Path, output: Path | None, as_json: bool, settings: tuple[str, ...], **options: Any) -> None:
    """Compare methods and parameters for PLAN: risk against utility, and the candidates that no other beats.

    No release is written. If you name several measures for an axis, the first is drawn, and all of them decide which
    candidate beats which. The exit code is 1 if no candidate can be made.
    """
    from tacit.verbs.plans import compare_plan, comparison_lines

    wanted = _wanted(settings, options)
    with progress() as tell:
        compared = compare_plan(plan, wanted, output, tell)
    found = compared.comparison
    if as_json:
        best = found.best()
        chosen = None if best is None else best.name
        print_json({"page": str(compared.page), "best": chosen, **found.model_dump(mode="json")})
    else:
        shown = wanted["metrics"] if options["metrics"] else ()
        say(*comparison_lines(found, plan.name, shown))
        say(f"The map is in {compared.page}")
    raise SystemExit(0 if found.made else NOTHING_MADE)


def _wanted(settings: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The options as values: lists at their commas, the values of settings as in a plan."""
    given = {
        name: _split(value) if isinstance(value, str) else value for name, value in options.items() if value is not None
    }
    return {**given, "settings": _settings(settings)}


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _settings(given: tuple[str, ...]) -> dict[str, tuple[Any, ...]]:
    from tacit.errors import BadParameter
    from tacit.verbs.plans import parse_value

    found: dict[str, tuple[Any, ...]] = {}
    for text in given:
        name, sign, values = (part.strip() for part in text.partition("="))
        if not sign or not name:
            raise BadParameter(f"--set {text}: write NAME=VALUE,VALUE, as in --set k-anonymity.k=2,5,10")
        if name in found:
            raise BadParameter(f"--set {name} is given twice; put all its values into one")
        found[name] = tuple(parse_value(value, f"--set {name}") for value in _split(values))
    return found


COMMAND = compare
