"""An export as hospitals make it goes through `inspect` and `protect` with one edit, and every column is read right.

Decimal commas and points between thousands, three ways to write a date, padding, five words for missing values, a title
or two lines of names, cp1252 and CRLF.

Covers inspection/form, inspection/habits, duckdb/cells, hierarchies/dates, runs/tables.
"""

import random
from datetime import date, timedelta
from pathlib import Path

import pytest

import tacit
from tacit.plan.load import load_plan
from tacit.verbs.plans import inspect_file, protect_plan

NAMES = ["PatientenNr", "GebDatum", "Geschlecht", "PLZ", "Gewicht [kg]", "Kosten €", "Hauptdiagnose"]
GROUPS = ["Patient", "Patient", "Patient", "Patient", "Messung", "Messung", "Messung"]
MISSING = ["", "NULL", "N/A", "-", "k.A.", " "]


def export(people: int = 150) -> list[list[str]]:
    """Rows of visits, messy as in life."""
    draw = random.Random(3)

    def absent(text: str, share: float = 0.06) -> str:
        return draw.choice(MISSING) if draw.random() < share else text

    def dated(day: date) -> str:
        form = draw.choices(["%d.%m.%Y", "%Y-%m-%d", "%m/%d/%y"], [16, 2, 1])[0]
        return absent(day.strftime(form))

    rows = []
    for person in range(people):
        born = date(1940, 1, 1) + timedelta(days=draw.randrange(25_000))
        sex, code = draw.choice("mw"), draw.choice(["01067", "01069", "80331", "80333"])
        for _ in range(draw.choice([1, 1, 2, 4])):
            weight = f"{draw.gauss(78, 12):.1f}".replace(".", ",") + draw.choice(["", "", " "])
            cost = f"{draw.randint(1, 30)}.{draw.randint(0, 999):03d},{draw.randint(0, 99):02d}"
            illness = draw.choice(
                ["I10.90", "E11.9", "J18.9", "C50.9", "K35.8", "F32.1", "B20", "S72.0", "O80", "M54.5"]
            )
            padded = sex + draw.choice(["", "", "  "])
            rows.append([str(1000 + 7 * person), dated(born), padded, absent(code), absent(weight), cost, illness])
    return rows


def written(path: Path, *above: str) -> Path:
    lines = [*above, ";".join(NAMES), *map(";".join, export())]
    path.write_bytes("".join(f"{line}\r\n" for line in lines).encode("cp1252"))
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("above", "names", "edits"),
    [
        ((), NAMES, {}),
        (("Export KIS 12.03.2024 - vertraulich", ""), NAMES, {"skip": 2}),
        ((";".join(GROUPS),), [f"{group} {name}" for group, name in zip(GROUPS, NAMES, strict=True)], {"header": 2}),
    ],
)
def test_an_export_is_read_as_what_it_is(
    tmp_path: Path, above: tuple[str, ...], names: list[str], edits: dict[str, int]
) -> None:
    path = written(tmp_path / "export.csv", *above)
    plan = inspect_file(path, {}).plan
    drafted = load_plan(plan).file
    found = drafted.data.model_dump(exclude_unset=True)
    assert found == {
        "path": "export.csv",
        "delimiter": ";",
        "encoding": "cp1252",
        **edits,
        "trim": True,
        "missing": ("-", "N/A", "NULL", "k.A."),
        "decimal": ",",
        "thousands": ".",
    }
    look = tacit.inspect(path).suggestions
    assert list(look) == names
    kinds = [look[name].kind for name in names]
    assert [kinds[0], *kinds[2:4], kinds[6]] == ["record-id", "sex", "postal-code", "diagnosis"]
    assert kinds[1] in ("date", "birth-date")
    assert kinds[4] in ("number", "health")
    assert kinds[5] in ("number", "money")
    formats = drafted.columns[names[1]].hierarchy
    assert formats is not None
    assert formats.formats == ("%d.%m.%Y", "%Y-%m-%d", "%m/%d/%y")

    # The one edit: who is a person.
    lines = plan.read_text(encoding="utf-8").splitlines()
    text = "\n".join(f"unit: {names[0]}" if line.startswith("unit:") else line for line in lines)
    plan.write_text(text.replace("release:", "release:\n  output: out.csv", 1), encoding="utf-8")
    outcome = protect_plan(plan)
    assert all(promise.holds for promise in outcome.release.measured)
    shown = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert "k.A." not in shown
    assert "NULL" not in shown
    assert tacit.check(tmp_path / "out.csv", plan=plan).holds


def test_numbers_are_released_with_a_point(tmp_path: Path) -> None:
    rows = "".join(f"{'ab'[n % 2]};{n % 5}.{n:03d},5\n" for n in range(20))
    (tmp_path / "t.csv").write_text("group;pay\n" + rows)
    data = tacit.read(
        tmp_path / "t.csv", {"group": "quasi-identifier", "pay": "insensitive"}, decimal=",", thousands="."
    )
    tacit.protect(data, tacit.KAnonymity(k=5), output=tmp_path / "out.csv")
    first = (tmp_path / "out.csv").read_text().splitlines()[:4]
    assert first == ["group;pay", "a;0.5", "b;1001.5", "a;2002.5"]


@pytest.mark.slow
def test_a_release_is_written_to_a_workbook(tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter")
    fastexcel = pytest.importorskip("fastexcel")
    (tmp_path / "t.csv").write_text("zip,pay\n" + "".join(f"0{n % 3}067,{n}.5\n" for n in range(30)))
    data = tacit.read(tmp_path / "t.csv", {"zip": "quasi-identifier", "pay": "insensitive"})
    made = tacit.protect(data, tacit.KAnonymity(k=5), output=tmp_path / "out.xlsx")
    assert made.output == tmp_path / "out.xlsx"
    cells = fastexcel.read_excel(str(tmp_path / "out.xlsx")).load_sheet(0).to_arrow()
    assert cells.column("zip")[0].as_py() == "00067"
    assert cells.column("pay").to_pylist()[:3] == [0.5, 1.5, 2.5]
