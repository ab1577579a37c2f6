"""What the guarantees say about the classes of a node: which must be suppressed, and what no finer table could keep."""

from dataclasses import dataclass, replace

import numpy as np

from tacit.arrays import BoolArray, FloatArray
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.tally import Tally
from tacit.guarantees.guarantee import TableGuarantee


@dataclass(frozen=True, eq=False)
class ClassVerdicts:
    """One entry for each class of a node.

    `suppressed`: it fails a guarantee. `share`: at least this share of its rows is suppressed in every finer table.
    `holds`: after suppression every guarantee holds.
    """

    suppressed: BoolArray
    share: FloatArray
    holds: bool


def judge(guarantees: tuple[TableGuarantee, ...], tally: Tally) -> ClassVerdicts:
    """The verdict on the classes of `tally`."""
    classes = classes_of(tally)
    failing = np.zeros(classes.number, dtype=np.bool_)
    share = np.zeros(classes.number)
    mixture = _is_mixture(tally)
    for guarantee in guarantees:
        measured = guarantee.measure(classes)
        fails = ~guarantee.satisfied(measured)
        failing |= fails
        if fails.any():
            np.maximum(share, _unkeepable(guarantee, classes, measured, mixture), out=share)
    if tally.population is None:
        return ClassVerdicts(failing, share, True)
    return _with_population(guarantees, tally, failing, share)


def _unkeepable(guarantee: TableGuarantee, classes: Classes, measured: FloatArray, mixture: bool) -> FloatArray:
    """The share of each class that fails in every finer table.

    A class is a mixture of its parts where each person has one row. Then, if the whole fails a guarantee that merging
    can't spoil, a part fails: at least one row goes, or more where the guarantee can tell.
    """
    fails = ~guarantee.satisfied(measured)
    share = np.zeros(classes.number)
    if mixture and guarantee.monotone != "no":
        share = np.where(fails, np.maximum(guarantee.unkeepable(measured), 1 / np.maximum(classes.rows, 1)), 0.0)
    for implied in guarantee.implied():
        share[fails & ~implied.satisfied(implied.measure(classes))] = 1.0
    return share


def _is_mixture(tally: Tally) -> bool:
    """Whether every person has one row: then classes are mixtures of their parts, and shares of people are of rows."""
    return not tally.people.spread_key.size and bool(np.array_equal(tally.people.settled, tally.rows))


def _with_population(
    guarantees: tuple[TableGuarantee, ...], tally: Tally, failing: BoolArray, share: FloatArray
) -> ClassVerdicts:
    """The verdict over all combinations, those without rows included; what is suppressed is absent afterwards."""
    present = np.flatnonzero(tally.rows > 0)
    suppressed = np.ones(tally.combinations, dtype=np.bool_)
    suppressed[present] = failing
    shares = np.zeros(tally.combinations)
    shares[present] = share
    published = classes_of(replace(tally, rows=np.where(suppressed, 0, tally.rows)))
    holds = all(guarantee.satisfied(guarantee.measure(published)).all() for guarantee in guarantees)
    return ClassVerdicts(suppressed, shares, holds)


def allowing(suppression: float) -> str:
    """How much may be suppressed, for a refusal."""
    if not suppression:
        return "without suppressing rows"
    return f"with at most {100 * suppression:.6g} % of the rows suppressed"


def reach_of(guarantee: TableGuarantee, reached: float) -> str:
    """What a guarantee reaches at best and whether that is enough, for a refusal; with its advice where it is not."""
    if guarantee.satisfied(np.array([reached]))[0]:
        return f"{guarantee.name} reaches {reached:.6g}, which holds"
    advice = f" ({guarantee.advice})" if guarantee.advice else ""
    return f"{guarantee.name} reaches {reached:.6g}, but {guarantee.missed(reached):g} is required{advice}"
