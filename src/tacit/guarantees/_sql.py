"""The second definition of each guarantee: the measure of every class as one SQL query over the rows that were read.

The first definition, `measure` of a guarantee, computes on arrays and is used by the search and by the first check.
This one is written from the same papers and shares no code with it: this file imports nothing from the guarantees, and
a query sees the parameters as they stand in the evidence. So it also states for itself between which numbers every
class must lie, both included up to rounding. p is the share of a value in its class, q in the input.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

Parameters = Mapping[str, Any]


class SqlTables(Protocol):
    """The tables that queries are asked on.

    `classes` has labels and people. Each sensitive column has a table of cells (labels, place of the value, people),
    one that says how often the input has each place, and one of the ancestors of each place. `population` has
    the labels and the people of a population. Where `linked`, `candidates` has one `number` for each group of people
    who are alike in the raw table, `fitting` the pairs of such a group (`owner`) and a published `row` that fits it,
    and `shown` the `number` of times that each `row` was published.
    """

    @property
    def labels(self) -> str:
        """The labels of a class, as a list for SQL."""
        ...

    @property
    def linked(self) -> bool:
        """Whether the raw table was compared with the release, so that there are candidates."""
        ...

    def cells(self, column: str) -> str:
        """The name of the table of cells of a sensitive column."""
        ...

    def reference(self, column: str) -> str:
        """The name of the table that says how often the input has each value of a sensitive column."""
        ...

    def levels(self, column: str) -> str:
        """The name of the table of the ancestors of each value of a sensitive column."""
        ...


@dataclass(frozen=True)
class SqlMeasure:
    """A query with one `measure` for each class, and between which numbers all of them must lie."""

    query: str
    least: float = -inf
    most: float = inf


@dataclass(frozen=True)
class InSql:
    """A definition in SQL, from the tables, the sensitive column and the parameters of the guarantee."""

    define: Callable[[SqlTables, str, Parameters], SqlMeasure]


@dataclass(frozen=True)
class NotInSql:
    """Why there is no second definition; what is measured then rests on the first one alone."""

    reason: str


def class_sizes(tables: SqlTables) -> str:
    """k-anonymity: the people of each class."""
    return "select people as measure from classes"


def diversity(tables: SqlTables, column: str, given: Parameters) -> str:
    """l-diversity in its four meanings."""
    cells, labels = tables.cells(column), tables.labels
    if given["kind"] == "distinct":
        return f"select count(*) as measure from {cells} group by {labels}"
    if given["kind"] == "entropy":
        return f"""select if(min(people) = max(people), count(*), exp(-sum(p * ln(p)))) as measure
            from ({_shares(tables, column)}) group by {labels}"""
    if given["kind"] == "probabilistic":
        return f"""select any_value(classes.people) / max({cells}.people) as measure
            from {cells} join classes using ({labels}) group by {labels}"""
    never = "'inf'::double"
    ranked = f"select *, row_number() over (partition by {labels} order by people desc) as rank from {cells}"
    return f"""select coalesce(max(people) / nullif(sum(people) filter (rank >= {given["l"]}), 0), {never}) as measure
        from ({ranked}) group by {labels}"""


def closeness(tables: SqlTables, column: str, given: Parameters) -> str:
    """t-closeness by its distance."""
    if given["distance"] == "kl":
        return f"""select greatest(sum(case when q > 0 then p * ln(p / q) else 'inf'::double end), 0) as measure
            from ({_beside(tables, column)}) group by {tables.labels}"""
    if given["distance"] == "ordered":
        return _ordered(tables, column)
    if given["distance"] == "hierarchical":
        return _hierarchical(tables, column)
    # Σ|p − q|/2 over all values: those that a class lacks have the rest of q.
    return f"""select (sum(abs(p - q)) + 1 - sum(q)) / 2 as measure
        from ({_beside(tables, column)}) group by {tables.labels}"""


def alpha_share(tables: SqlTables, column: str, given: Parameters) -> str:
    """(α, k)-anonymity: the largest share of a value, infinite below k people."""
    cells, labels = tables.cells(column), tables.labels
    return f"""select case when any_value(classes.people) < {given["k"]} then 'inf'::double
            else max({cells}.people) / any_value(classes.people) end as measure
        from {cells} join classes using ({labels}) group by {labels}"""


def likeness(tables: SqlTables, column: str, given: Parameters) -> str:
    """β-likeness: the largest gain, scaled to its own limit where the kind is enhanced."""
    beta = given["beta"]
    limit = f"least({beta}, -ln(q))" if given["kind"] == "enhanced" else f"{beta}"
    gain = f"""case when p <= q then 0 when q = 0 then 'inf'::double
        when {limit} <= 0 then 'inf'::double else (p - q) / q * {beta} / {limit} end"""
    return f"select max({gain}) as measure from ({_beside(tables, column)}) group by {tables.labels}"


def disclosure(tables: SqlTables, column: str) -> str:
    """δ-disclosure: the largest |ln(p/q)|; infinite where either lacks a value of the other."""
    values = f"(select count(*) from {tables.reference(column)} where people > 0)"
    return f"""select case when count(*) filter (q > 0) < {values} or min(q) = 0 then 'inf'::double
            else max(abs(ln(p / nullif(q, 0)))) end as measure
        from ({_beside(tables, column)}) group by {tables.labels}"""


def fitting(tables: SqlTables) -> str:
    """k-map: the people of the population with the labels of each class."""
    return f"""select coalesce(fits, 0) as measure
        from classes left join ({_fits(tables)}) using ({tables.labels})"""


def presence(tables: SqlTables, given: Parameters) -> str:
    """δ-presence: the share of the population's people in each class that are in the data."""
    absent = f"select count(*) from ({_fits(tables)}) anti join classes using ({tables.labels})"
    share = f"""select case when fits is null then 'inf'::double else people / fits end as measure
        from classes left join ({_fits(tables)}) using ({tables.labels})"""
    return share if given["minimum"] == 0 else f"select if(({absent}) > 0, 0, measure) as measure from ({share})"


def _fits(tables: SqlTables) -> str:
    return f"select {tables.labels}, sum(people) as fits from population group by all having sum(people) > 0"


def _shares(tables: SqlTables, column: str) -> str:
    """p of every cell."""
    labels = tables.labels
    return f"select *, people / sum(people) over (partition by {labels}) as p from {tables.cells(column)}"


def _beside(tables: SqlTables, column: str) -> str:
    """p of every cell beside q of its value."""
    reference = tables.reference(column)
    expected = f"select place, people / greatest((select sum(people) from {reference}), 1) as q from {reference}"
    return f"select * from ({_shares(tables, column)}) join ({expected}) using (place)"


def _ordered(tables: SqlTables, column: str) -> str:
    """Σ_i |P_i − Q_i| / (m − 1) with cumulative shares, summed up between one cell of a class and its next.

    There P is constant, and Q, which rises, passes it at `turn`; `below` adds up the Q of all places before one.
    """
    reference, labels = tables.reference(column), tables.labels
    return f"""
        with whole as (select greatest(sum(people), 1) as people, count(*) as places from {reference}),
        rising as (select place, sum(people) over (order by place) / (select people from whole) as q from {reference}),
        below as (
            select place + 1 as place, sum(q) over (order by place) as q from rising union all select 0, 0
        ),
        turns as (select q, min(place) as turn from rising group by q),
        steps as (
            select {labels}, place, sum(p) over running as p, row_number() over running = 1 as first,
                lead(place, 1, (select places from whole)) over running as until
            from ({_shares(tables, column)}) window running as (partition by {labels} order by place)
        ),
        turned as (
            select steps.*, greatest(least(coalesce(turn, until), until), place) as turn
            from steps asof left join turns on steps.p <= turns.q
        )
        select sum(
            turned.p * (2 * turn - turned.place - until) - 2 * there.q + here.q + beyond.q + if(first, here.q, 0)
        ) / greatest((select places from whole) - 1, 1) as measure
        from turned join below as here on here.place = turned.place
        join below as there on there.place = turn join below as beyond on beyond.place = until
        group by {labels}"""


def _hierarchical(tables: SqlTables, column: str) -> str:
    """The mean over the levels below the root of Σ max(p − q, 0) over the nodes of the level."""
    levels, labels, reference = tables.levels(column), tables.labels, tables.reference(column)
    here = f"""select {labels}, level, node, sum(p) as p from ({_shares(tables, column)}) join {levels} using (place)
        group by all"""
    everywhere = f"""select level, node, sum(people) / greatest((select sum(people) from {reference}), 1) as q
        from {reference} join {levels} using (place) group by all"""
    height = f"greatest((select count(distinct level) from {levels}), 1)"
    return f"""select coalesce(sum(greatest(p - q, 0)), 0) / {height} as measure
        from ({here}) join ({everywhere}) using (level, node) group by {labels}"""


def candidates(tables: SqlTables) -> str:
    """k-concealment: the candidates of everybody or, where the raw table was not needed, the people of each class."""
    return "select number as measure from candidates" if tables.linked else class_sizes(tables)


def uniqueness(tables: SqlTables, column: str) -> str:
    """m-invariance, of one release: the rows of each class, 0 where two of them share a value."""
    return f"""select case when max(people) > 1 then 0 else count(*) end as measure
        from {tables.cells(column)} group by {tables.labels}"""


CLASS_SIZES = InSql(lambda tables, column, given: SqlMeasure(class_sizes(tables), least=given["k"]))
CANDIDATES = InSql(lambda tables, column, given: SqlMeasure(candidates(tables), least=given["k"]))
POPULATION = InSql(lambda tables, column, given: SqlMeasure(fitting(tables), least=given["k"]))
PRESENCE = InSql(
    lambda tables, column, given: SqlMeasure(presence(tables, given), least=given["minimum"], most=given["maximum"])
)
DIVERSITY = InSql(
    lambda tables, column, given: SqlMeasure(
        diversity(tables, column, given),
        least=-inf if given["kind"] == "recursive" else given["l"],
        most=given["c"] if given["kind"] == "recursive" else inf,
    )
)
CLOSENESS = InSql(lambda tables, column, given: SqlMeasure(closeness(tables, column, given), most=given["t"]))
ALPHA_SHARE = InSql(lambda tables, column, given: SqlMeasure(alpha_share(tables, column, given), most=given["alpha"]))
LIKENESS = InSql(lambda tables, column, given: SqlMeasure(likeness(tables, column, given), most=given["beta"]))
DISCLOSURE = InSql(lambda tables, column, given: SqlMeasure(disclosure(tables, column), most=given["delta"]))
UNIQUENESS = InSql(lambda tables, column, given: SqlMeasure(uniqueness(tables, column), least=given["m"]))
