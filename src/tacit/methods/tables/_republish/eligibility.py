"""Signatures for people who have none yet: a multiset of values is split into sets of at least m different ones.

It can, without a row too many, if and only if it is *m-eligible*: no value has more than the m-th part of it (Xiao and
Tao 2007, section 5). Then the a most frequent values, b of each, may be taken away for classes with that signature; a
and b are chosen so that the rest stays eligible. With r1 >= r2 >= … and n in all, that is

    b <= r_a,  b <= (n - m r_(a+1)) / a,  and b <= (n - m r1) / (a - m) where a > m.

At a = m this allows some b >= 1 unless r_(m+1) = q, the whole part of n / m; then t > m values have q, and a = t
allows one: t q <= n = m q + rest gives t <= m + rest, and t - m <= rest.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from tacit.arrays import IntArray
from tacit.data.tables.republication import Signature
from tacit.errors import CannotGuarantee
from tacit.spelling import many


def require_eligible(value: IntArray, m: int) -> None:
    """No value is too frequent for classes of m different ones."""
    people, most = int(value.size), int(np.bincount(value, minlength=1).max())
    if most * m > people:
        raise CannotGuarantee(
            f"the most frequent sensitive value belongs to {most:,} of {many(people, 'person', 'people')}; "
            f"classes of {m} different values have room for "
            f"at most {people // m:,} ({people:,} / {m}). Take a smaller m, or merge values"
        )


def padded(counts: IntArray, m: int, liked: IntArray) -> IntArray:
    """The counts with the fewest counterfeits that make them eligible, of values in the order `liked`."""
    most = int(counts.max(initial=0))
    lacking = most * m - int(counts.sum())
    room = np.maximum(most - counts[liked], 0)
    before = np.cumsum(room) - room
    added = np.clip(lacking - before, 0, room)
    result = counts.copy()
    result[liked] += added
    return result


def decompose(counts: IntArray, m: int, known: Sequence[Signature]) -> Iterator[tuple[Signature, int]]:
    """Signatures and how many classes each has: together they use up the eligible counts; known ones come first."""
    left = counts.copy()
    for signature in known:
        number = _room(left, m, np.array(signature))
        if number > 0:
            left[list(signature)] -= number
            yield signature, number
    while left.any():
        ranked = np.argsort(-left, kind="stable")
        size, number = _next(left[ranked], m)
        left[ranked[:size]] -= number
        yield tuple(sorted(ranked[:size].tolist())), number


def _room(left: IntArray, m: int, signature: IntArray) -> int:
    """How many classes with this signature leave the rest eligible."""
    inside = left[signature]
    if not inside.all():
        return 0
    others = left.copy()
    others[signature] = 0
    return _most(int(left.sum()), m, inside, int(others.max()))


def _next(ranked: IntArray, m: int) -> tuple[int, int]:
    """How many of the most frequent values to take, and how often, so that the rest stays eligible."""
    total = int(ranked.sum())
    for size in range(m, int((ranked > 0).sum()) + 1):
        number = _most(total, m, ranked[:size], int(ranked[size]) if size < ranked.size else 0)
        if number > 0:
            return size, number
    raise CannotGuarantee("the values are not eligible; there is no way to form classes of them")


def _most(total: int, m: int, inside: IntArray, outside: int) -> int:
    limits = [int(inside.min()), (total - m * outside) // inside.size]
    if inside.size > m:
        limits.append((total - m * int(inside.max())) // (inside.size - m))
    return min(limits)
