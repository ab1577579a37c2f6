"""`tacit protect PLAN`."""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import complain, print_json, progress, say


@click.command("protect")
@click.argument("plan", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Where to write the release; a table as .csv, .parquet, .sqlite or .xlsx.",
)
@click.option(
    "--public", is_flag=True, help="Also write a page for recipients: a codebook, without any figure about the input."
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def protect(plan: Path, output: Path | None, public: bool, as_json: bool) -> None:
    """Make a release of the data that PLAN names, under its guarantees, with evidence and a report beside it."""
    from tacit.verbs.plans import protect_plan

    with progress() as tell:
        outcome = protect_plan(plan, output, tell, public=public)
    for remark in outcome.remarks:
        complain(remark)
    show(outcome, as_json)


def show(outcome: Any, as_json: bool) -> None:
    """Prints what came out, in lines or as JSON."""
    from tacit.verbs.plans import summary_lines

    if as_json:
        print_json(release_values(outcome))
    else:
        files = {name: str(path) for name, path in outcome.files.named.items()}
        say(*summary_lines(outcome.release, files))


def release_values(outcome: Any) -> dict[str, Any]:
    """The outcome as plain values: what all releases have, and what their bodies have beside it."""
    release, files = outcome.release, {name: str(path) for name, path in outcome.files.named.items()}
    whole = release.model_dump(mode="json")
    body = whole["body"]
    search = body.get("search", {})
    told = {
        name: body[name]
        for name in ("metrics", "competition", "advice", "drawn", "classes", "rows", "spent", "left")
        if name in body
    }
    told |= {name: search[name] for name in ("levels", "optimal", "lower_bound") if name in search}
    return {
        "output": files["release"],
        "kind": release.kind,
        "holds": release.holds,
        "may_be_published": release.may_be_published,
        "seeded": release.seeded,
        "guarantees": whole["promises"],
        **told,
        **({"suppressed": body["suppressed"]["rows"]} if "suppressed" in body else {}),
        **({"seconds": release.seconds["total"]} if release.seconds else {}),
        "notes": whole["notes"],
        **{name: path for name, path in files.items() if name != "release"},
    }


COMMAND = protect
