"""Republication under m-invariance (Xiao and Tao 2007): each further release of a table reveals nothing new.

Every class has at least m rows, all with different sensitive values, and a person who stays is published in classes
with one and the same set of values, the person's *signature*. Where people left and nobody new can take the place,
*counterfeit* rows fill the gap; how many each class has is published beside the release.

Four steps: people whom earlier releases bind are divided by signature; gaps are balanced with new people, then with
counterfeits; the other new people get further classes; every bucket is split into classes whose labels lose little.

Promise: somebody who knows who is in the table and everybody's quasi-identifiers, and sees all releases with their
counts of counterfeits, links a person with a value with a chance of at most 1/m. Assumptions: values stay (a changed
one is refused), one row a person, named by the `unit`, one sensitive column, no insensitive one, and sensitive values
that the adversary can't exclude. How it differs from the paper: docs/how-to/publish-again.md.
"""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.arrays import IntArray
from tacit.cards.republication import RepublicationMethod, RepublicationParams
from tacit.data.tables.republication import Assignment, EarlierReleases, NextRelease, RepublishedPeople
from tacit.errors import BadParameter
from tacit.methods.tables._republish.buckets import Buckets, Today, fill
from tacit.methods.tables._republish.eligibility import require_eligible
from tacit.methods.tables._republish.exchange import Crowd, exchange
from tacit.methods.tables._republish.line import Line
from tacit.methods.tables._republish.split import split
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import permutation

LEAST = 2
SWEEPS = 40


class Republish(RepublicationParams):
    """Where releases are remembered, how classes are told apart, and how long a better release is looked for."""

    sweeps: Annotated[
        int, Field(ge=0, le=10_000, description="how many times people are exchanged between classes to lower the loss")
    ] = SWEEPS


def next_release(
    earlier: EarlierReleases, people: RepublishedPeople, m: int, params: Republish, bits: RandomBits
) -> NextRelease:
    """The next release, with the parameters of a plan."""
    return republish(earlier, people, m, bits, params.sweeps)


def republish(
    earlier: EarlierReleases, people: RepublishedPeople, m: int, bits: RandomBits, sweeps: int = SWEEPS
) -> NextRelease:
    """The next release: everybody's class; CannotGuarantee where a value is too frequent for m."""
    if m < LEAST:
        raise BadParameter(f"m is {m}; it must be at least {LEAST}, since a class with one value gives that value away")
    if not people.value.size:
        raise BadParameter("there is nobody to publish")
    known = earlier.find(people)
    require_eligible(people.value, m)
    lines = [
        Line.of(hierarchy, leaves, float(weight))
        for hierarchy, leaves, weight in zip(people.hierarchies, people.leaves, people.weights, strict=True)
    ]
    bound = np.where(known < 0, -1, earlier.signature[known]) if earlier.names.size else known
    buckets = fill(Today(people.value, lines, bound), earlier.signatures, m, bits)
    class_ = _classes(lines, people.value, buckets, earlier.intact(known))
    signature = np.empty(int(class_.max()) + 1, dtype=np.int64)
    signature[class_] = buckets.signature
    class_ = exchange(lines, Crowd(class_, people.value, signature, known < 0), sweeps, bits)
    shuffled = permutation(signature.size, bits)
    named = np.argsort(shuffled)[class_]
    after = earlier.joined(people, known, Assignment(named, signature[class_], buckets.signatures))
    return NextRelease(named, signature[shuffled], after)


def _classes(lines: Sequence[Line], value: IntArray, buckets: Buckets, intact: IntArray) -> IntArray:
    """The class of everybody: classes that are all here again stay together, the rest of each bucket is split."""
    again = np.flatnonzero(intact >= 0)
    kept, place = np.unique(intact[again], return_inverse=True)
    home = np.empty(kept.size, dtype=np.int64)
    home[place] = buckets.signature[again]
    part = buckets.signature.copy()
    part[again] = buckets.number.size + place
    number = buckets.number - np.bincount(home, minlength=buckets.number.size)
    return split(lines, part, value, np.concatenate([number, np.ones(kept.size, dtype=np.int64)]))


METHOD = RepublicationMethod(
    title="Republication",
    params=Republish,
    run=next_release,
    needs="one row per person, named by a unit, one sensitive column, a hierarchy for each quasi-identifier",
    gives="the next release of a table, which reveals no more about a person than the first",
    guarantees=("republication",),
    paper="https://doi.org/10.1145/1247480.1247556",
    example=Republish(history="people.history"),
)
