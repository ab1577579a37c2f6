"""What a guarantee about classes keeps when it is measured: on random classes, on mergers of them, and in a release.

A class is measured by itself, so its measure is the same among fewer classes and in another order. What the guarantee
claims that merging can't spoil is tried on random mergers, which refute a wrong claim and never prove a right one. A
promise that holds of every random class, of single people too, promises nothing. In a release the second definition
must find what the first found; where there is none, a wrong measure passes.
"""

from collections.abc import Iterator

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.data.tables.classes import Classes, Frequencies
from tacit.errors import BadData, BadParameter, CannotGuarantee, TacitError
from tacit.guarantees.guarantee import Guarantee, TableGuarantee
from tacit.testing.generated import SEED, generated_table
from tacit.verbs.datasets import protect

TRIALS = 200
MOST_CLASSES = 6
VALUES = ("1", "2", "4", "8")
"""Numbers, so that a guarantee about numbers has something to measure as well."""
LIMIT = 0.5
"""The largest share of rows that may be suppressed in the trial release."""


def check_table_guarantee(guarantee: TableGuarantee) -> None:
    """The guarantee measures random classes as it says of itself, and a release of a generated table twice alike.

    It must be one about each class by itself. The classes have the numbers 1, 2, 4 and 8 as values of a secret.
    """
    where, fails = f"guarantees/{guarantee.name}", False
    assert is_about_classes(guarantee), f"{where}: it is not about each class by itself"
    for counts in _counts():
        classes = _classes(counts, counts)
        found = _measured(where, guarantee, classes)
        fails |= not bool(guarantee.satisfied(found).all())
        _check_alone(where, guarantee, counts, found)
        _check_mergers(where, guarantee, counts, found)
    assert fails, f"{where}: {guarantee!r} holds for every random class, even for single people, so it promises nothing"
    _check_release(where, guarantee)


def is_about_classes(guarantee: Guarantee) -> bool:
    """Whether the guarantee is measured on each class by itself, without a population."""
    return isinstance(guarantee, TableGuarantee) and guarantee.subject == "class" and not guarantee.needs_population


def _counts() -> Iterator[IntArray]:
    """The people of each class with each value; nobody has all, and some classes are single people."""
    generator = np.random.default_rng(SEED)
    for _ in range(TRIALS):
        counts = generator.integers(0, 7, (generator.integers(2, MOST_CLASSES + 1), len(VALUES)))
        counts *= generator.random(counts.shape) < 0.7
        counts[0] = np.eye(len(VALUES), dtype=np.int64)[generator.integers(len(VALUES))]
        yield counts[counts.sum(axis=1) > 0].astype(np.int64)


def _classes(counts: IntArray, whole: IntArray) -> Classes:
    """The classes with these counts, of an input with the counts of the whole."""
    class_, value = np.nonzero(counts)
    cells = Frequencies(VALUES, class_, value, counts[class_, value], whole.sum(axis=0), ordered=True)
    sizes = counts.sum(axis=1)
    return Classes(sizes.copy(), sizes, {"secret": cells})


def _measured(where: str, guarantee: TableGuarantee, classes: Classes) -> FloatArray:
    """What the guarantee measures, which is a number for each class."""
    found = np.asarray(guarantee.measure(classes))
    plain = found.shape == (classes.number,) and found.dtype.kind == "f" and not np.isnan(found).any()
    assert plain, f"{where}: `measure` must give one float for each of {classes.number} classes"
    return found


def _check_alone(where: str, guarantee: TableGuarantee, counts: IntArray, found: FloatArray) -> None:
    """The last classes in the opposite order have the same measures as among all."""
    few = counts[:0:-1]
    if len(few):
        again = _measured(where, guarantee, _classes(few, counts))
        same = np.allclose(again, found[:0:-1], rtol=1e-9, atol=1e-9)
        assert same, f"{where}: the measure of a class depends on the other classes, or on their order"


def _check_mergers(where: str, guarantee: TableGuarantee, counts: IntArray, found: FloatArray) -> None:
    """A class that keeps the promise does so after merging: with any other class, or with any that keeps it too."""
    kept, claim = np.flatnonzero(guarantee.satisfied(found)), guarantee.monotone
    others = kept if claim == "table" else np.arange(len(counts))
    if claim == "no" or not kept.size or others.size < 2:
        return
    merged = counts[kept[0]] + counts[others[others != kept[0]]]
    holds = guarantee.satisfied(_measured(where, guarantee, _classes(merged, counts))).all()
    assert holds, f"{where}: `monotone` claims {claim!r}, and merging two classes spoils what held; see `Monotone`"


def _check_release(where: str, guarantee: TableGuarantee) -> None:
    """Both definitions agree on a release of a generated table, if it can be measured there and one is found."""
    try:
        protect(generated_table(), [guarantee], suppression=LIMIT)
    except (BadData, BadParameter, CannotGuarantee):
        return
    except TacitError as error:
        raise AssertionError(f"{where}: in a release of a generated table: {error}") from None
