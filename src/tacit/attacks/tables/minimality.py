"""Minimality: the release was generalised no more than needed, and that is a clue (Wong et al. 2007).

The adversary knows everybody's quasi-identifiers, the guarantees and that the method generalised no more than they
need: with any column one level lower, some class breaks a guarantee. The attack deals the secrets of each published
class out to its people at random, again and again, keeps the worlds in which every lower release fails, and takes the
frequency of a value among these worlds for its probability. Where class sizes alone explain why a lower release fails,
the clue says nothing. The guess departs from the class's most frequent value only where another is likelier by three
standard errors.

The baseline is probabilistic inference on the same release, which makes no use of the clue.

Assumptions: full-domain generalisation, no row suppressed, each row a person, the guarantees about one secret only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import FloatArray, IntArray
from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import Beliefs, OnColumn, beliefs, secrets, sensitive_of
from tacit.attacks.tables.inference import guessed
from tacit.cards.attack import TableAttack
from tacit.cards.full_domain_release import FullDomainRelease
from tacit.data.tables.classes import Classes, Frequencies
from tacit.data.tables.grouping import EntryGroups, group_by, pack
from tacit.data.tables.tally import SensitiveTally
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import SecretGuarantee, TableGuarantee
from tacit.release.attacks import Success


class Minimality(OnColumn):
    """How many worlds are tried."""

    worlds: Annotated[
        int, Field(ge=1, le=1_000_000, description="how many times the secrets are dealt to people at random")
    ] = 300
    seed: Annotated[int, Field(ge=0, description="the seed that worlds are drawn from")] = 0


@dataclass(frozen=True, eq=False)
class _ClassedRows:
    """The rows of a release, sorted by class: the combination of each, and the secrets of its class in some order."""

    combination: IntArray
    class_: IntArray
    value: IntArray


@dataclass(frozen=True, eq=False)
class _Worlds:
    """How often each value fell to the people of each combination, in the worlds that were kept."""

    seen: FloatArray
    kept: int


def use_minimality(made: FullDomainRelease, params: Minimality) -> Success:
    """The share of people whose value is guessed by somebody who knows that the release is minimal."""
    found = beliefs(made.view, params.column)
    _require(made, found.column)
    shown = made.view.shown.sensitive[found.column]
    lower = _unexplained(made)
    worlds = _deal(made, shown, lower, params)
    blind = guessed(found)
    hits = _guessed(made, found, worlds) if 0 < worlds.kept < params.worlds else blind
    targets = secrets(made.view, params.column)
    return success(hits, targets, blind / max(targets, 1), worlds_kept=worlds.kept, clues=len(lower))


def _require(made: FullDomainRelease, column: str) -> None:
    known = made.view.known
    others = {guarantee.column for guarantee in _about_secrets(made.guarantees)} - {None, column}
    if not made.view.fit.single or int(made.view.shown.rows.sum()) != int(known.rows.sum()):
        raise BadParameter("minimality needs a full-domain release in which no row is suppressed")
    if others or not np.array_equal(known.people.counts(), known.rows):
        raise BadParameter("minimality needs guarantees about one secret only, and one row for each person")


def _unexplained(made: FullDomainRelease) -> list[EntryGroups]:
    """The releases with one column one level lower whose failure class sizes alone do not explain."""
    known = made.view.known
    leaves = [h.place(values) for h, values in zip(made.hierarchies, known.values, strict=True)]
    lower = []
    for lowered in np.flatnonzero(np.array(made.levels) > 0).tolist():
        codes = [
            hierarchy.codes[level - (c == lowered), leaves[c]][known.codes[c]]
            for c, (hierarchy, level) in enumerate(zip(made.hierarchies, made.levels, strict=True))
        ]
        keys = pack(codes, [int(code.max(initial=0)) + 1 for code in codes], known.combinations)
        grouping = group_by(keys.key, keys.span)
        sizes = np.bincount(grouping.group, known.rows, grouping.number).astype(np.int64)
        if _kept(_by_size(made.guarantees), Classes(sizes, sizes)):
            lower.append(grouping)
    return lower


def _by_size(guarantees: Sequence[TableGuarantee]) -> list[TableGuarantee]:
    return [guarantee for guarantee in guarantees if not isinstance(guarantee, SecretGuarantee)]


def _about_secrets(guarantees: Sequence[TableGuarantee]) -> list[SecretGuarantee]:
    return [guarantee for guarantee in guarantees if isinstance(guarantee, SecretGuarantee)]


def _kept(guarantees: Sequence[TableGuarantee], classes: Classes) -> bool:
    return all(bool(one.satisfied(one.measure(classes)).all()) for one in guarantees)


def _deal(made: FullDomainRelease, shown: SensitiveTally, lower: list[EntryGroups], params: Minimality) -> _Worlds:
    """Worlds in which every lower release fails."""
    width = len(shown.values)
    seen, kept = np.zeros((made.view.known.combinations, width)), 0
    if not lower:
        return _Worlds(seen, 0)
    rows, random = _rows(made, shown), np.random.default_rng(params.seed)
    about = _about_secrets(made.guarantees)
    for _ in range(params.worlds):
        dealt = rows.value[np.argsort(rows.class_ + random.random(rows.class_.size), kind="stable")]
        groups = ((grouping, grouping.group[rows.combination]) for grouping in lower)
        if not any(_kept(about, _classes(group, dealt, number.number, shown)) for number, group in groups):
            seen += np.bincount(rows.combination * width + dealt, minlength=seen.size).reshape(seen.shape)
            kept += 1
    return _Worlds(seen, kept)


def _rows(made: FullDomainRelease, shown: SensitiveTally) -> _ClassedRows:
    known, fit = made.view.known, made.view.fit
    combination = np.repeat(np.arange(known.combinations), known.rows)
    combination = combination[np.argsort(fit.group[combination], kind="stable")]
    value = np.repeat(shown.value, shown.census.counts())
    return _ClassedRows(combination, fit.group[combination], value)


def _classes(group: IntArray, value: IntArray, number: int, shown: SensitiveTally) -> Classes:
    """The classes of a world under a lower release."""
    width = len(shown.values)
    counted = np.bincount(group * width + value, minlength=number * width)
    cell = np.flatnonzero(counted)
    frequencies = Frequencies(
        shown.values, cell // width, cell % width, counted[cell], shown.reference, shown.ordered, shown.hierarchy
    )
    sizes = np.bincount(group, minlength=number)
    return Classes(sizes, sizes, {shown.column: frequencies})


def _guessed(made: FullDomainRelease, found: Beliefs, worlds: _Worlds) -> float:
    """How many people have the value that is likeliest in the worlds that were kept."""
    view = made.view
    part = sensitive_of(view, found.column)
    share = worlds.seen / np.maximum(view.known.rows, 1)[:, None] / worlds.kept
    usual = np.zeros(found.groups, dtype=np.int64)
    order = np.lexsort((-found.value, found.count, found.group))
    usual[found.group[order]] = found.value[order]
    mine = usual[view.fit.group]
    each = np.arange(mine.size)
    likeliest = share.argmax(axis=1)
    surely = share[each, likeliest] - share[each, mine] > 3 * np.sqrt(0.25 / worlds.kept)
    guess = np.where(surely, likeliest, mine)
    return float(part.census.counts()[guess[part.combination] == part.value].sum())


ATTACK = TableAttack(
    title="Minimality",
    params=Minimality,
    run=use_minimality,
    needs="a full-domain release, its levels and its guarantees",
    gives="the share of people whose secret is guessed by somebody who knows how the release was made",
    paper="https://dl.acm.org/doi/10.5555/1325851.1325914",
    example=Minimality(),
    knowledge="everybody's quasi-identifiers, and that the method generalised no more than needed",
    story="The adversary asks which secrets would have forced the method to generalise as far as it did.",
    means="Success means that the guessed value is the target's own; the adversary can't tell which guesses are right.",
    sees="recipe",
    column_parameter="column",
)
