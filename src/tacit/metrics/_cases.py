"""Cases: what a model learns from and is tested on, as distinct weighted examples.

A case of the input is a combination of quasi-identifiers with an outcome, the value of a sensitive column or of one of
the quasi-identifiers, and the number of its rows. A case of the release is what is published of it: the labels, and the
outcome, where a label of the outcome's own column is spread evenly over its leaves. Suppressed rows are no cases.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.published import Published
from tacit.data.tables.tally import SensitiveTally
from tacit.errors import BadParameter
from tacit.metrics._secrets import portion_cells

COPIES = 50


@dataclass(frozen=True, eq=False)
class Cases:
    """`number[i]` rows of combination `combination[i]` have the outcome `outcomes[outcome[i]]`."""

    column: str
    outcomes: tuple[str, ...]
    combination: IntArray
    outcome: IntArray
    number: IntArray


@dataclass(frozen=True, eq=False)
class Shown:
    """Which case is published as what: `part[i]` of case `case[i]` in portion `portion[i]` with `outcome[i]`."""

    case: IntArray
    portion: IntArray
    outcome: IntArray
    part: FloatArray


@dataclass(frozen=True, eq=False)
class Examples:
    """Distinct examples: the codes `[column, i]` of labels or leaves, the outcome and the weight of each."""

    codes: CodeArray
    outcome: IntArray
    weight: FloatArray


def cases_of(published: Published, target: str | None) -> Cases:
    """The cases of the named column; by default of the first sensitive one, else of the last quasi-identifier."""
    tally, sensitive = published.table.tally, published.table.tally.sensitive
    name = target or next(iter(sensitive), published.columns[-1])
    if name in sensitive:
        part = sensitive[name]
        return Cases(name, part.values, part.combination, part.value, part.census.counts())
    if name not in published.columns:
        known = ", ".join(map(repr, (*sensitive, *published.columns)))
        raise BadParameter(f"target is {name!r}; name a sensitive column or a quasi-identifier: {known}")
    place = published.columns.index(name)
    leaves = published.table.hierarchies[place].leaves
    every = np.arange(tally.combinations)
    return Cases(name, leaves, every, published.table.leaves[place].astype(np.int64), tally.rows)


def shown_of(published: Published, cases: Cases) -> Shown:
    """What is published of each case."""
    part = published.table.tally.sensitive.get(cases.column)
    if part is not None:
        return _shown_secret(published, cases, part)
    recoding, place = published.recoding, published.columns.index(cases.column)
    kept = np.flatnonzero(~recoding.suppressed & (recoding.rows > 0))
    cover, label = published.covers[place], published.codes[place][kept]
    sizes = cover.sizes[label]
    portion = np.repeat(kept, sizes)
    within = np.arange(portion.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    leaf = cover.leaf[np.repeat(cover.starts[label], sizes) + within]
    case = recoding.combination[portion]
    share = recoding.rows[portion] / np.maximum(published.table.tally.rows[case], 1) / np.repeat(sizes, sizes)
    return Shown(case, portion, leaf, share)


def _shown_secret(published: Published, cases: Cases, part: SensitiveTally) -> Shown:
    pairs = portion_cells(published, part)
    share = pairs.count / np.maximum(cases.number[pairs.cell], 1)
    return Shown(pairs.cell, pairs.portion, part.value[pairs.cell], share)


def input_examples(published: Published, cases: Cases, number: IntArray) -> Examples:
    """The examples of the input, each case with the given number of rows."""
    there = number > 0
    codes = published.table.leaves[:, cases.combination[there]]
    return Examples(codes, cases.outcome[there], number[there].astype(np.float64))


def release_examples(published: Published, shown: Shown, number: IntArray, places: tuple[int, ...]) -> Examples:
    """The examples of the release, alike in the columns at `places` as one, each case with the given number of rows."""
    weight = number[shown.case] * shown.part
    there = weight > 0
    codes, outcome, weight = published.codes[:, shown.portion[there]], shown.outcome[there], weight[there]
    sizes = [len(published.recoding.labels[c]) + 1 for c in places]
    width = int(outcome.max(initial=0)) + 1
    keys = pack([*(codes[c] for c in places), outcome], [*sizes, width], weight.size)
    groups = group_by(keys.key, keys.span)
    total = np.bincount(groups.group, weight, groups.number).astype(np.float64, copy=False)
    return Examples(codes[:, groups.first], outcome[groups.first], total)


def copied(examples: Examples) -> Examples:
    """An example of weight w as often as w has rows, at most COPIES times, each with its part of the weight."""
    copies = np.clip(np.ceil(examples.weight), 1, COPIES).astype(np.int64)
    example = np.repeat(np.arange(copies.size), copies)
    return Examples(examples.codes[:, example], examples.outcome[example], (examples.weight / copies)[example])


def drawn(published: Published, examples: Examples, seed: int) -> Examples:
    """Examples of the release with a leaf in the place of every label, drawn evenly from those that it covers."""
    random = np.random.default_rng(seed)
    leaves = np.empty_like(examples.codes)
    for c, cover in enumerate(published.covers):
        label = examples.codes[c]
        chosen = (random.random(label.size) * cover.sizes[label]).astype(np.int64)
        leaves[c] = cover.leaf[cover.starts[label] + chosen]
    return Examples(leaves, examples.outcome, examples.weight)


def dealt(number: IntArray, folds: int, seed: int) -> IntArray:
    """`[fold, case]`: the rows of each case that fall into each fold, at random, the folds of equal size."""
    random = np.random.default_rng(seed)
    case = np.repeat(np.arange(number.size), number)
    fold = random.permutation(case.size) % folds
    return np.bincount(fold * number.size + case, minlength=folds * number.size).reshape(folds, number.size)
