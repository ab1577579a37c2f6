"""A hundred thousand to ten million rows from Parquet to a released Parquet, beside plain DuckDB on the same file."""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.section import Section, run, tacit

SIZES = (100_000, 1_000_000, 10_000_000)
COMBINATIONS = 300_000
QUASI = ("age", "sex", "region", "education", "marital", "job")

GENERATE = """
import sys, duckdb
rows, path = int(sys.argv[1]), sys.argv[2]
def draw(stream):
    return f"((hash(kind * 7919 + {stream} * 104729) % 1000003) / 1000003.0)"
duckdb.connect().execute(f'''copy (select
  18 + cast(floor(70 * {draw(1)} * {draw(2)}) as int) as age,
  case when {draw(3)} < 0.5 then 'female' else 'male' end as sex,
  'R' || lpad(cast(cast(floor(40 * power({draw(4)}, 3)) as int) as varchar), 3, '0') as region,
  'E' || cast(cast(floor(8 * power({draw(5)}, 2)) as int) as varchar) as education,
  'M' || cast(cast(floor(5 * power({draw(6)}, 2)) as int) as varchar) as marital,
  'J' || lpad(cast(cast(floor(20 * power({draw(7)}, 4)) as int) as varchar), 2, '0') as job,
  cast(hash(i + 1) % 100000 as int) as income
  from (select i, cast(floor(COMBINATIONS * power((hash(i) % 1000003) / 1000003.0, 3)) as bigint) as kind
        from range({rows}) t(i)))
  to '{path}' (format parquet)''')
""".replace("COMBINATIONS", str(COMBINATIONS))

PLAIN = f"""
import sys, duckdb
connection = duckdb.connect()
connection.sql(f"select {", ".join(QUASI)}, count(*) from '{{sys.argv[1]}}' group by all").to_arrow_table()
connection.execute(f"copy (select * from '{{sys.argv[1]}}') to '{{sys.argv[2]}}' (format parquet)")
"""


def measure(data: Path) -> Section:
    """Both sides at each size, in one run."""
    rows = []
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for size in SIZES:
            source = folder / f"people-{size}.parquet"
            run([sys.executable, "-c", GENERATE, str(size), str(source)])
            plan = folder / "plan.json"
            plan.write_text(json.dumps(plan_for(source)), encoding="utf-8")
            plain = run([sys.executable, "-c", PLAIN, str(source), str(folder / "copy.parquet")])
            ours = run(tacit("protect", str(plan), "-o", str(folder / "release.parquet"), "--json"))
            rows.append(_row(size, plain, ours, json.loads((folder / "release.evidence.json").read_text())))
            source.unlink()
    return Section(
        "scale",
        "From Parquet to a released Parquet",
        (
            "rows",
            "combinations",
            "plain DuckDB s",
            "`tacit protect` s",
            "ratio",
            "ratio of CPU",
            "MB",
            "nodes tried",
            "suppressed",
        ),
        rows,
        (
            "k = 10, at most 0.1 % of the rows suppressed. Plain DuckDB groups by the six quasi-identifiers and copies "
            "the file, in a separate process. `tacit protect` counts, searches, recodes, reads the release back, "
            "checks it, measures loss and risk, and writes evidence and report.",
        ),
    )


def _row(size: int, plain: Any, ours: Any, evidence: dict[str, Any]) -> list[str]:
    recipe = evidence["body"]["search"]
    return [
        f"{size:,}",
        f"{evidence['body']['risk_before']['classes']:,}",
        f"{plain.wall:.2f}",
        f"{ours.wall:.2f}",
        f"{ours.wall / plain.wall:.2f}",
        f"{ours.cpu / plain.cpu:.2f}",
        f"{ours.megabytes:.0f}",
        f"{recipe['evaluated']:,} of {recipe['candidates']:,}",
        f"{evidence['body']['suppressed']['rows']:,}",
    ]


def plan_for(source: Path) -> dict[str, Any]:
    """Six columns that are generalised, one that stays as it is."""
    hierarchies: dict[str, Any] = {
        "age": {"intervals": [5, 10, 20, 40], "from": 0, "to": 119},
        "sex": {"infer": True},
        "region": {"mask": 3},
        "education": {"tree": {"low": ["E0", "E1", "E2"], "middle": ["E3", "E4"], "high": ["E5", "E6", "E7"]}},
        "marital": {"tree": {"together": ["M0", "M1"], "alone": ["M2", "M3", "M4"]}},
        "job": {"mask": 2},
    }
    columns: dict[str, Any] = {name: {"role": "quasi-identifier", "hierarchy": hierarchies[name]} for name in QUASI}
    return {
        "version": 1,
        "data": {"path": str(source)},
        "columns": {**columns, "income": {"role": "insensitive"}},
        "release": {"guarantees": [{"k-anonymity": {"k": 10}}], "suppression": 0.001},
    }
