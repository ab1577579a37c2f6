"""Partitions of a table: what local methods divide, and whether the parts keep the guarantees.

An *atom* is a set of combinations that may not be told apart, since all their labels agree at the least level that
each column may have. A *part* is a set of atoms that becomes one class. Parts are checked with the guarantees' own
measures on exact counts, so even where people have several rows; people of the population who are in no part with rows
are absent.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tacit.arrays import BoolArray, CodeArray, IntArray
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.grouping import EntryGroups, group_by, pack
from tacit.data.tables.hierarchy import SUPPRESSED
from tacit.data.tables.table import Table
from tacit.data.tables.tally import Census, SensitiveTally, Tally
from tacit.errors import BadParameter, CannotGuarantee
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee
from tacit.methods.tables._verdict import allowing, reach_of
from tacit.request import TableRequest


@dataclass(frozen=True, eq=False)
class Ground:
    """The atoms of a table: `atom[combination]`, the tally of atoms (without codes) and `leaves[column, atom]`."""

    table: Table
    guarantees: tuple[TableGuarantee, ...]
    atom: IntArray
    tally: Tally
    leaves: CodeArray

    @property
    def atoms(self) -> int:
        """How many there are."""
        return self.tally.combinations

    @cached_property
    def roots_read_suppressed(self) -> bool:
        """Whether a class with the root in every column reads like suppressed rows, so that it must be the only one."""
        starred = all(hierarchy.labels[-1] == (SUPPRESSED,) for hierarchy in self.table.hierarchies)
        return starred and all(SUPPRESSED in part.values for part in self.table.tally.sensitive.values())


def ground_of(table: Table, guarantees: tuple[TableGuarantee, ...]) -> Ground:
    """The ground of a table for these guarantees; sensitive columns that none speaks of are left out."""
    grouping = alike(table, table.least)
    merged = _bare(table.tally, guarantees).merged(grouping)
    return Ground(table, guarantees, grouping.group, merged, table.leaves[:, grouping.first])


def alike(table: Table, node: tuple[int, ...]) -> EntryGroups:
    """The combinations grouped by their labels at the node."""
    labels = [h.codes[level][leaf] for h, level, leaf in zip(table.hierarchies, node, table.leaves, strict=True)]
    sizes = [len(h.labels[level]) for h, level in zip(table.hierarchies, node, strict=True)]
    keys = pack(labels, sizes, table.tally.combinations)
    return group_by(keys.key, keys.span)


def _bare(tally: Tally, guarantees: tuple[TableGuarantee, ...]) -> Tally:
    """The tally without codes and without sensitive columns that no guarantee speaks of."""
    named = {guarantee.column for guarantee in guarantees if isinstance(guarantee, SecretGuarantee)}
    kept = {name: part for name, part in tally.sensitive.items() if None in named or name in named}
    return replace(tally, columns=(), values=(), codes=np.empty((0, tally.combinations), np.int32), sensitive=kept)


def selected(tally: Tally, entries: IntArray) -> Tally:
    """The tally of some combinations, in the given order, each at most once."""
    position = np.full(tally.combinations, -1, dtype=np.int64)
    position[entries] = np.arange(entries.size)
    return replace(
        tally,
        codes=tally.codes[:, entries],
        rows=tally.rows[entries],
        people=_selected_census(tally.people, position, entries),
        sensitive={name: _selected_part(part, position) for name, part in tally.sensitive.items()},
        population=None if tally.population is None else tally.population[entries],
    )


def _selected_census(census: Census, position: IntArray, entries: IntArray) -> Census:
    if not census.spread_key.size:
        return Census(census.settled[entries])
    kept = position[census.spread_key] >= 0
    return Census(census.settled[entries], position[census.spread_key[kept]], census.spread_person[kept])


def _selected_part(part: SensitiveTally, position: IntArray) -> SensitiveTally:
    cells = np.flatnonzero(position[part.combination] >= 0)
    place = np.full(part.combination.size, -1, dtype=np.int64)
    place[cells] = np.arange(cells.size)
    return replace(
        part,
        combination=position[part.combination[cells]],
        value=part.value[cells],
        census=_selected_census(part.census, place, cells),
    )


def plain(rows: IntArray) -> Tally:
    """A tally of nothing but rows, each a person."""
    return Tally((), (), np.empty((0, rows.size), dtype=np.int32), rows, Census(rows))


def regrouped(tally: Tally, group: IntArray, groups: int) -> Tally:
    """The tally of groups numbered 0 to `groups` - 1, each of which has an entry."""
    first = np.empty(groups, dtype=np.int64)
    first[group[::-1]] = np.arange(group.size - 1, -1, -1)
    return tally.merged(EntryGroups(group, first))


def wants_everybody(guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether a guarantee forbids that people of the population fit no published class."""
    return any(guarantee.absence_fails for guarantee in guarantees)


def wants_boxes(guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether a guarantee needs that everybody of the population fits one class only."""
    return any(guarantee.subject == "population" for guarantee in guarantees)


def require_of_classes(name: str, request: TableRequest) -> None:
    """Every guarantee is about each class by itself; a method whose labels overlap can give no other."""
    dividing = [guarantee.name for guarantee in request.guarantees if guarantee.subject == "population"]
    if dividing:
        raise BadParameter(
            f"{name} makes classes whose labels overlap, so a person of the population may fit several, and "
            f"{', '.join(dividing)} has no meaning; take tables/mondrian, tables/specialize or tables/lattice"
        )
    strange = [guarantee.name for guarantee in request.guarantees if guarantee.subject != "class"]
    if strange:
        raise BadParameter(
            f"{name} can't give {', '.join(strange)}; it gives guarantees about each class of a table by itself"
        )


def people_only(guarantees: tuple[TableGuarantee, ...]) -> bool:
    """Whether only numbers of people matter, so that it is no matter which rows of a combination go where."""
    limits = [guarantee.limits() for guarantee in guarantees]
    return all(one is not None and one.counts_people for one in limits)


def keeping(guarantees: tuple[TableGuarantee, ...], tally: Tally) -> BoolArray:
    """Which entries of a tally, each as a class, keep all guarantees; an entry without rows is no class."""
    present = tally.rows > 0
    kept = np.full(tally.combinations, not wants_everybody(guarantees))
    classes = replace(classes_of(tally), absent=0)
    kept[present] = _all_hold(guarantees, classes)
    return kept


def _all_hold(guarantees: tuple[TableGuarantee, ...], classes: Classes) -> BoolArray:
    held = np.ones(classes.number, dtype=np.bool_)
    if classes.number:
        for guarantee in guarantees:
            held &= guarantee.satisfied(guarantee.measure(classes))
    return held


@dataclass(frozen=True, eq=False)
class Start:
    """The coarsest parts: `part[atom]`, which of them fail and are suppressed, and the rows that may still be."""

    part: IntArray
    failing: BoolArray
    spare: int


def start_of(ground: Ground, request: TableRequest) -> Start:
    """Every column as general as allowed; CannotGuarantee where too many rows fail even so."""
    coarse = alike(ground.table, ground.table.most)
    part = np.empty(ground.atoms, dtype=np.int64)
    part[ground.atom] = coarse.group
    tally = regrouped(ground.tally, part, coarse.number)
    failing = ~keeping(ground.guarantees, tally)
    # Who is suppressed fits no published class.
    share = 0.0 if wants_everybody(ground.guarantees) else request.suppression
    limit = int(np.floor(share * ground.table.number_of_rows + 1e-9))
    lost = int(tally.rows[failing].sum())
    nobody_left = not (tally.rows[~failing] > 0).any()
    if lost > limit or nobody_left or (wants_everybody(ground.guarantees) and failing.any()):
        raise CannotGuarantee(_best_reachable(tally, request))
    return Start(part, failing, limit - lost)


def _best_reachable(tally: Tally, request: TableRequest) -> str:
    classes = classes_of(tally)
    lines = [reach_of(one, one.worst(one.measure(classes))) for one in request.guarantees]
    told = any(one.advice for one in request.guarantees)
    further = "Ask for less, allow more suppression, or try tables/lattice, which may suppress the rows in the way"
    return (
        f"no class keeps all guarantees {allowing(request.suppression)}, even with every "
        "column as general as allowed: " + "; ".join(lines) + ("" if told else f". {further}")
    )
