"""`tacit audit TARGET`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tacit.cli.terminal import print_json, progress, say, setting

if TYPE_CHECKING:
    from tacit.request import Progress
    from tacit.verbs.auditing import Audit, AuditRuns

REFUTED = 1
FOR_FUNCTIONS = {
    "epsilon": "for a method write --set epsilon=VALUE",
    "domain": "the rows of a method follow from its parameters; write --set lower=VALUE, --set upper=VALUE",
    "most": "a method's datasets are chosen for it; for the rows of one person write --set contributions=VALUE",
    "neighbours": "for a statistic write --set neighbours=VALUE",
}
"""Options that a method does not take, with what to write instead."""


@click.command("audit")
@click.argument("target")
@click.option("--set", "changes", multiple=True, metavar="NAME=VALUE", help="A parameter of the method, as JSON.")
@click.option(
    "--epsilon", type=float, help="The epsilon that a function claims, 1 by default; a method states its own."
)
@click.option("--delta", type=float, help="The delta at which epsilon is bounded; by default that of the claim.")
@click.option("--domain", default="[0, 1]", show_default=True, help="All rows that a function may see, as a JSON list.")
@click.option(
    "--most", default=3, show_default=True, help="The largest number of rows in a dataset that a function is given."
)
@click.option(
    "--neighbours",
    type=click.Choice(["add-remove", "replace"]),
    default="add-remove",
    show_default=True,
    help="How neighbouring datasets differ: one has one row fewer, or one row is replaced by another.",
)
@click.option(
    "--draws", type=int, help="Runs on each neighbour; by default 5,000, or 200,000 if the function is quick."
)
@click.option("--seed", help="A seed that makes the runs repeatable.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Where to write the evidence (.json), with its report beside it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def audit(target: str, output: Path | None, as_json: bool, **options: Any) -> None:
    """Try to refute the privacy of TARGET: a method (`mechanisms/laplace`) or a function (`module:function`).

    A function takes (dataset, bits), a tuple of rows and a stream of random bits; with a third argument `size` it gives
    that many independent outputs at once. The audit searches for neighbouring inputs and for outputs that tell them
    apart, and gives a lower bound on epsilon that is wrong with probability at most one in a million. The exit code is
    1 if the claim is refuted.
    """
    from tacit.verbs.auditing import AuditRuns, require_place
    from tacit.verbs.plans import summary_lines

    runs, prepare = AuditRuns(options["draws"], options["seed"]), _function if ":" in target else _card
    require_place(output)
    with progress() as tell:
        found = prepare(target, options, runs, tell)
    files = {} if output is None else {name: str(path) for name, path in asdict(found.save(output)).items()}
    if as_json:
        print_json({**found.values(), **files})
    else:
        say(*summary_lines(found.release, files))
    raise SystemExit(REFUTED if found.refuted else 0)


def _card(target: str, options: dict[str, Any], runs: "AuditRuns", tell: "Progress") -> "Audit":
    from tacit.verbs.auditing import audit_method

    context = click.get_current_context()
    for name, instead in FOR_FUNCTIONS.items():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} is for functions; {instead}")
    settings = dict(setting(text) for text in options["changes"])
    return audit_method(target, settings, options["delta"], runs, tell)


def _function(target: str, options: dict[str, Any], runs: "AuditRuns", tell: "Progress") -> "Audit":
    from tacit.verbs.auditing import FunctionClaim, audit_function

    if options["changes"]:
        raise click.UsageError("--set is for methods; a function has no parameters other than dataset and bits")
    epsilon = 1.0 if options["epsilon"] is None else options["epsilon"]
    domain = _domain(options["domain"])
    claim = FunctionClaim(epsilon, options["delta"] or 0, domain, options["most"], options["neighbours"])
    return audit_function(target, claim, runs, tell)


def _domain(text: str) -> list[Any]:
    try:
        rows = json.loads(text)
    except json.JSONDecodeError:
        rows = None
    if not isinstance(rows, list):
        raise click.BadParameter(f"{text!r} is not a JSON list", param_hint="--domain")
    return rows


COMMAND = audit
