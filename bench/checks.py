"""All checks of all guarantees on the raw Adult table, beside pycanon where it is installed."""

from pathlib import Path
from time import perf_counter
from typing import Any

from bench.adult import COLUMNS
from bench.section import Section

CHECKS: tuple[dict[str, dict[str, Any]], ...] = (
    {"k-anonymity": {"k": 5}},
    {"l-diversity": {"l": 3, "kind": "distinct"}},
    {"l-diversity": {"l": 3, "kind": "entropy"}},
    {"l-diversity": {"l": 3, "c": 2, "kind": "recursive"}},
    {"l-diversity": {"l": 3, "kind": "probabilistic"}},
    {"t-closeness": {"t": 0.2, "distance": "equal"}},
    {"t-closeness": {"t": 0.2, "distance": "kl"}},
    {"t-closeness": {"t": 0.2, "distance": "hierarchical"}},
    {"alpha-k-anonymity": {"alpha": 0.5, "k": 5}},
    {"beta-likeness": {"beta": 1, "kind": "basic"}},
    {"beta-likeness": {"beta": 1, "kind": "enhanced"}},
    {"delta-disclosure": {"delta": 1}},
    {"k-map": {"k": 5}},
    {"delta-presence": {"minimum": 0, "maximum": 0.5}},
)


def measure(data: Path) -> Section | None:
    """The seconds of each check, and of the same by pycanon."""
    folder = data / "tables" / "adult"
    if not folder.exists():
        return None
    begin = perf_counter()
    classes = _classes(folder)
    counted = perf_counter() - begin
    theirs = _pycanon(folder)
    rows, total = [], 0.0
    for entry in CHECKS:
        (name, params), *_ = entry.items()
        seconds, measured = _check(entry, classes)
        total += seconds
        label = ", ".join(f"{key} {value}" for key, value in params.items())
        rows.append(
            [f"{name} ({label})", f"{measured:.4g}", f"{seconds * 1000:.1f}", theirs.get(_key(name, params), "")]
        )
    rows.append(["all together", "", f"{total * 1000:.0f}", ""])
    rows.append(["reading and counting the file", "", f"{counted * 1000:.0f}", ""])
    return Section(
        "checks",
        "Adult: every check on the raw table",
        ("guarantee", "measured", "ms", "pycanon ms"),
        rows,
        ("8 quasi-identifiers, occupation sensitive, Adult itself as the population. Empty: not run with pycanon.",),
    )


def _classes(folder: Path) -> Any:
    from dataclasses import replace

    from tacit.data.tables.classes import classes_of
    from tacit.engines.duckdb import DuckDB
    from tacit.runs.tables.count import count
    from tacit.verbs.reading import read

    columns: dict[str, Any] = dict.fromkeys(COLUMNS, "quasi-identifier")
    columns["occupation"] = {"role": "sensitive", "hierarchy": str(folder / "adult_hierarchy_occupation.csv")}
    with DuckDB() as engine:
        tally = count(read(folder / "adult.csv", columns, delimiter=";"), engine)
    return classes_of(replace(tally, population=tally.rows))


def _check(entry: dict[str, dict[str, Any]], classes: Any) -> tuple[float, float]:
    from tacit.guarantees.catalogue import parse_table_guarantee
    from tacit.guarantees.guarantee import check

    begin = perf_counter()
    finding = check(parse_table_guarantee(entry), classes)
    return perf_counter() - begin, finding.measured


def _key(name: str, params: dict[str, Any]) -> str:
    return f"{name} {params['kind']}" if "kind" in params else name


def _pycanon(folder: Path) -> dict[str, str]:
    try:
        import pandas
        from pycanon import anonymity
    except ImportError:
        return {}
    table = pandas.read_csv(folder / "adult.csv", sep=";")
    quasi = [name for name in COLUMNS if name != "occupation"]
    begin = perf_counter()
    anonymity.k_anonymity(table, quasi)
    found = {"k-anonymity": f"{(perf_counter() - begin) * 1000:.0f}"}
    for key, function in (
        ("l-diversity distinct", anonymity.l_diversity),
        ("l-diversity entropy", anonymity.entropy_l_diversity),
    ):
        begin = perf_counter()
        function(table, quasi, ["occupation"])
        found[key] = f"{(perf_counter() - begin) * 1000:.0f}"
    return found
