"""Cell suppression of Adult: how many cells must go for k-anonymity, as a whole command, against simpler ways."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.section import Section, run, tacit

SIZES = (2, 3, 5, 10)
SECRET = "occupation"
HEADER = ("quasi-identifiers, guarantee", "suppressed cells", "share", "rows whole", "Mondrian", "s", "CPU s", "MB")
REMARK = (
    "30,162 rows. `Rows whole` is the number of cells suppressed if every row in a failing class is suppressed whole; "
    "`Mondrian` suppresses cells too, with hierarchies that have only values and `*`. Every release was checked "
    "again by plain Python, with `*` as a value of its own: sdcMicro's and mu-Argus's figures count a suppressed cell "
    "as equal to every value and can't be compared with these."
)


def measure(data: Path) -> Section | None:
    """Every size of k without a secret, and k = 5 with distinct 3-diversity."""
    home = (data / "tables" / "adult").resolve()
    if not (home / "adult.csv").exists():
        return None
    with TemporaryDirectory() as scratch:
        rows = [_row(home, Path(scratch), k, None) for k in SIZES]
        rows.append(_row(home, Path(scratch), 5, SECRET))
    return Section("suppression", "Cell suppression, as a whole command", HEADER, rows, (REMARK,))


def _row(home: Path, scratch: Path, k: int, secret: str | None) -> list[str]:
    path, plan, release = home / "adult.csv", scratch / "plan.json", scratch / "release.csv"
    plan.write_text(json.dumps(_plan(path, k, secret, "tables/suppress")), encoding="utf-8")
    done = run(tacit("protect", str(plan), "-o", str(release), "--json"))
    assert json.loads(done.output)["holds"]
    assert _fails(_classes(release, secret), k, secret) == 0
    gone, cells = _stars(release, secret)
    plan.write_text(json.dumps(_plan(path, k, secret, "tables/mondrian")), encoding="utf-8")
    run(tacit("protect", str(plan), "-o", str(release), "--json"))
    other, _ = _stars(release, secret)
    whole = _fails(_classes(path, secret), k, secret) * (8 if secret else 9)
    title = f"8 and {secret}, k = {k}, distinct 3-diversity" if secret else f"9, k = {k}"
    figures = (f"{gone:,}", f"{gone / cells:.1%}", f"{whole:,}", f"{other:,}")
    assert gone < min(whole, other)
    return [title, *figures, f"{done.wall:.1f}", f"{done.cpu:.1f}", f"{done.megabytes:.0f}"]


def _plan(path: Path, k: int, secret: str | None, method: str) -> dict[str, Any]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    columns: dict[str, Any] = {}
    for name in rows[0]:
        tree = {"*": sorted({row[name] for row in rows})}
        columns[name] = "sensitive" if name == secret else {"role": "quasi-identifier", "hierarchy": {"tree": tree}}
    guarantees: list[dict[str, Any]] = [{"k-anonymity": {"k": k}}]
    if secret:
        columns[secret] = {"role": "sensitive"}
        guarantees.append({"l-diversity": {"l": 3, "kind": "distinct"}})
    release = {"guarantees": guarantees, "suppression": 0, "method": method}
    return {"version": 1, "data": {"path": str(path), "delimiter": ";"}, "columns": columns, "release": release}


def _rows(path: Path, secret: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """The quasi-identifiers and the secret of each row."""
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=";"):
            yield tuple(value for name, value in row.items() if name != secret), row[secret] if secret else ""


def _classes(path: Path, secret: str | None) -> dict[tuple[str, ...], Counter[str]]:
    classes: dict[tuple[str, ...], Counter[str]] = {}
    for key, value in _rows(path, secret):
        classes.setdefault(key, Counter())[value] += 1
    return classes


def _fails(classes: dict[tuple[str, ...], Counter[str]], k: int, secret: str | None) -> int:
    """The rows in classes of fewer than k rows or, with a secret, fewer than three values."""
    few = 3 if secret else 1
    return sum(counts.total() for counts in classes.values() if counts.total() < k or len(counts) < few)


def _stars(path: Path, secret: str | None) -> tuple[int, int]:
    """The suppressed cells of a release, and all its cells."""
    rows = [key for key, _ in _rows(path, secret)]
    return sum(cell == "*" for key in rows for cell in key), sum(map(len, rows))
