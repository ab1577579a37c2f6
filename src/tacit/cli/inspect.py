"""`tacit inspect DATA`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.terminal import print_json, progress

if TYPE_CHECKING:
    from tacit.inspection.examine import Inspection


@click.command("inspect")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Where to write the draft plan; by default beside DATA."
)
@click.option("--delimiter", help="Between cells, where DATA is a CSV file; guessed by default.")
@click.option("--encoding", default="utf-8", show_default=True, help="Of a CSV file.")
@click.option("--table", help="Of an SQLite database.")
@click.option("--sheet", help="Of an Excel workbook.")
@click.option("--force", is_flag=True, help="Replace a plan that is there.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def inspect(data: Path, output: Path | None, force: bool, as_json: bool, **reading: Any) -> None:
    """Look at DATA without a plan: what each column seems to be and why, who stands out; write a draft plan."""
    from tacit.data.sources.header import read_header
    from tacit.data.sources.source import file_source
    from tacit.engines.duckdb import DuckDB
    from tacit.inspection.draft import draft_plan
    from tacit.inspection.examine import data_section, examine

    source = file_source(data, **reading)
    if source.format == "csv" and not source.delimiter:
        source = file_source(data, **{**reading, "delimiter": read_header(source).delimiter})
    plan = output or data.with_name(f"{data.stem}.plan.yaml")
    _require_place(plan, data, force)
    with progress() as tell, DuckDB() as engine:
        tell("looking at the columns")
        found = examine(engine, source)
    section = {**data_section(source), "path": _path_from(plan, data)}
    _write(plan, draft_plan(section, found.suggestions))
    if as_json:
        print_json(_values(found, plan))
    else:
        _show(found, data, plan)


def _require_place(plan: Path, data: Path, force: bool) -> None:
    """The draft takes nobody's place unasked, and never that of the data."""
    from tacit.errors import PolicyRefused

    if plan.exists() and plan.samefile(data):
        raise PolicyRefused(f"the plan {plan} would take the place of the data; name another with -o")
    if plan.exists() and not force:
        raise PolicyRefused(f"{plan} is there already; name another with -o, or replace it with --force")


def _path_from(plan: Path, data: Path) -> str:
    """The data as the plan names it: relative to the plan's folder, where there is a way."""
    import os

    try:
        return Path(os.path.relpath(data.resolve(), plan.resolve().parent)).as_posix()
    except ValueError:
        return str(data.resolve())


def _write(plan: Path, draft: str) -> None:
    from tacit.atomic import aside

    with aside(plan) as partial:
        partial.write_text(draft, encoding="utf-8")


def _values(found: "Inspection", plan: Path) -> dict[str, Any]:
    return {
        "plan": str(plan),
        "rows": found.rows,
        "columns": [
            {
                "name": profile.name,
                "type": profile.type,
                "distinct": profile.distinct,
                "missing": profile.missing,
                "role": found.suggestions[profile.name].role,
                "kind": found.suggestions[profile.name].kind,
                "reason": found.suggestions[profile.name].reason,
            }
            for profile in found.profiles
        ],
        "unique": found.unique.model_dump(mode="json") if found.unique else None,
        "singling_out": [entry.model_dump(mode="json") for entry in found.singling_out],
    }


def _show(found: "Inspection", data: Path, plan: Path) -> None:
    wide = max(len(profile.name) for profile in found.profiles)
    click.echo(f"{data.name}: {found.rows:,} rows, {len(found.profiles)} columns\n")
    for profile in found.profiles:
        guess = found.suggestions[profile.name]
        click.echo(f"  {profile.name:<{wide}}  {guess.role:<16}  {guess.reason}")
    if found.unique:
        click.echo(
            f"\n{found.unique.unique:,} of {found.rows:,} rows ({found.unique.share:.1%}) are unique on the "
            f"{len(found.unique.columns)} quasi-identifiers together; on fewer columns:"
        )
        for entry in found.singling_out:
            click.echo(f"  {entry.unique:>9,}  {entry.share:>6.1%}  {', '.join(entry.columns)}")
    click.echo(f"\nA draft plan is in {plan}: check the roles, then run `tacit protect {plan}`")


COMMAND = inspect
