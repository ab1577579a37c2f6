"""What is verified: the rows of a release as they were read, and what the promises compare them with.

Three tables in their own database, in memory: `rows` (labels q0, q1, …; sensitive values s0, s1, …; the person, where a
unit is named; the number n of rows), `classes` (labels, people) and, for each sensitive column, `cells` (labels, the
place of the value in its column, people). Wholly suppressed rows do not form a class.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from tacit.data.sources.arrow import from_numbers, from_texts
from tacit.data.tables.counting import TallyRequest
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED
from tacit.data.tables.linkage import Linkage
from tacit.data.tables.tally import SensitiveTally, Tally
from tacit.spreadsheet import guarded
from tacit.verification.candidates import enter_candidates

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Case:
    """The distinct rows of a release as text, the last column counting them; what its columns are; what is known.

    `sensitive` gives the values of each sensitive column, how often the input has them, their order and hierarchy.
    `population` has the labels that the release would give its people, and their number as rows. `linkage` has the raw
    table beside the release, if something was promised that its classes alone do not show.
    """

    distinct: "pa.Table"
    reading: TallyRequest
    sensitive: Mapping[str, SensitiveTally] = field(default_factory=dict)
    population: Tally | None = None
    linkage: Linkage | None = None

    @property
    def linked(self) -> bool:
        """Whether the raw table was compared with the release, so that there are candidates."""
        return self.linkage is not None

    @property
    def labels(self) -> str:
        """The labels of a class, as a list for SQL; one constant if there is no quasi-identifier."""
        return ", ".join(f"q{i}" for i in range(max(len(self.reading.quasi_identifiers), 1)))

    @property
    def people(self) -> str:
        """How to count people in a group of rows."""
        return "count(distinct person)" if self.reading.unit else "sum(n)::bigint"

    def cells(self, column: str) -> str:
        """The name of the table of cells of a sensitive column."""
        return f"cells{self.reading.sensitive.index(column)}"

    def reference(self, column: str) -> str:
        """The name of the table that says how often the input has each value of a sensitive column."""
        return f"reference{self.reading.sensitive.index(column)}"

    def levels(self, column: str) -> str:
        """The name of the table of the ancestors of each value of a sensitive column."""
        return f"levels{self.reading.sensitive.index(column)}"


@contextmanager
def database_of(case: Case) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A database in memory with the tables of the case; it ends with the block."""
    import duckdb

    with duckdb.connect(":memory:") as connection:
        connection.execute("set enable_progress_bar = false")
        connection.execute("set autoinstall_known_extensions = false")
        _enter_rows(connection, case)
        for j, column in enumerate(case.reading.sensitive):
            _enter_column(connection, case, j, _on_its_scale(case, column))
        if case.population is not None:
            connection.register("population", _labelled(case.population))
        if case.linkage is not None:
            enter_candidates(connection, case.linkage)
        yield connection


def _enter_rows(connection: "duckdb.DuckDBPyConnection", case: Case) -> None:
    reading = case.reading
    count = case.distinct.column_names[-1]
    renamed = {name: f"q{i}" for i, name in enumerate(reading.quasi_identifiers)}
    renamed |= {name: f"s{j}" for j, name in enumerate(reading.sensitive)}
    shown = tuple(renamed.values())
    renamed |= {reading.unit: "person"} if reading.unit else {}
    table = case.distinct.select([*renamed, count]).rename_columns([*renamed.values(), "n"])
    connection.register("read", table)
    constant = "" if reading.quasi_identifiers else "0 as q0, "
    starred = " and ".join(f"{name} = '{SUPPRESSED}'" for name in shown) or "false"
    connection.execute(f"create table rows as select {constant}* from read where not ({starred})")
    connection.execute(f"create table starred as select coalesce(sum(n), 0)::bigint as n from read where {starred}")
    if not reading.sensitive and connection.execute("select count(*) from rows").fetchone() == (0,):
        # Nothing tells full generalisation from suppression; it is the one class of full generalisation.
        connection.execute(f"insert into rows select {constant}* from read")
    connection.execute(f"create table classes as select {case.labels}, {case.people} as people from rows group by all")


def _on_its_scale(case: Case, column: str) -> SensitiveTally:
    """What is known of a column, its values placed as the plan orders them, those that nobody has included.

    The first definition is given such a scale; this one makes its own, so that it does not rest on the same count.
    """
    known = case.sensitive[column]
    declared = case.reading.orders.get(column, ())
    before = (value for value in known.values if value == MISSING)
    scale = tuple(dict.fromkeys((*before, *declared, *known.values))) if declared else known.values
    people = dict(zip(known.values, known.reference.tolist(), strict=False))
    counts = np.array([people.get(value, 0) for value in scale], dtype=np.int64)
    return replace(known, values=scale, reference=counts)


def _enter_column(connection: "duckdb.DuckDBPyConnection", case: Case, j: int, known: SensitiveTally) -> None:
    import pyarrow as pa

    values = {guarded(value): place for place, value in enumerate(known.values)}
    values |= {value: place for place, value in enumerate(known.values)}
    places = np.array(list(values.values()), dtype=np.int64)
    texts = pa.table({"text": from_texts(list(values)), "place": from_numbers(places)})
    order = np.arange(len(known.values), dtype=np.int64)
    counts = pa.table({"place": from_numbers(order), "people": from_numbers(known.reference)})
    connection.register("texts", texts)
    connection.register("counts", counts)
    connection.execute(f"create table reference{j} as select place, people::bigint as people from counts")
    connection.execute(
        f"create table cells{j} as select {case.labels}, place, {case.people} as people "
        f"from rows join texts on text = s{j} group by all"
    )
    if known.hierarchy is not None:
        connection.register("ancestors", _ancestors(known))
        connection.execute(f"create table levels{j} as select * from ancestors")


def _ancestors(known: SensitiveTally) -> "pa.Table":
    """The label of every value at every level below the root."""
    import pyarrow as pa

    assert known.hierarchy is not None
    hierarchy = known.hierarchy.with_missing() if MISSING in known.values else known.hierarchy
    places = [place for place, value in enumerate(known.values) if value in hierarchy.leaves]
    leaves = hierarchy.place(tuple(known.values[place] for place in places))
    rows = [
        (place, level, hierarchy.labels[level][hierarchy.codes[level][leaf]])
        for level in range(hierarchy.height)
        for place, leaf in zip(places, leaves, strict=True)
    ]
    place, level, node = zip(*rows, strict=True) if rows else ((), (), ())
    numbers = (from_numbers(np.array(column, dtype=np.int64)) for column in (place, level))
    return pa.table([*numbers, from_texts(node)], names=["place", "level", "node"])


def _labelled(population: Tally) -> "pa.Table":
    import pyarrow as pa

    columns = {
        f"q{c}": pa.DictionaryArray.from_arrays(from_numbers(codes), from_texts(values)).cast(pa.large_string())
        for c, (codes, values) in enumerate(zip(population.codes, population.values, strict=True))
    }
    constant = {"q0": from_numbers(np.zeros(population.combinations, dtype=np.int64))}
    return pa.table({**(columns or constant), "people": from_numbers(population.rows)})
