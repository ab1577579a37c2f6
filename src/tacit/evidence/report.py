"""The report: one release as one HTML page that stands alone.

The page asks for nothing from outside and says so to the browser (a content security policy that admits inline styles
and embedded pictures only), has no script, and is set for screens of all widths, in light and dark, and for paper.
Every value passes through escaping; markup comes from this package alone.
"""

from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup
from pydantic_core import to_jsonable_python

from tacit.evidence import board, column_figures, figures, findings, promises, reading, risk_figures
from tacit.evidence.files import write_aside
from tacit.evidence.numerals import chosen, clean, file_size, moment, seconds
from tacit.release import Release

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def write_report(release: Release, path: Path) -> None:
    """Afterwards the report stands at `path`, whole."""
    write_aside(path, render_report(release))


def render_report(release: Release) -> str:
    """The report as text."""
    return TEMPLATE.render(
        release=release,
        policy=POLICY,
        verdict=reading.verdict(release),
        cards=reading.cards(release),
        **_pictures(release),
        **_certificate(release),
    )


def _pictures(release: Release) -> dict[str, Any]:
    return {
        "crowd": risk_figures.crowd(release),
        "promised": findings.measured_promises(release),
        "earlier": [promises.promise_of(finding) for finding in release.guarantees_before],
        "sizes": risk_figures.class_sizes(release),
        "risks": risk_figures.risks(release),
        "risk_table": risk_figures.risk_table(release),
        "singling_out": risk_figures.singling_out(release),
        "attacks": board.attack_rows(release),
        "attack_lead": board.attack_lead(release),
        "costs": column_figures.costs(release),
        "total": column_figures.whole_table(release),
        "cost_table": column_figures.cost_table(release),
        "measures": column_figures.measures(release),
        "columns_values": column_figures.values(release),
    }


def _certificate(release: Release) -> dict[str, Any]:
    plan = to_jsonable_python(release.recipe.plan, inf_nan_mode="strings", fallback=str)
    return {
        "plan_text": yaml.safe_dump(plan, sort_keys=False, allow_unicode=True, width=88),
        "parameters": to_jsonable_python(release.recipe.parameters, inf_nan_mode="strings", fallback=str),
    }


def _template() -> Template:
    place = files("tacit.evidence")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_cleaned
    )
    environment.globals.update(css=Markup(place.joinpath("report.css").read_text("utf-8")), reading=reading)
    environment.filters.update(
        whole=figures.whole,
        part=figures.part,
        limit=lambda value: figures.datum(value, chosen(value)),
        number=figures.plain_number,
        seconds=lambda value: figures.datum(value, seconds(value)),
        size=lambda value: figures.datum(value, file_size(value)),
        moment=moment,
    )
    return environment.from_string(place.joinpath("template.html").read_text("utf-8"))


def _cleaned(value: object) -> object:
    return clean(value) if type(value) is str else value


TEMPLATE = _template()
"""Compiled with the module, which is imported only where a report is wanted."""
