"""Cases: what a model learns from and is tested on, as distinct weighted examples.

A case of the input is a combination of quasi-identifiers with an outcome, the value of a sensitive column or of one of
the quasi-identifiers, and the number of its rows. A case of the release is what is published of it: the labels, and the
outcome, where a label of the outcome's own column is spread evenly over its leaves. Suppressed rows are no cases.
"""

from dataclasses import dataclass

import numpy as np

from tacit.arrays import CodeArray, FloatArray, IntArray
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.tally import SensitiveTally
from tacit.data.tables.view import Comparison
from tacit.errors import BadParameter
from tacit.metrics.tables._secrets import portion_cells, shown_secrets

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
class ShownCases:
    """Which case is shown as what: `part[i]` of case `case[i]` in entry `portion[i]` with `outcome[i]`.

    Where the rows after are others than those before, no case is known, and `part` is a number of rows.
    """

    case: IntArray | None
    portion: IntArray
    outcome: IntArray
    part: FloatArray


@dataclass(frozen=True, eq=False)
class Examples:
    """Distinct examples: the codes `[column, i]` of labels or leaves, the outcome and the weight of each."""

    codes: CodeArray
    outcome: IntArray
    weight: FloatArray


def cases_of(compared: Comparison, target: str | None) -> Cases:
    """The cases of the named column; by default of the first sensitive one, else of the last quasi-identifier."""
    before, sensitive = compared.before, compared.before.classes.sensitive
    name = target or next(iter(sensitive), compared.before.columns[-1])
    if name in sensitive:
        part = sensitive[name]
        return Cases(name, part.values, part.combination, part.value, part.census.counts())
    if name not in compared.before.columns:
        known = ", ".join(map(repr, (*sensitive, *compared.before.columns)))
        raise BadParameter(f"target is {name!r}; name a sensitive column or a quasi-identifier: {known}")
    place = compared.before.columns.index(name)
    every = np.arange(before.rows.size)
    return Cases(name, before.labels[place], every, before.codes[place].astype(np.int64), before.rows)


def shown_of(compared: Comparison, cases: Cases) -> ShownCases:
    """What is published of each case."""
    part = compared.before.classes.sensitive.get(cases.column)
    if part is not None:
        return _shown_secret(compared, cases, part)
    after, place = compared.after, compared.before.columns.index(cases.column)
    cover, label = after.covers[place], after.codes[place][after.kept]
    sizes = cover.sizes[label]
    entry = np.repeat(after.kept, sizes)
    within = np.arange(entry.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    leaf = cover.leaf[np.repeat(cover.starts[label], sizes) + within]
    if compared.pairing is None:
        return ShownCases(None, entry, leaf, after.rows[entry] / np.repeat(sizes, sizes))
    case = compared.pairing.origin[entry]
    share = after.rows[entry] / np.maximum(compared.before.rows[case], 1) / np.repeat(sizes, sizes)
    return ShownCases(case, entry, leaf, share)


def _shown_secret(compared: Comparison, cases: Cases, part: SensitiveTally) -> ShownCases:
    if compared.pairing is None:
        own = shown_secrets(compared, part)
        return ShownCases(None, own.entry, own.value, own.count)
    pairs = portion_cells(compared, part)
    share = pairs.count / np.maximum(cases.number[pairs.cell], 1)
    return ShownCases(pairs.cell, pairs.portion, part.value[pairs.cell], share)


def input_examples(compared: Comparison, cases: Cases, number: IntArray) -> Examples:
    """The examples of the input, each case with the given number of rows."""
    there = number > 0
    codes = compared.before.codes[:, cases.combination[there]]
    return Examples(codes, cases.outcome[there], number[there].astype(np.float64))


def release_examples(compared: Comparison, shown: ShownCases, number: IntArray, places: tuple[int, ...]) -> Examples:
    """The examples of the release, alike in the columns at `places` as one, each case with the given number of rows."""
    weight = shown.part if shown.case is None else number[shown.case] * shown.part
    there = weight > 0
    codes, outcome, weight = compared.after.codes[:, shown.portion[there]], shown.outcome[there], weight[there]
    sizes = [len(compared.after.labels[c]) + 1 for c in places]
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


def drawn(compared: Comparison, examples: Examples, seed: int) -> Examples:
    """Examples of the release with a leaf in the place of every label, drawn evenly from those that it covers."""
    random = np.random.default_rng(seed)
    leaves = np.empty_like(examples.codes)
    for c, cover in enumerate(compared.after.covers):
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
