"""From parts to labels: the recoding of a division, with nodes of the hierarchies or with intervals and sets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tacit.arrays import CodeArray, IntArray
from tacit.data.tables.cover import Cover
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import MISSING_WORD, missing_word
from tacit.data.tables.recoding import Recoding
from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.tables._partition.costs import meeting_levels
from tacit.methods.tables._partition.cuts import Members, run_starts
from tacit.methods.tables._partition.division import SUPPRESSED, Division
from tacit.methods.tables._partition.nodes import Prospects
from tacit.methods.tables._partition.partition import Ground, keeping, plain, regrouped, selected
from tacit.methods.tables._partition.sets import Line

WORD = 62
MOST_LISTED = 50_000_000


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels of one column: `code[part]` is a position in `texts`; each covers so many `leaves`."""

    texts: tuple[str, ...]
    leaves: IntArray
    code: CodeArray
    cover: Cover | None = None


@dataclass(frozen=True, eq=False)
class LabelRuns:
    """The published portions of a division, sorted by part: their atoms, and where each part begins."""

    atom: IntArray
    starts: IntArray


Labeller = Callable[[Ground, int, LabelRuns], Labels]


@dataclass(frozen=True, eq=False)
class Style:
    """What parts cost, how they are labelled, what a suppressed row costs on average."""

    prospects: Callable[[Members], Prospects]
    labeller: Labeller
    gone: float

    def cost(self, division: Division) -> float:
        """What all rows of a division cost together."""
        order = np.argsort(division.part, kind="stable")
        order = order[division.part[order] != SUPPRESSED]
        _, part = np.unique(division.part[order], return_inverse=True)
        rows = np.bincount(part, division.rows[order])
        current = self.prospects(Members(division.atom[order], part, plain(division.rows[order]))).current
        return float((current.sum(axis=0) * rows).sum() + self.gone * division.rows[division.part == SUPPRESSED].sum())


def recoding_of(ground: Ground, division: Division, labeller: Labeller) -> Recoding:
    """The recoding of a division of the ground; refused where labels that read alike join classes that then fail."""
    published, part = np.unique(division.part, return_inverse=True)
    first = int(published.size > 0 and published[0] == SUPPRESSED)
    order = np.argsort(part, kind="stable")
    order = order[part[order] >= first]
    runs = LabelRuns(division.atom[order], run_starts(part[order]))
    columns = range(len(ground.table.hierarchies))
    labels = tuple(labeller(ground, c, runs) for c in columns)
    require_clear(ground, division, labels, part - first)
    dealt = _dealt(ground, division)
    mine = np.maximum(part[dealt.portion] - first, 0)
    return Recoding(
        columns=ground.table.tally.columns,
        labels=tuple(label.texts for label in labels),
        leaves=tuple(label.leaves for label in labels),
        codes=np.array([label.code[mine] for label in labels], dtype=np.int32),
        combination=dealt.combination,
        rows=dealt.rows,
        suppressed=division.part[dealt.portion] == SUPPRESSED,
        covers=tuple(label.cover for label in labels),
    )


@dataclass(frozen=True, eq=False)
class _Dealt:
    """Rows of combinations and the portion of the division that each belongs to."""

    combination: IntArray
    portion: IntArray
    rows: IntArray


def _dealt(ground: Ground, division: Division) -> _Dealt:
    """The rows of each atom's combinations dealt out to the atom's portions, both in order."""
    rows = ground.table.tally.rows
    combination, portion = np.argsort(ground.atom, kind="stable"), np.argsort(division.atom, kind="stable")
    ends, ends_of_portions = np.cumsum(rows[combination]), np.cumsum(division.rows[portion])
    bounds = np.unique(np.concatenate([[0], ends, ends_of_portions]))
    at = bounds[:-1]
    of = combination[np.searchsorted(ends, at, side="right")]
    to = portion[np.searchsorted(ends_of_portions, at, side="right")]
    # A combination that only the population has goes where its atom goes.
    empty = np.flatnonzero(rows == 0)
    some = np.empty(ground.atoms, dtype=np.int64)
    some[division.atom] = np.arange(division.atom.size)
    result = _Dealt(
        np.concatenate([of, empty]),
        np.concatenate([to, some[ground.atom[empty]]]),
        np.concatenate([np.diff(bounds), empty * 0]),
    )
    order = np.argsort(result.combination, kind="stable")
    return _Dealt(result.combination[order], result.portion[order], result.rows[order])


def by_nodes(ground: Ground, column: int, runs: LabelRuns) -> Labels:
    """The common ancestor of each part."""
    leaves = ground.leaves[column][runs.atom]
    level = meeting_levels(ground.table, column, leaves, runs.starts)
    return _nodes(ground.table.hierarchies[column], level, leaves[runs.starts])


def by_cut(levels: Sequence[IntArray]) -> Labeller:
    """The node that each part has in the cut that publishes leaf i of column c at `levels[c][i]`."""

    def label(ground: Ground, column: int, runs: LabelRuns) -> Labels:
        leaves = ground.leaves[column][runs.atom[runs.starts]]
        return _nodes(ground.table.hierarchies[column], levels[column][leaves], leaves)

    return label


def _nodes(hierarchy: Hierarchy, level: IntArray, leaf: CodeArray) -> Labels:
    """The nodes of some leaves at some levels."""
    offset = np.concatenate([[0], np.cumsum([len(labels) for labels in hierarchy.labels])])
    node, code = np.unique(offset[level] + hierarchy.codes[level, leaf], return_inverse=True)
    texts = [label for labels in hierarchy.labels for label in labels]
    under = np.concatenate([hierarchy.leaves_under(each) for each in range(hierarchy.height + 1)])
    return Labels(tuple(texts[i] for i in node.tolist()), under[node], code.astype(np.int32))


def by_sets(lines: Sequence[Line]) -> Labeller:
    """The interval or set of values of each part."""

    def label(ground: Ground, column: int, runs: LabelRuns) -> Labels:
        line = lines[column]
        value = line.value[ground.leaves[column][runs.atom]]
        lists = _intervals(line, value, runs.starts) if line.ordered else _sets(line, value, runs.starts)
        hierarchy, names = ground.table.hierarchies[column], _value_names(ground, column, line)
        listed = int(np.add.reduceat(line.size[lists.value], lists.starts[:-1]).sum())
        if listed > MOST_LISTED:
            raise BadParameter(
                f"column {hierarchy.column!r}: its intervals and sets would list {listed:,} values in all, more than "
                f"{MOST_LISTED:,}; take labels: nodes, or declare a coarser hierarchy and a minimum level"
            )
        cover = _cover(line, lists)
        texts = _interval_texts(hierarchy, line, lists) if line.ordered else _set_texts(hierarchy, names, lists)
        single, whole = np.diff(lists.starts) == 1, cover.sizes == line.place.size
        first = lists.value[lists.starts[:-1]]
        for j in np.flatnonzero(single | whole).tolist():
            texts[j] = names[first[j]] if single[j] else hierarchy.labels[-1][0]
        return Labels(tuple(texts), cover.sizes, lists.code.astype(np.int32), cover)

    return label


@dataclass(frozen=True, eq=False)
class _Lists:
    """The distinct lists of values: list j are `value[starts[j]:starts[j + 1]]`; `code[part]` is the list of a part."""

    starts: IntArray
    value: IntArray
    code: IntArray


def _intervals(line: Line, value: IntArray, starts: IntArray) -> _Lists:
    """All values between the lowest and the highest of each part."""
    low, high = np.minimum.reduceat(value, starts), np.maximum.reduceat(value, starts)
    key, code = np.unique(low * line.values + high, return_inverse=True)
    first, lengths = key // line.values, key % line.values - key // line.values + 1
    return _Lists(_ends(lengths), _ranges(first, lengths), code)


def _sets(line: Line, value: IntArray, starts: IntArray) -> _Lists:
    """The values of each part; sets are compared as words of bits."""
    key = np.zeros(starts.size, dtype=np.int64)
    for word in range(-(-line.values // WORD)):
        bits = np.where(value // WORD == word, np.left_shift(1, value % WORD), 0)
        _, rank = np.unique(np.bitwise_or.reduceat(bits, starts), return_inverse=True)
        _, key = np.unique(key * (int(rank.max()) + 1) + rank, return_inverse=True)
    _, first, code = np.unique(key, return_index=True, return_inverse=True)
    lengths = np.diff(np.append(starts, value.size))[first]
    member = _ranges(starts[first], lengths)
    pairs = np.unique(np.repeat(np.arange(first.size), lengths) * line.values + value[member])
    return _Lists(np.searchsorted(pairs // line.values, np.arange(first.size + 1)), pairs % line.values, code)


def _ends(lengths: IntArray) -> IntArray:
    return np.concatenate([[0], np.cumsum(lengths)])


def _ranges(first: IntArray, lengths: IntArray) -> IntArray:
    """The numbers first[i], …, first[i] + lengths[i] - 1, one range after the other."""
    ends = _ends(lengths)
    return np.repeat(first - ends[:-1], lengths) + np.arange(ends[-1])


def _cover(line: Line, lists: _Lists) -> Cover:
    """The leaves of each list's values."""
    leaves = np.argsort(line.value, kind="stable")
    sizes = line.size[lists.value]
    places = _ranges(_ends(line.size)[lists.value], sizes)
    return Cover(_ends(sizes)[lists.starts], leaves[places])


def _value_names(ground: Ground, column: int, line: Line) -> list[str]:
    """The label of each value of a column."""
    hierarchy, least = ground.table.hierarchies[column], ground.table.least[column]
    leaf = np.empty(line.values, dtype=np.int64)
    leaf[line.value] = np.arange(line.value.size)
    return [hierarchy.labels[least][code] for code in hierarchy.codes[least, leaf].tolist()]


def _interval_texts(hierarchy: Hierarchy, line: Line, lists: _Lists) -> list[str]:
    names = [hierarchy.leaves[leaf] or MISSING_WORD for leaf in np.argsort(line.place).tolist()]
    low, high = line.low[lists.value[lists.starts[:-1]]], line.high[lists.value[lists.starts[1:] - 1]]
    return [f"[{names[a]}, {names[b]}]" for a, b in zip(low.tolist(), high.tolist(), strict=True)]


def _set_texts(hierarchy: Hierarchy, names: list[str], lists: _Lists) -> list[str]:
    words = [name or missing_word(hierarchy) for name in names]
    bounds = pairwise(lists.starts.tolist())
    return ["{" + ", ".join(words[v] for v in lists.value[a:b].tolist()) + "}" for a, b in bounds]


def require_clear(ground: Ground, division: Division, labels: Sequence[Labels], part: IntArray) -> None:
    """Classes whose labels read alike are one class to a reader, and keep the guarantees as such."""
    if all(len(set(label.texts)) == len(label.texts) for label in labels):
        return
    texts = [{text: i for i, text in enumerate(dict.fromkeys(label.texts))} for label in labels]
    codes = [
        np.array([text[t] for t in label.texts], dtype=np.int64)[label.code]
        for text, label in zip(texts, labels, strict=True)
    ]
    keys = pack(codes, [len(text) for text in texts], labels[0].code.size)
    classes = group_by(keys.key, keys.span)
    if classes.number == labels[0].code.size:
        return
    shown = np.flatnonzero(part >= 0)
    if np.unique(division.atom).size < division.atom.size:
        return  # A combination is split for k-anonymity only, which joining classes can't spoil.
    tally = regrouped(selected(ground.tally, division.atom[shown]), classes.group[part[shown]], classes.number)
    if not keeping(ground.guarantees, tally).all():
        raise CannotGuarantee(
            "labels of different meaning read alike, and the classes that they join fail a guarantee; give each "
            "node of a hierarchy a name of its own"
        )
