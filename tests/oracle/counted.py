"""The package's tallies and classes, made from rows or counts in the plainest way."""

from collections.abc import Sequence

import numpy as np
from tests.oracle.judge import Row, Scene

from tacit.data.tables.classes import Classes, Frequencies, classes_of
from tacit.data.tables.grouping import EntryGroups
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.tally import Census, SensitiveTally, Tally


def whole(numbers: Sequence[int]) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


def census_of(pairs: list[tuple[int, str | None]], keys: int) -> Census:
    """The census of (key, person) pairs, one a row; without persons every row counts."""
    settled = [0] * keys
    spread: set[tuple[int, int]] = set()
    people = sorted({person for _, person in pairs if person is not None})
    for key, person in pairs if people == [] else sorted(set(pairs)):
        if person is None or len({k for k, p in pairs if p == person}) == 1:
            settled[key] += 1
        else:
            spread.add((key, people.index(person)))
    return Census(whole(settled), whole([k for k, _ in sorted(spread)]), whole([p for _, p in sorted(spread)]))


def tally_of(scene: Scene, columns: tuple[str, ...], sensitive: dict[str, bool]) -> Tally:
    """The tally of the scene's rows by `columns`; `sensitive` says of each column whether its domain is ordered."""

    def key(row: Row) -> tuple[str, ...]:
        return tuple(row[name] for name in columns)

    keys = sorted({key(row) for row in [*scene.rows, *(scene.population or [])]})
    values = tuple(tuple(sorted({each[c] for each in keys})) for c in range(len(columns)))
    codes = [[values[c].index(each[c]) for each in keys] for c in range(len(columns))]
    combination = [keys.index(key(row)) for row in scene.rows]
    who = [None if scene.unit is None else row[scene.unit] for row in scene.rows]
    fits = [sum(key(other) == each for other in scene.population or []) for each in keys]
    return Tally(
        columns=columns,
        values=values,
        codes=np.array(codes, dtype=np.int32).reshape(len(columns), len(keys)),
        rows=whole([combination.count(i) for i in range(len(keys))]),
        people=census_of(list(zip(combination, who, strict=True)), len(keys)),
        sensitive={c: _sensitive(scene, c, (combination, who), ordered) for c, ordered in sensitive.items()},
        population=None if scene.population is None else whole(fits),
    )


def _sensitive(scene: Scene, column: str, at: tuple[list[int], list[str | None]], ordered: bool) -> SensitiveTally:
    domain = scene.domains[column]
    cell_of_row = [(i, domain.index(row[column])) for i, row in zip(at[0], scene.rows, strict=True)]
    cells = sorted(set(cell_of_row))
    pairs = [(cells.index(cell), person) for cell, person in zip(cell_of_row, at[1], strict=True)]
    paths = scene.paths.get(column)
    return SensitiveTally(
        column=column,
        values=tuple(domain),
        combination=whole([i for i, _ in cells]),
        value=whole([v for _, v in cells]),
        census=census_of(pairs, len(cells)),
        reference=whole([scene.having(scene.input, column, value) for value in domain]),
        ordered=ordered,
        hierarchy=None if paths is None else Hierarchy.from_paths(column, [paths[leaf] for leaf in paths]),
    )


def grouping_of(group: Sequence[int]) -> EntryGroups:
    """Entry i belongs to group[i]; the numbers used are 0, 1, …, without gaps."""
    return EntryGroups(whole(group), whole([list(group).index(g) for g in range(max(group, default=-1) + 1)]))


def classes_by(tally: Tally, columns: tuple[str, ...]) -> Classes:
    """The classes of a tally that arise when only these of its columns are seen."""
    kept = [tally.columns.index(name) for name in columns]
    keys = [tuple(tally.values[c][tally.codes[c, i]] for c in kept) for i in range(tally.combinations)]
    numbered = sorted(set(keys))
    return classes_of(tally.merged(grouping_of([numbered.index(key) for key in keys])))


def classes_from(
    counts: Sequence[Sequence[int]],
    reference: Sequence[int] | None = None,
    ordered: bool = False,
    paths: Sequence[Sequence[str]] | None = None,
) -> Classes:
    """Classes of one sensitive column `s`, where counts[i][v] people of class i have value v and nobody has two."""
    table = np.array(counts, dtype=np.int64)
    class_, value = np.nonzero(table)
    values = tuple(path[0] for path in paths) if paths else tuple(f"v{v}" for v in range(table.shape[1]))
    total = table.sum(axis=0) if reference is None else whole(reference)
    hierarchy = Hierarchy.from_paths("s", paths) if paths else None
    frequencies = Frequencies(values, class_, value, table[class_, value], total, ordered, hierarchy)
    sizes = table.sum(axis=1)
    return Classes(sizes, sizes, {"s": frequencies})


def merged(classes: Classes, group: Sequence[int]) -> Classes:
    """The classes after class i became part of class group[i], everybody standing in one."""
    groups = max(group) + 1
    parts = {}
    for name, old in classes.sensitive.items():
        dense = np.zeros((groups, len(old.values)), dtype=np.int64)
        np.add.at(dense, (whole(group)[old.class_], old.value), old.count)
        class_, value = np.nonzero(dense)
        parts[name] = Frequencies(
            old.values, class_, value, dense[class_, value], old.reference, old.ordered, old.hierarchy
        )
    added = {"rows": classes.rows, "sizes": classes.sizes, "population": classes.population}
    sums = {
        name: None if amounts is None else np.bincount(group, weights=amounts).astype(np.int64)
        for name, amounts in added.items()
    }
    return Classes(sums["rows"], sums["sizes"], parts, sums["population"], classes.absent)
