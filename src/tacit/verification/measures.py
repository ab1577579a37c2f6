"""Each guarantee's measure of every class, as one SQL query over the tables of a case.

The definitions are those that the guarantees state; the code is another. p is the share of a value in its class, q in
the input. `LIMITS` says between which numbers every class must lie, both included up to rounding.
"""

from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from tacit.verification.case import Case

Parameters = Mapping[str, Any]


def classes_sizes(case: Case, column: str, given: Parameters) -> str:
    """k-anonymity: the people of each class."""
    return "select people as measure from classes"


def diversity(case: Case, column: str, given: Parameters) -> str:
    """l-diversity in its four meanings."""
    cells, labels = case.cells(column), case.labels
    if given["kind"] == "distinct":
        return f"select count(*) as measure from {cells} group by {labels}"
    if given["kind"] == "entropy":
        return f"select exp(-sum(p * ln(p))) as measure from ({_shares(case, column)}) group by {labels}"
    if given["kind"] == "probabilistic":
        return f"""select any_value(classes.people) / max({cells}.people) as measure
            from {cells} join classes using ({labels}) group by {labels}"""
    never = "'inf'::double"
    ranked = f"select *, row_number() over (partition by {labels} order by people desc) as rank from {cells}"
    return f"""select coalesce(max(people) / nullif(sum(people) filter (rank >= {given["l"]}), 0), {never}) as measure
        from ({ranked}) group by {labels}"""


def closeness(case: Case, column: str, given: Parameters) -> str:
    """t-closeness by its distance."""
    if given["distance"] == "kl":
        return f"""select greatest(sum(case when q > 0 then p * ln(p / q) else 'inf'::double end), 0) as measure
            from ({_beside(case, column)}) group by {case.labels}"""
    if given["distance"] == "ordered":
        return _ordered(case, column)
    if given["distance"] == "hierarchical":
        return _hierarchical(case, column)
    # Σ|p − q|/2 over all values: those that a class lacks have the rest of q.
    return f"""select (sum(abs(p - q)) + 1 - sum(q)) / 2 as measure
        from ({_beside(case, column)}) group by {case.labels}"""


def alpha_share(case: Case, column: str, given: Parameters) -> str:
    """(α, k)-anonymity: the largest share of a value, infinite below k people."""
    cells, labels = case.cells(column), case.labels
    return f"""select case when any_value(classes.people) < {given["k"]} then 'inf'::double
            else max({cells}.people) / any_value(classes.people) end as measure
        from {cells} join classes using ({labels}) group by {labels}"""


def likeness(case: Case, column: str, given: Parameters) -> str:
    """β-likeness: the largest gain, scaled to its own limit where the kind is enhanced."""
    beta = given["beta"]
    limit = f"least({beta}, -ln(q))" if given["kind"] == "enhanced" else f"{beta}"
    gain = f"""case when p <= q then 0 when q = 0 then 'inf'::double
        when {limit} <= 0 then 'inf'::double else (p - q) / q * {beta} / {limit} end"""
    return f"select max({gain}) as measure from ({_beside(case, column)}) group by {case.labels}"


def disclosure(case: Case, column: str, given: Parameters) -> str:
    """δ-disclosure: the largest |ln(p/q)|; infinite where either lacks a value of the other."""
    values = f"(select count(*) from {case.reference(column)} where people > 0)"
    return f"""select case when count(*) filter (q > 0) < {values} or min(q) = 0 then 'inf'::double
            else max(abs(ln(p / nullif(q, 0)))) end as measure
        from ({_beside(case, column)}) group by {case.labels}"""


def fitting(case: Case, column: str, given: Parameters) -> str:
    """k-map: the people of the population with the labels of each class."""
    return f"""select coalesce(fits, 0) as measure
        from classes left join ({_fits(case)}) using ({case.labels})"""


def presence(case: Case, column: str, given: Parameters) -> str:
    """δ-presence: the share of the population's people in each class that are in the data."""
    absent = f"select count(*) from ({_fits(case)}) anti join classes using ({case.labels})"
    share = f"""select case when fits is null then 'inf'::double else people / fits end as measure
        from classes left join ({_fits(case)}) using ({case.labels})"""
    return share if given["minimum"] == 0 else f"select if(({absent}) > 0, 0, measure) as measure from ({share})"


def _fits(case: Case) -> str:
    return f"select {case.labels}, sum(people) as fits from population group by all having sum(people) > 0"


def _shares(case: Case, column: str) -> str:
    """p of every cell."""
    labels = case.labels
    return f"select *, people / sum(people) over (partition by {labels}) as p from {case.cells(column)}"


def _beside(case: Case, column: str) -> str:
    """p of every cell beside q of its value."""
    reference = case.reference(column)
    expected = f"select place, people / greatest((select sum(people) from {reference}), 1) as q from {reference}"
    return f"select * from ({_shares(case, column)}) join ({expected}) using (place)"


def _ordered(case: Case, column: str) -> str:
    """Σ_i |P_i − Q_i| / (m − 1) with cumulative shares, summed up between one cell of a class and its next.

    There P is constant, and Q, which rises, passes it at `turn`; `below` adds up the Q of all places before one.
    """
    reference, labels = case.reference(column), case.labels
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
            from ({_shares(case, column)}) window running as (partition by {labels} order by place)
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


def _hierarchical(case: Case, column: str) -> str:
    """The mean over the levels below the root of Σ max(p − q, 0) over the nodes of the level."""
    levels, labels, reference = case.levels(column), case.labels, case.reference(column)
    here = f"""select {labels}, level, node, sum(p) as p from ({_shares(case, column)}) join {levels} using (place)
        group by all"""
    everywhere = f"""select level, node, sum(people) / greatest((select sum(people) from {reference}), 1) as q
        from {reference} join {levels} using (place) group by all"""
    height = f"greatest((select count(distinct level) from {levels}), 1)"
    return f"""select coalesce(sum(greatest(p - q, 0)), 0) / {height} as measure
        from ({here}) join ({everywhere}) using (level, node) group by {labels}"""


MEASURES: Mapping[str, Callable[[Case, str, Parameters], str]] = {
    "k-anonymity": classes_sizes,
    "l-diversity": diversity,
    "t-closeness": closeness,
    "alpha-k-anonymity": alpha_share,
    "beta-likeness": likeness,
    "delta-disclosure": disclosure,
    "k-map": fitting,
    "delta-presence": presence,
}

LIMITS: Mapping[str, Callable[[Parameters], tuple[float, float]]] = {
    "k-anonymity": lambda given: (given["k"], inf),
    "l-diversity": lambda given: (-inf, given["c"]) if given["kind"] == "recursive" else (given["l"], inf),
    "t-closeness": lambda given: (-inf, given["t"]),
    "alpha-k-anonymity": lambda given: (-inf, given["alpha"]),
    "beta-likeness": lambda given: (-inf, given["beta"]),
    "delta-disclosure": lambda given: (-inf, given["delta"]),
    "k-map": lambda given: (given["k"], inf),
    "delta-presence": lambda given: (given["minimum"], given["maximum"]),
}
