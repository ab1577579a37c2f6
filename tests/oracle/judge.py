"""A second opinion on every guarantee for tables: plain Python over rows, exact where numbers are rational.

Rows are dicts of text. Nothing here comes from the package, so that a mistake would have to be made twice.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

Row = dict[str, str]
Number = Fraction | float


@dataclass(frozen=True)
class Scene:
    """What is published, by which columns it is seen, and what it is compared with."""

    rows: list[Row]
    quasi: tuple[str, ...]
    input: list[Row]
    unit: str | None = None
    population: list[Row] | None = None
    domains: dict[str, list[str]] = field(default_factory=dict)
    paths: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def key(self, row: Row) -> tuple[str, ...]:
        return tuple(row[name] for name in self.quasi)

    def classes(self) -> list[list[Row]]:
        keys = sorted({self.key(row) for row in self.rows})
        return [[row for row in self.rows if self.key(row) == key] for key in keys]

    def people(self, rows: list[Row]) -> int:
        return len(rows) if self.unit is None else len({row[self.unit] for row in rows})

    def having(self, rows: list[Row], column: str, value: str) -> int:
        return self.people([row for row in rows if row[column] == value])

    def distribution(self, rows: list[Row], column: str) -> dict[str, Fraction]:
        counts = {value: self.having(rows, column, value) for value in self.domains[column]}
        whole = sum(counts.values())
        return {value: Fraction(count, whole) for value, count in counts.items()}


def measure(name: str, params: dict[str, Any], scene: Scene) -> list[Number]:
    """What each class reaches, in the order of the classes' keys."""
    return [_MEASURES[name](rows, params, scene) for rows in scene.classes()]


def keeps(name: str, params: dict[str, Any], measured: Number) -> bool:
    """Whether a class that measures this keeps the promise; exact for fractions."""
    if name in ("k-anonymity", "k-concealment", "k-map"):
        return measured >= params["k"]
    if name == "m-invariance":
        return measured >= params["m"]
    if name == "l-diversity":
        return measured < params["c"] if params["kind"] == "recursive" else _nearly_at_least(measured, params["l"])
    if name == "delta-presence":
        return params["minimum"] <= measured <= params["maximum"]
    if name == "delta-disclosure":
        return measured < params["delta"]
    return measured <= params[{"t-closeness": "t", "alpha-k-anonymity": "alpha", "beta-likeness": "beta"}[name]]


def _nearly_at_least(measured: Number, bound: Number) -> bool:
    """Only the effective number of values is no fraction; equal ones must count as equal."""
    return measured >= bound or (isinstance(measured, float) and math.isclose(measured, bound, rel_tol=1e-13))


def _k_anonymity(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    return Fraction(scene.people(rows))


def _k_map(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    assert scene.population is not None
    return Fraction(sum(scene.key(other) == scene.key(rows[0]) for other in scene.population))


def _delta_presence(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    assert scene.population is not None
    published = {scene.key(row) for row in scene.rows}
    if params["minimum"] > 0 and any(scene.key(other) not in published for other in scene.population):
        return Fraction(0)
    fits = sum(scene.key(other) == scene.key(rows[0]) for other in scene.population)
    return Fraction(scene.people(rows), fits) if fits else math.inf


def _l_diversity(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    column = params["column"]
    falling = sorted((scene.having(rows, column, value) for value in {row[column] for row in rows}), reverse=True)
    if params["kind"] == "distinct":
        return Fraction(len(falling))
    if params["kind"] == "entropy":
        return math.exp(-sum(c / sum(falling) * math.log(c / sum(falling)) for c in falling))
    if params["kind"] == "recursive":
        tail = sum(falling[int(params["l"]) - 1 :])
        return Fraction(falling[0], tail) if tail else math.inf
    return Fraction(scene.people(rows), falling[0])


def _alpha_k(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    if scene.people(rows) < params["k"]:
        return math.inf
    column = params["column"]
    return max(Fraction(scene.having(rows, column, row[column]), scene.people(rows)) for row in rows)


def _beta_likeness(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    p = scene.distribution(rows, params["column"])
    q = scene.distribution(scene.input, params["column"])
    gains: list[Number] = [Fraction(0)]
    for value in p:
        if p[value] > q[value] == 0:
            return math.inf
        if p[value] > q[value]:
            gain = (p[value] - q[value]) / q[value]
            strict = params["kind"] == "enhanced" and -math.log(q[value]) < params["beta"]
            gains.append(float(gain) * float(params["beta"]) / -math.log(q[value]) if strict else gain)
    return max(gains)


def _delta_disclosure(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    p = scene.distribution(rows, params["column"])
    q = scene.distribution(scene.input, params["column"])
    largest = 0.0
    for value in p:
        if (p[value] == 0) != (q[value] == 0):
            return math.inf
        if p[value]:
            largest = max(largest, abs(math.log(p[value] / q[value])))
    return largest


def _t_closeness(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    column, distance = params["column"], params["distance"]
    p, q = scene.distribution(rows, column), scene.distribution(scene.input, column)
    if distance == "kl":
        if any(p[value] > 0 == q[value] for value in p):
            return math.inf
        return math.fsum(float(p[value]) * math.log(p[value] / q[value]) for value in p if p[value])
    if distance in ("equal", "variational"):
        return sum((abs(p[value] - q[value]) for value in p), Fraction(0)) / 2
    domain = scene.domains[column]
    apart = ordered_distances(domain) if distance == "ordered" else tree_distances(domain, scene.paths[column])
    return earth_mover([float(p[v]) for v in domain], [float(q[v]) for v in domain], apart)


def ordered_distances(domain: Sequence[str]) -> list[list[float]]:
    """|i − j| / (m − 1)."""
    widest = max(len(domain) - 1, 1)
    return [[abs(i - j) / widest for j in range(len(domain))] for i in range(len(domain))]


def tree_distances(domain: Sequence[str], paths: dict[str, list[str]]) -> list[list[float]]:
    """The first level at which two leaves have one label, over the height."""

    def meet(a: str, b: str) -> float:
        height = len(paths[a]) - 1
        return next(level for level in range(height + 1) if paths[a][level] == paths[b][level]) / max(height, 1)

    return [[meet(a, b) for b in domain] for a in domain]


def earth_mover(p: Sequence[float], q: Sequence[float], apart: Sequence[Sequence[float]]) -> float:
    """The least cost of a flow with row sums p and column sums q, found by linear programming."""
    m = len(p)
    sums = np.zeros((2 * m, m * m))
    for i in range(m):
        sums[i, i * m : (i + 1) * m] = 1
        sums[m + i, i::m] = 1
    # One of the 2m equations follows from the others; leaving it out keeps rounding from making them contradict.
    answer = linprog(np.ravel(apart), A_eq=sums[:-1], b_eq=[*p, *q][:-1], bounds=(0, None), method="highs")
    assert answer.success, answer.message
    return float(answer.fun)


def _m_invariance(rows: list[Row], params: dict[str, Any], scene: Scene) -> Number:
    """Of one release: its rows, 0 where two share a value."""
    values = {row[params["column"]] for row in rows}
    shared = any(scene.having(rows, params["column"], value) > 1 for value in values)
    return Fraction(0) if shared else Fraction(min(scene.people(rows), len(values)))


_MEASURES: dict[str, Callable[[list[Row], dict[str, Any], Scene], Number]] = {
    "k-anonymity": _k_anonymity,
    # Of a table by itself; of a raw table and its release, see tests/guarantees/test_k_concealment.py.
    "k-concealment": _k_anonymity,
    "k-map": _k_map,
    "delta-presence": _delta_presence,
    "l-diversity": _l_diversity,
    "m-invariance": _m_invariance,
    "alpha-k-anonymity": _alpha_k,
    "beta-likeness": _beta_likeness,
    "delta-disclosure": _delta_disclosure,
    "t-closeness": _t_closeness,
}
