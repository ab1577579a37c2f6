"""How a file is read is proposed with reasons: its form from its first lines, its habits from all of its cells.

Covers inspection/form, inspection/habits, examine.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import tacit
from tacit.data.sources.profile import ColumnProfile
from tacit.inspection.habits import missing_words
from tacit.plan.load import parse_plan

ROWS = "".join(f"{20 + n % 60};{'mf'[n % 2]};{60 + n % 30},{n % 10}\n" for n in range(40))


def proposed(folder: Path, text: str | bytes, name: str = "t.csv", **told: Any) -> dict[str, Any]:
    """What the draft says of reading the file, beside its path, and a reason for each guess."""
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    found = tacit.inspect(path, **told)
    section = parse_plan(found.draft, "draft").data.model_dump(exclude_unset=True)
    assert set(found.reasons) <= set(section)
    assert section.pop("path") == name
    section.pop("delimiter", None)
    return section


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age;sex;weight\n" + ROWS, {"decimal": ","}),
        ("Export of 2024\n\nage;sex;weight\n" + ROWS, {"skip": 2, "decimal": ","}),
        ("Export;;\nage;sex;weight\n" + ROWS, {"skip": 1, "decimal": ","}),
        ("Person;;Visit\nage;sex;weight\n" + ROWS, {"header": 2, "decimal": ","}),
        ("age;sex;weight\nyears;;kg\n" + ROWS, {"header": 2, "decimal": ","}),
        (ROWS, {"header": 0, "decimal": ","}),
        (ROWS.replace(";", "; "), {"header": 0, "trim": True, "decimal": ","}),
        ("age;sex;weight\n" + ROWS.replace("f", "NULL"), {"missing": ("NULL",), "decimal": ","}),
        ("age;größe;weight\n".encode("cp1252") + ROWS.encode(), {"encoding": "cp1252", "decimal": ","}),
        (("age;größe;weight\n" + ROWS).encode("utf-16"), {"encoding": "utf-16", "decimal": ","}),
        ("age,sex,weight\n" + ROWS.replace(",", ".").replace(";", ","), {}),
        ("id;pay\n" + "".join(f"a{n};{n % 7 + 1}.{n:03d},50\n" for n in range(40)), {"decimal": ",", "thousands": "."}),
        ("id;pay\n" + "".join(f"a{n};{n % 7 + 1},{n:03d}.5\n" for n in range(40)), {"thousands": ","}),
        ("id,pay\n" + "".join(f'a{n},"{n % 7 + 1},{n:03d}"\n' for n in range(40)), {"thousands": ","}),
        ("Szkoła;Płeć\n".encode("cp1250") + b"".join(b"a%d;M\n" % n for n in range(9)), {"encoding": "cp1250"}),
        (
            "id;pay\n" + "".join(f"a{n};{n % 7 + 1}\u202f{n:03d},5\n" for n in range(40)),
            {"decimal": ",", "thousands": " "},
        ),
        ("id;code\n" + "".join(f"a{n};{n % 7 + 1}.{n:03d}\n" for n in range(40)), {}),
    ],
)
def test_what_a_file_needs_is_proposed_and_nothing_else(
    tmp_path: Path, text: str | bytes, expected: dict[str, Any]
) -> None:
    assert proposed(tmp_path, text) == expected


def test_what_is_told_is_not_guessed(tmp_path: Path) -> None:
    text = "age;sex;weight\n" + ROWS.replace("f", " NULL")
    told = {"trim": False, "missing": ["x"], "decimal": "."}
    assert proposed(tmp_path, text, **told) == {"missing": ("x",)}


def test_the_first_person_is_no_name(tmp_path: Path) -> None:
    """As in UCI's Adult: no line of names, and a space before each cell."""
    jobs = ("Private", "State-gov", "Never-worked")
    text = "".join(
        f"{17 + n % 50}, {jobs[n % 3]}, {70_000 + 13 * n % 900}, {'<=50K' if n % 4 else '>50K'}\n" for n in range(60)
    )
    (tmp_path / "adult.data").write_text(text)
    found = tacit.inspect(tmp_path / "adult.data")
    assert list(found.suggestions) == ["column_1", "column_2", "column_3", "column_4"]
    assert found.rows == 60
    assert "looks like a row of data" in found.draft


def profile(*values: str, blanks: tuple[str, ...]) -> ColumnProfile:
    return ColumnProfile("c", "VARCHAR", 9, 0, 9, 9, 1, 9, 0.0, examples=(*values, *blanks), blanks=blanks)


@pytest.mark.parametrize(
    ("values", "blanks", "expected"),
    [
        (("1", "2"), ("none", "NULL"), ("none", "NULL")),
        (("mild", "severe"), ("none", "NULL"), ("NULL",)),
        (("+", "++"), ("-",), ()),
        (("a", "b"), ("-",), ("-",)),
        (tuple(a + b for a in "ABCD" for b in "EFG"), ("NA",), ()),
        (("DE", "FR"), ("NA",), ("NA",)),
        (("01.02.1999", "03.04.2001"), ("unbekannt",), ("unbekannt",)),
    ],
)
def test_words_for_missing_values(values: tuple[str, ...], blanks: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert missing_words(profile(*values, blanks=blanks)) == expected


def test_a_number_of_nines_is_remarked_and_not_told(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age,city\n" + "".join(f"{n},x{n % 3}\n" for n in [*range(20, 60), 999]))
    found = tacit.inspect(tmp_path / "t.csv")
    assert found.source.missing == ()
    assert "'age': a number such as 999 or -9 is far from the others" in found.draft


def test_a_data_frame_has_habits_too() -> None:
    frame = pa.table({"weight": ["70,5 ", "61,25", "NULL"] * 10, "sex": ["m", "f", "m "] * 10})
    found = tacit.inspect(frame)
    assert (found.source.trim, found.source.decimal, found.source.missing) == (True, ",", ("NULL",))
    assert {p.name: p.distinct for p in found.profiles} == {"weight": 2, "sex": 2}


def test_the_look_says_how_many_columns_it_looked_at(tmp_path: Path) -> None:
    from tacit.verbs.plans import inspect_file

    path = tmp_path / "t.csv"
    names = [f"v{n}" for n in range(30)]
    path.write_text(
        "\n".join(
            [",".join(names), *(",".join("abc"[(n * n + m + n * m // 7) % 3] for m in range(30)) for n in range(40))]
        )
    )
    lines = "\n".join(inspect_file(path, {}).look.lines)
    assert "unique on the first 24 of the 30 quasi-identifiers (the others were not examined) together" in lines


def test_numbers_that_pandas_wrote_are_no_codes(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("smoker,visits\n" + "".join(f"{n % 2}.0,{n % 15}.0\n" for n in range(60)))
    found = tacit.inspect(tmp_path / "t.csv").suggestions
    assert found["smoker"].kind == "boolean"
    assert found["visits"].kind == "number"
    assert "mask" not in str([guess.hierarchy for guess in found.values()])
