"""Reading published labels: which values of a column a label can stand for.

A label is a node of the column's hierarchy, the sign of suppression, an interval of numbers (`[20, 40)`, `20-40`) or a
set of values (`{a, b}`). Where none of these fits, the column was perturbed, and what a value became can't be read off
its label.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacit.arrays import BoolArray, IntArray
from tacit.data.discreet import Discreet
from tacit.data.tables.hierarchy import MISSING, SUPPRESSED, Hierarchy

MISSING_WORD = "missing"
"""How a missing value is written inside an interval or a set; in an interval it stands below all numbers.

If a value or label of the column is that very word, a set has it in parentheses (`missing_word`)."""

_NUMBER = r"(-?\d+(?:\.\d+)?|-?inf|-?∞|missing)"
_BRACKETS = re.compile(rf"^([\[(])\s*{_NUMBER}\s*[,;]\s*{_NUMBER}\s*([\])])$")
_DASH = re.compile(rf"^{_NUMBER}\s*[-–]\s*{_NUMBER}$")


@dataclass(frozen=True, eq=False, repr=False)
class Stands(Discreet):
    """Pairs (value, label), sorted by value: the value may be published as the label. `unread` labels mean nothing."""

    starts: IntArray
    label: IntArray
    unread: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether every value can be published in one way at most."""
        return bool((np.diff(self.starts) <= 1).all())

    def dense(self, values: IntArray, labels: int) -> BoolArray:
        """`[i, label]`: whether value `values[i]` may be published as the label."""
        inside = np.zeros((values.size, labels), dtype=np.bool_)
        lengths = np.diff(self.starts)[values]
        ends = np.cumsum(lengths)
        within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
        where = np.repeat(np.arange(values.size), lengths)
        inside[where, self.label[np.repeat(self.starts[values], lengths) + within]] = True
        return inside


def stands_for(hierarchy: Hierarchy, values: Sequence[str], labels: Sequence[str]) -> Stands:
    """What each label can stand for among the values, which are leaves of the hierarchy."""
    leaf = hierarchy.place(values).astype(np.int64)
    value_of = np.full(len(hierarchy.leaves), -1, dtype=np.int64)
    value_of[leaf] = np.arange(len(values))
    found, unread = [], []
    for label, (text, leaves) in enumerate(zip(labels, read_labels(hierarchy, labels), strict=True)):
        if leaves is None:
            unread.append(text)
            continue
        covered = value_of[leaves]
        covered = covered[covered >= 0]
        found.append(np.stack([covered, np.full(covered.size, label)]))
    pairs = np.concatenate([*found, np.empty((2, 0), dtype=np.int64)], axis=1)
    pairs = pairs[:, np.lexsort((pairs[1], pairs[0]))]
    starts = np.searchsorted(pairs[0], np.arange(len(values) + 1))
    return Stands(starts.astype(np.int64), pairs[1], tuple(unread))


def missing_word(hierarchy: Hierarchy) -> str:
    """How sets of this column write the missing value: like none of its labels."""
    word = MISSING_WORD
    while any(word in names for names in hierarchy.labels):
        word = f"({word})"
    return word


def read_labels(hierarchy: Hierarchy, labels: Sequence[str]) -> list[IntArray | None]:
    """The leaves that each label covers; None where it can't be read. An apostrophe in front may guard a formula."""
    nodes = [{text: code for code, text in enumerate(names)} for names in hierarchy.labels]
    read = []
    for text in labels:
        leaves = _leaves(hierarchy, nodes, text)
        if leaves is None and text.startswith("'"):
            leaves = _leaves(hierarchy, nodes, text[1:])
        read.append(leaves)
    return read


def _leaves(hierarchy: Hierarchy, nodes: list[dict[str, int]], text: str) -> IntArray | None:
    """The leaves that the label covers, at whatever levels it stands; None where it can't be read."""
    levels = [level for level, names in enumerate(nodes) if text in names]
    if levels:
        under = np.any([hierarchy.codes[level] == nodes[level][text] for level in levels], axis=0)
        return np.flatnonzero(under)
    if text == SUPPRESSED:
        return np.arange(len(hierarchy.leaves))
    return _set(hierarchy, nodes, text) if text.startswith("{") else _interval(hierarchy, text)


def _interval(hierarchy: Hierarchy, text: str) -> IntArray | None:
    found = _BRACKETS.match(text)
    dash = None if found else _DASH.match(text)
    if found is None and dash is None:
        return None
    opened, low, high, closed = found.groups() if found else ("[", *(dash.groups() if dash else ()), "]")
    numbers = np.array([_number(leaf) for leaf in hierarchy.leaves])
    above = numbers > _number(low) if opened == "(" else numbers >= _number(low)
    below = numbers < _number(high) if closed == ")" else numbers <= _number(high)
    missing = np.array([leaf == MISSING for leaf in hierarchy.leaves]) & (low == MISSING_WORD)
    return np.flatnonzero((above & below) | missing)


def _set(hierarchy: Hierarchy, nodes: list[dict[str, int]], text: str) -> IntArray | None:
    """The leaves of the nodes in the list; a node's text may hold commas, so the longest that is one is taken."""
    words = text[1:-1].split(", ") if text.endswith("}") else []
    leaves: list[IntArray] = []
    begin, missing = 0, missing_word(hierarchy)
    while begin < len(words):
        ends = range(len(words), begin, -1)
        end = next((e for e in ends if _is_node(nodes, ", ".join(words[begin:e]), missing)), None)
        if end is None:
            return None
        word = ", ".join(words[begin:end])
        found = _leaves(hierarchy, nodes, MISSING if word == missing else word)
        leaves.append(np.empty(0, dtype=np.int64) if found is None else found)
        begin = end
    return np.unique(np.concatenate(leaves)) if leaves else None


def _is_node(nodes: list[dict[str, int]], text: str, missing: str) -> bool:
    return any((MISSING if text == missing else text) in names for names in nodes)


def _number(text: str) -> float:
    if text == MISSING_WORD:
        return float("-inf")
    try:
        return float(text.replace("∞", "inf"))
    except ValueError:
        return float("nan")
