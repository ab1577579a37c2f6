"""SPSS, Stata and SAS files: labels for values, missing values that are declared, dates.

Covers duckdb/statistics.
"""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.engines.formats import counted

from tacit.data.sources.source import file_source
from tacit.engines.engine import Engine
from tacit.errors import BadData, MissingExtra

pyreadstat = pytest.importorskip("pyreadstat")
pandas = pytest.importorskip("pandas")

FRAME = pandas.DataFrame(
    {
        "id": [1.0, 2.0, 3.0],
        "sex": [1.0, 2.0, 9.0],
        "born": [date(1980, 1, 2), None, date(1990, 3, 4)],
        "name": ["a", "b", ""],
        "pay": [1.5, None, 3.0],
    }
)
LABELS: dict[str, Any] = {"variable_value_labels": {"sex": {1: "male", 2: "female"}}}
WRITERS: dict[str, tuple[str, dict[str, Any]]] = {
    "t.sav": ("write_sav", {**LABELS, "missing_ranges": {"sex": [9]}}),
    "t.zsav": ("write_sav", {**LABELS, "missing_ranges": {"sex": [9]}, "compress": True}),
    "t.dta": ("write_dta", LABELS),
    "t.xpt": ("write_xport", {}),
    "t.por": ("write_por", {}),
}


@pytest.mark.parametrize("name", WRITERS)
def test_cells_are_what_the_package_shows(engine: Engine, tmp_path: Path, name: str) -> None:
    writer, options = WRITERS[name]
    getattr(pyreadstat, writer)(FRAME, str(tmp_path / name), **options)
    columns = tuple(engine.columns(file_source(tmp_path / name)))
    assert tuple(map(str.lower, columns)) == ("id", "sex", "born", "name", "pay")
    sexes = ("male", "female", "9" if name == "t.dta" else "") if options else ("1", "2", "9")
    assert counted(engine, tmp_path / name, *columns) == {
        ("1", sexes[0], "1980-01-02", "a", "1.5"): 1,
        ("2", sexes[1], "", "b", ""): 1,
        ("3", sexes[2], "1990-03-04", "", "3"): 1,
    }


@pytest.mark.parametrize("name", ["t.sav", "t.dta", "t.sas7bdat", "t.xpt", "t.por"])
def test_what_is_no_such_file_is_refused(engine: Engine, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"a,b\n1,2\n" * 50)
    with pytest.raises(BadData, match=r"is not an? (SPSS|Stata|SAS) file, or it is damaged"):
        engine.columns(file_source(tmp_path / name))


def test_without_the_package_the_extra_is_named(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    (tmp_path / "t.sav").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[statistics\]"):
        engine.columns(file_source(tmp_path / "t.sav"))
