"""The optimal full-domain generalisation by trying every node, in plain Python over rows."""

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tests.oracle.judge import Row, Scene, keeps, measure

Paths = dict[str, dict[str, list[str]]]


@dataclass(frozen=True)
class Search:
    """What is searched; `paths[column][leaf]` are the labels of a leaf from level 0 to the root."""

    rows: list[Row]
    paths: Paths
    guarantees: list[tuple[str, dict[str, Any]]]
    limit: float
    objective: str
    weights: dict[str, float]
    unit: str | None = None
    population: list[Row] | None = None
    sensitive_paths: Paths | None = None
    domains: dict[str, list[str]] | None = None


@dataclass(frozen=True)
class Candidate:
    """A node, what it costs, how many rows it suppresses."""

    node: tuple[int, ...]
    cost: float
    suppressed: int


def best(search: Search) -> Candidate | None:
    """The cheapest node among those that suppress few enough rows and leave some."""
    heights = [len(next(iter(paths.values()))) for paths in search.paths.values()]
    nodes = itertools.product(*(range(height) for height in heights))
    found = [candidate for node in nodes if (candidate := evaluate(search, node)) is not None]
    return min(found, key=lambda candidate: candidate.cost) if found else None


def exact(guarantees: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """The same with 0.6 as three fifths, which no float is."""
    return [
        (name, {key: Fraction(str(value)) if isinstance(value, float) else value for key, value in params.items()})
        for name, params in guarantees
    ]


def generalised(search: Search, rows: list[Row], node: tuple[int, ...]) -> list[Row]:
    levels = dict(zip(search.paths, node, strict=True))
    return [
        {name: search.paths[name][value][levels[name]] if name in levels else value for name, value in row.items()}
        for row in rows
    ]


def evaluate(search: Search, node: tuple[int, ...]) -> Candidate | None:
    """The candidate, or None where it suppresses too many rows or all, or fails as a whole."""
    published = generalised(search, search.rows, node)
    quasi = tuple(search.paths)
    scene = _scene(search, published, node)
    failing: set[tuple[str, ...]] = set()
    for name, params in exact(search.guarantees):
        measured = measure(name, params, scene)
        for rows, value in zip(scene.classes(), measured, strict=True):
            if not keeps(name, params, value):
                failing.add(scene.key(rows[0]))
    kept = [row for row in published if tuple(row[name] for name in quasi) not in failing]
    suppressed = len(published) - len(kept)
    if suppressed > math.floor(search.limit * len(published) + 1e-9) or not kept:
        return None
    after = _scene(search, kept, node)
    for name, params in exact(search.guarantees):
        if not all(keeps(name, params, value) for value in measure(name, params, after)):
            return None
    return Candidate(node, _cost(search, node, published, failing), suppressed)


def _scene(search: Search, rows: list[Row], node: tuple[int, ...]) -> Scene:
    population = None if search.population is None else generalised(search, search.population, node)
    return Scene(
        rows,
        tuple(search.paths),
        search.rows,
        search.unit,
        population,
        search.domains or {},
        search.sensitive_paths or {},
    )


def _cost(search: Search, node: tuple[int, ...], published: list[Row], failing: set[tuple[str, ...]]) -> float:
    quasi = tuple(search.paths)
    keys = [tuple(row[name] for name in quasi) for row in published]
    gone = [key in failing for key in keys]
    sizes = Counter(key for key, is_gone in zip(keys, gone, strict=True) if not is_gone)
    if search.objective == "discernibility":
        return sum(size**2 for size in sizes.values()) + sum(gone) * len(published)
    if search.objective == "average-class-size":
        return len(published) / (len(sizes) + (1 if any(gone) else 0))
    weight = sum(search.weights.values())
    return sum(
        search.weights[name] / weight * _column(search, name, level, gone)
        for name, level in zip(quasi, node, strict=True)
    )


def _column(search: Search, name: str, level: int, gone: list[bool]) -> float:
    paths = search.paths[name]
    height = len(next(iter(paths.values()))) - 1
    leaves = len(paths)
    values = [row[name] for row in search.rows]
    seen = Counter(values)
    total = 0.0
    for value, is_gone in zip(values, gone, strict=True):
        at = height if is_gone else _least(paths, value, level)
        if search.objective == "distortion":
            total += at
        elif search.objective == "precision":
            total += 1.0 if is_gone else (at / height if height else 0.0)
        elif search.objective == "loss":
            label = paths[value][level]
            covered = sum(path[level] == label for path in paths.values())
            total += 1.0 if is_gone else ((covered - 1) / (leaves - 1) if leaves > 1 else 0.0)
        else:
            total += _bits(paths, seen, value, height if is_gone else level)
    if search.objective == "non-uniform-entropy":
        whole = sum(_bits(paths, seen, value, height) for value in values)
        return total / whole if whole > 0 else 0.0
    return total / len(values)


def _least(paths: dict[str, list[str]], value: str, level: int) -> int:
    """The least level at which the same label covers the same leaves."""

    def covered(at: int) -> set[str]:
        return {leaf for leaf, path in paths.items() if path[at] == paths[value][at]}

    return next(
        at for at in range(level + 1) if paths[value][at] == paths[value][level] and covered(at) == covered(level)
    )


def _bits(paths: dict[str, list[str]], seen: Counter[str], value: str, level: int) -> float:
    label = paths[value][level]
    alike = sum(count for other, count in seen.items() if paths[other][level] == label)
    return math.log2(alike / seen[value])
