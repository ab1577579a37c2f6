"""Exports as hospitals make them, from the file to a checked release: what is edited, what is read as what it is.

Invented visits of 600 patients: decimal commas and points between thousands, dates in three forms, padded cells, five
words for missing values, cp1252 and CRLF; a title above the names, two lines of names, English names, 200 columns.
Drafts go to `tacit protect` unedited. What comes out is counted in plain Python: the patients in each class of rows
that look the same in the published quasi-identifiers.
"""

import csv
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from bench.inspect import _loss, _run
from bench.section import Section

PATIENTS = 600
MISSING = ("", "NULL", "N/A", "-", "k.A.", " ")
COLUMNS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("PatientenNr", "patient_id", ("record-id",)),
    ("Fall-ID", "case_id", ("record-id",)),
    ("Nachname", "last_name", ("name",)),
    ("Vorname", "first_name", ("name",)),
    ("GebDatum", "date_of_birth", ("birth-date",)),
    ("Geschlecht", "gender", ("sex",)),
    ("PLZ", "zip", ("postal-code",)),
    ("Wohnort", "city", ("category",)),
    ("Krankenkasse", "insurance", ("category", "health")),
    ("Aufnahmedatum", "admission_date", ("date",)),
    ("Hauptdiagnose (ICD-10)", "icd10", ("diagnosis",)),
    ("Gewicht [kg]", "weight_kg", ("number", "health")),
    ("Größe cm", "height_cm", ("number", "health")),
    ("Blutdruck sys/dia", "blood_pressure", ("health",)),
    ("Raucher", "smoker", ("category", "boolean", "health")),
    ("Beruf", "job", ("category",)),
    ("Kosten €", "cost_eur", ("money", "number")),
    ("Bemerkung", "remark", ("free-text",)),
)
"""German and English name of each column, and as what it may be read."""
TITLES = ("Export KIS 12.03.2024 - vertraulich", "")
HEADER = (
    "export", "rows", "columns", "read as what they are", "unit found", "edits", "patients alone", "loss of the draft",
)  # fmt: skip


@dataclass(frozen=True)
class Export:
    """A file, and where its names stand."""

    title: str
    names: tuple[str, ...]
    above: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    further: int = 0


def measure(data: Path) -> Section:
    """Every export, from `tacit inspect` to the release of its draft."""
    german, english = tuple(one[0] for one in COLUMNS), tuple(one[1] for one in COLUMNS)
    groups = ("Patient",) * 9 + ("Fall",) * 2 + ("Messung",) * 7
    exports = (
        Export("German names", german),
        Export("English names", english),
        Export("a title above the names", german, TITLES),
        Export("two lines of names", german, groups=groups),
        Export("182 laboratory columns more", german, further=182),
    )
    with TemporaryDirectory(prefix="exports-") as scratch:
        found = [_exported(export, Path(scratch) / f"{place}.csv") for place, export in enumerate(exports)]
    remarks = (
        "Drafts went to `tacit protect` as they were, so that no edit was needed where the last column has a loss. "
        "`patients alone`: in a class of fewer than five patients, counted in plain Python over the release.",
        "",
        f"Columns read as something else: {'; '.join(wrong for _, wrong in found if wrong) or 'none'}.",
    )
    return Section("exports", "Messy exports, as they are", HEADER, [line for line, _ in found], remarks)


def _exported(export: Export, path: Path) -> tuple[list[str], str]:
    rows = visits(export.further)
    names = [*export.names, *(f"Lab_{number:03d}" for number in range(export.further))]
    lines = [*export.above, *([";".join(export.groups)] if export.groups else []), ";".join(names)]
    text = [*lines, *(";".join(row) for row in rows)]
    path.write_bytes("".join(f"{line}\r\n" for line in text).encode("cp1252"))
    plan = path.with_suffix(".yaml")
    found = json.loads(_run("inspect", str(path), "-o", str(plan), "--json").stdout)
    kinds = [column["kind"] for column in found["columns"]]
    allowed = [one[2] for one in COLUMNS] + [("number",)] * export.further
    wrong = [name for name, kind, may in zip(names, kinds, allowed, strict=True) if kind not in may]
    done = _run("protect", str(plan), "-o", str(path.with_suffix(".out.csv")), "--json")
    alone = "refused" if done.returncode else f"{_alone(plan, rows)}"
    unit = str(found["unit"]["column"] or "").split()[-1:] == [export.names[0]]
    right = f"{len(names) - len(wrong)} of {len(names)}"
    told = "yes" if unit else "no"
    line = [export.title, f"{len(rows):,}", str(len(names)), right, told, "0", alone, _loss(done)]
    return line, ", ".join(f"{export.title}: {name}" for name in wrong)


def _alone(plan: Path, rows: Sequence[Sequence[str]]) -> int:
    """The patients in classes of fewer than five, in a release whose rows keep their order."""
    form: dict[str, Any] = yaml.safe_load(plan.read_text(encoding="utf-8"))
    form["release"]["shuffle"] = False
    ordered, output = plan.with_suffix(".ordered.json"), plan.with_suffix(".ordered.csv")
    ordered.write_text(json.dumps(form, default=str), encoding="utf-8")
    assert _run("protect", str(ordered), "-o", str(output)).returncode == 0
    with output.open(newline="", encoding="utf-8") as file:
        released = list(csv.DictReader(file, delimiter=";"))
    known = [name for name, column in form["columns"].items() if column["role"] == "quasi-identifier"]
    classes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for shown, raw in zip(released, rows, strict=True):
        if any(cell != "*" for cell in shown.values()):
            classes[tuple(shown[name] for name in known)].add(raw[0])
    return len({patient for patients in classes.values() if len(patients) < 5 for patient in patients})


def visits(further: int) -> list[list[str]]:
    """Rows of visits, messy as in life; `further` columns of laboratory values, half of them empty."""
    draw = random.Random(7)

    def absent(text: str, share: float = 0.05) -> str:
        return draw.choice(MISSING) if draw.random() < share else text

    def dated(day: date) -> str:
        return absent(day.strftime(draw.choices(["%d.%m.%Y", "%Y-%m-%d", "%m/%d/%y"], [16, 2, 1])[0]))

    def measured(mean: float, spread: float, places: int) -> str:
        return absent(f"{draw.gauss(mean, spread):.{places}f}".replace(".", ",") + draw.choice(["", "", "", " "]))

    rows: list[list[str]] = []
    for number in range(PATIENTS):
        born = date(1925, 1, 1) + timedelta(days=draw.randrange(35_000))
        family = draw.choice(["Müller", "Weiß", "Schäfer", "Öztürk", "Meyer", "Schmidt", "Kühn", "Böhm", "Jäger"])
        given = draw.choice(["Jürgen", "Käthe", "Anna", "Björn", "Zoë", "Paul", "Renée", "Ingrid", "Ümit", "Lena"])
        sex, code = draw.choice("mw"), draw.choice(["01067", "01069", "04109", "10115", "20095", "80331", "80333"])
        for _ in range(draw.choice([1, 1, 1, 2, 3, 6])):
            visit = [
                str(100_000 + 7 * number),
                f"F{len(rows):07d}",
                family + draw.choice(["", "", "", " "]),
                given,
                dated(born),
                sex + draw.choice(["", "", "  "]),
                absent(code),
                draw.choice(["Dresden", "Leipzig", "Berlin", "Hamburg", "München"]),
                draw.choice(["AOK", "TK", "Barmer", "DAK", "privat"]),
                dated(date(2022, 1, 1) + timedelta(days=draw.randrange(700))),
                draw.choice(["I10.90", "E11.9", "J18.9", "C50.9", "K35.8", "F32.1", "B20", "S72.0", "O80", "M54.5"]),
                measured(78, 15, 1),
                measured(170, 10, 0),
                f"{draw.randint(95, 180)}/{draw.randint(55, 110)}",
                draw.choice(["ja", "nein", "J", "N", ""]),
                draw.choice(["Lehrer", "Bäcker", "Rentner", "Ärztin", "Fahrer", ""]),
                f"{draw.randint(1, 30)}.{draw.randint(0, 999):03d},{draw.randint(0, 99):02d}",
                draw.choice(["", "Pat. klagt über Schmerzen, siehe Brief", "Rückspr. mit Ehefrau 0171-5551234"]),
            ]
            labs = (measured(5, 2, 2) if draw.random() < 0.5 else "" for _ in range(further))
            rows.append([*visit, *labs])
    return rows
