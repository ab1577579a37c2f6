"""How time and memory of local recoding and of Mondrian grow with the rows of a table like Adult, to ten million."""

import csv
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.section import Run, Section, run, tacit

SIZES = {"mondrian": (10_000, 100_000, 1_000_000, 10_000_000), "local": (10_000, 100_000, 1_000_000)}
PEOPLE = 5

# Row i repeats a random row of Adult; three cells in ten are those of other random rows.
GENERATE = """
import sys, duckdb
size, adult, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
connection = duckdb.connect()
connection.execute(
    f"create table adult as select * from read_csv('{adult}', delim=';', header=true, all_varchar=true)"
)
rows = connection.execute("select count(*) from adult").fetchall()[0][0]
names = [column[0] for column in connection.execute("describe adult").fetchall()]
for name in names:
    connection.execute(f'create table "values of {name}" as select list("{name}" order by rowid) as v from adult')
def cell(place, name):
    luck, other = f"hash(i * 32 + {2 * place + 1}) % 10 < 3", f"hash(i * 32 + {2 * place + 2})"
    row = f"cast((case when {luck} then {other} else hash(i * 32) end) % {rows} as int)"
    return f'list_extract((select v from "values of {name}"), 1 + {row}) as "{name}"'
cells = ", ".join(cell(place, name) for place, name in enumerate(names))
connection.execute(f"copy (select {cells} from range({size}) t(i)) to '{path}' (format parquet)")
"""

CHECK = """
import sys, duckdb
duckdb.sql("set enable_progress_bar = false")
classes = f"(select *, count(*) as n from '{sys.argv[1]}' group by all)"
print(*duckdb.sql(f"select min(n), count(*) from {classes}").fetchall()[0])
"""

HEADER = ("method", "rows", "combinations", "classes", "loss", "s", "CPU s", "CPU exponent", "method s", "MB")
REMARK = (
    "Rows drawn with replacement from Adult (nine columns, k = 5, hierarchy nodes as labels, default parameters); "
    "three cells in ten replaced by those of other rows, so that the combinations grow with the rows. Whole command "
    "from Parquet to a released Parquet, read back and checked, with evidence and report; compiled code is cached. "
    "`CPU exponent`: the growth of CPU time since the line above, 1 if ten times the rows take ten times the time. "
    "`method s` is the part between counting the file and writing the release. Every release was counted again by "
    "DuckDB in the benchmark."
)


@dataclass(frozen=True)
class Place:
    """The folder of Adult, and one for what is made."""

    adult: Path
    scratch: Path

    def table(self, size: int) -> Path:
        """Where the table of a size is."""
        return self.scratch / f"people-{size}.parquet"


def measure(data: Path) -> Section | None:
    """Both methods at their sizes."""
    adult = (data / "tables" / "adult").resolve()
    if not adult.exists():
        return None
    with TemporaryDirectory() as scratch:
        place = Place(adult, Path(scratch))
        for size in max(SIZES.values(), key=len):
            run([sys.executable, "-c", GENERATE, str(size), str(adult / "adult.csv"), str(place.table(size))])
        _protect(place, "local", min(SIZES["local"]))
        rows = [row for method in SIZES for row in _rows(place, method)]
    return Section("growth", "Growth: tables like Adult, to ten million rows", HEADER, rows, (REMARK,))


def _rows(place: Place, method: str) -> list[list[str]]:
    rows = []
    before: tuple[int, float] | None = None
    for size in SIZES[method]:
        done = _protect(place, method, size)
        rows.append(_row(place, method, size, done, before))
        before = size, done.cpu
    return rows


def _protect(place: Place, method: str, size: int) -> Run:
    plan = place.scratch / "plan.json"
    plan.write_text(json.dumps(_plan(place, method, size)), encoding="utf-8")
    return run(tacit("protect", str(plan), "-o", str(place.scratch / "release.parquet"), "--json"))


def _row(place: Place, method: str, size: int, done: Run, before: tuple[int, float] | None) -> list[str]:
    found = json.loads(done.output)
    evidence = json.loads((place.scratch / "release.evidence.json").read_text(encoding="utf-8"))
    assert found["holds"]
    smallest, classes = require(place.scratch / "release.parquet")
    assert smallest >= PEOPLE
    exponent = "" if before is None else f"{math.log(done.cpu / before[1]) / math.log(size / before[0]):.2f}"
    return [
        f"`tables/{method}`",
        f"{size:,}",
        f"{evidence['body']['risk_before']['classes']:,}",
        f"{classes:,}",
        f"{found['metrics']['loss']:.5f}",
        f"{done.wall:.1f}",
        f"{done.cpu:.1f}",
        exponent,
        f"{evidence['seconds']['decide']:.1f}",
        f"{done.megabytes:.0f}",
    ]


def require(release: Path) -> tuple[int, int]:
    """The rows of the smallest class of a release and the number of its classes, counted by plain SQL."""
    smallest, classes = run([sys.executable, "-c", CHECK, str(release)]).output.split()
    return int(smallest), int(classes)


def _plan(place: Place, method: str, size: int) -> dict[str, Any]:
    with (place.adult / "adult.csv").open(newline="", encoding="utf-8") as file:
        names = next(csv.reader(file, delimiter=";"))
    columns = {
        name: {"role": "quasi-identifier", "hierarchy": str(place.adult / f"adult_hierarchy_{name}.csv")}
        for name in names
    }
    return {
        "version": 1,
        "data": {"path": str(place.table(size))},
        "columns": columns,
        "release": {
            "guarantees": [{"k-anonymity": {"k": PEOPLE}}],
            "suppression": 0,
            "method": f"tables/{method}",
        },
    }
