"""Small counts can't be deduced, by the word of a reader who tries all tables; and partners are as cheap as can be.

Covers methods/*/suppression, counts/_choice, counts/margins, counts/intervals.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from tests.examples import examples

from tacit.errors import BadParameter, CannotGuarantee
from tacit.methods.counts.suppression import (
    METHOD,
    Axis,
    Margins,
    SmallCells,
    SuppressedTable,
    counted,
    deduced,
    summed,
)

REGIONS = Axis.flat("activity", ["I", "II", "III"]), Axis.flat("region", ["A", "B", "C"])


def run(margins: Margins, **given: object) -> SuppressedTable:
    found: SuppressedTable = METHOD.run(margins, SmallCells.parse("test", given))
    return found


def compositions(total: int, cells: int) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """Every way to share a total among cells."""
    bars = np.array(list(combinations(range(total + cells - 1), cells - 1))).reshape(-1, cells - 1)
    ends = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), total + cells - 1)])
    return np.diff(ends, axis=1) - 1


def every_table(margins: Margins) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """All tables with the same axes and grand total, flattened with their sums."""
    shape = tuple(len(axis.values) for axis in margins.axes)
    inner = compositions(int(margins.counts.flat[-1]), int(np.prod(shape)))
    units = np.eye(inner.shape[1], dtype=np.int64)
    result: np.ndarray[tuple[int, int], np.dtype[np.int64]] = inner @ np.array(
        [summed(margins.axes, one.reshape(shape)).counts.reshape(-1) for one in units]
    )
    return result


class Tried:
    """A reader who tries every table: those fit that have the published counts, and no 0 under a star unless it may."""

    def __init__(self, margins: Margins, zeros: bool, sure: Sequence[int] = ()) -> None:
        self.tables = every_table(margins)
        bits = 1 << np.arange(margins.counts.size)
        empty = (self.tables == 0) & (not zeros)
        empty[:, list(sure)] = self.tables[:, list(sure)] == 0
        self._other, self._empty, self._bits = (self.tables != margins.counts.reshape(-1)) @ bits, empty @ bits, bits

    def fitting(self, suppressed: np.ndarray) -> np.ndarray:
        stars = int(suppressed.reshape(-1) @ self._bits)
        return self.tables[(self._other & ~stars | self._empty & stars) == 0]


@st.composite
def tables(draw: st.DrawFn) -> Margins:
    kind = draw(st.sampled_from(["2x2", "2x3", "tree", "2x2x2", "line"]))
    flat = [Axis.flat(name, [f"{name}{i}" for i in range(2)]) for name in "abc"]
    three = Axis.flat("t", ["t0", "t1", "t2"])
    tree = Axis.grouped("t", {"all": ["north", "t2"], "north": ["t0", "t1"]})
    axes = {"2x2": flat[:2], "2x3": [flat[0], three], "tree": [flat[0], tree], "2x2x2": flat, "line": [three]}[kind]
    shape = tuple(len(axis.values) for axis in axes)
    size = int(np.prod(shape))
    most = {"2x2": 4, "line": 6, "2x2x2": 1}.get(kind, 2)
    inner = draw(st.lists(st.integers(0, most), min_size=size, max_size=size))
    return summed(axes, np.array(inner, dtype=np.int64).reshape(shape))


@pytest.mark.slow
@examples(40)
@given(tables(), st.randoms(use_true_random=False), st.booleans())
def test_a_reader_deduces_what_all_fitting_tables_have_in_common(margins: Margins, random: object, zeros: bool) -> None:
    choice = np.array([random.random() < 0.5 for _ in range(margins.counts.size)])  # type: ignore[attr-defined]
    suppressed = choice.reshape(margins.counts.shape) & (zeros | (margins.counts > 0))
    suppressed.flat[-1] = False
    fitting = Tried(margins, zeros).fitting(suppressed)
    found = deduced(margins, suppressed, zeros=zeros)
    assert found.cells.tolist() == np.flatnonzero(suppressed).tolist()
    assert found.lower.tolist() == fitting[:, found.cells].min(axis=0).tolist()
    assert found.upper.tolist() == fitting[:, found.cells].max(axis=0).tolist()


def safe(fitting: np.ndarray, margins: Margins, primary: np.ndarray, protection: int, least: int) -> bool:
    count, cells = margins.counts.reshape(-1)[primary.reshape(-1)], fitting[:, primary.reshape(-1)]
    low, high = cells.min(axis=0), cells.max(axis=0)
    return bool((low <= np.maximum(count - protection, least)).all() and (high >= count + protection).all())


def cheapest(margins: Margins, primary: np.ndarray, zeros: bool, protection: int) -> float:
    """The least cost over all sets of partners, infinite where none protects; the reader tries all tables."""
    reader = Tried(margins, zeros)
    flat = margins.counts.reshape(-1)
    free = np.flatnonzero(~primary.reshape(-1) & ((flat > 0) | zeros))[:-1]
    assume(free.size <= 13)
    everything = primary.reshape(-1).copy()
    everything[free] = True
    if not safe(reader.fitting(everything), margins, primary, protection, int(not zeros)):
        return np.inf
    best, least = np.inf, int(flat[primary.reshape(-1)].sum())
    for size in range(free.size + 1):
        if least + size >= best:
            break
        for partners in combinations(free.tolist(), size):
            suppressed = primary.reshape(-1).copy()
            suppressed[list(partners)] = True
            cost = float(np.maximum(flat, 1)[suppressed].sum())
            if cost < best and safe(reader.fitting(suppressed), margins, primary, protection, int(not zeros)):
                best = cost
    return best


@pytest.mark.slow
@examples(25)
@given(tables(), st.booleans(), st.sampled_from([1, 2]))
def test_small_counts_are_safe_and_partners_the_cheapest(margins: Margins, zeros: bool, protection: int) -> None:
    threshold = 3 if zeros else 2
    primary = (margins.counts > 0) & (margins.counts < threshold)
    best = cheapest(margins, primary, zeros, protection) if not primary.flat[-1] else np.inf
    try:
        found = run(margins, threshold=threshold, zeros=zeros, protection=protection)
    except CannotGuarantee:
        assert np.isinf(best) or not margins.is_network
        return
    assert (found.primary == primary).all()
    assert not (found.primary & found.secondary).any()
    fitting = Tried(margins, zeros).fitting(found.primary | found.secondary)
    assert safe(fitting, margins, primary, protection, int(not zeros))
    assert best <= found.cost
    assert found.bound <= best
    if margins.is_network:
        assert found.optimal
        assert found.cost == best


def groups(margins: Margins, suppressed: np.ndarray) -> list[np.ndarray]:
    """The suppressed cells that are tied together by sums."""
    lines = (margins.equations.toarray() != 0)[:, suppressed.reshape(-1)]
    tied = np.linalg.matrix_power((lines.T @ lines).astype(np.int64) + np.eye(lines.shape[1], dtype=np.int64) > 0, 16)
    cells = np.flatnonzero(suppressed)
    return [cells[row] for row in np.unique(tied > 0, axis=0)]


@pytest.mark.slow
@examples(40)
@given(tables(), st.booleans(), st.integers(2, 4))
def test_to_know_that_some_suppressed_count_is_small_helps_as_little_as_is_said(
    margins: Margins, zeros: bool, threshold: int
) -> None:
    """In a network no end moves without zeros; with them a count next to the true one stays possible."""
    threshold = max(threshold, 3) if zeros else threshold
    try:
        found = run(margins, threshold=threshold, zeros=zeros)
    except CannotGuarantee:
        reject()
    suppressed = found.primary | found.secondary
    fitting = Tried(margins, zeros).fitting(suppressed)
    small = (fitting > 0) & (fitting < threshold)
    sharper = fitting[np.all([small[:, group].any(axis=1) for group in groups(margins, suppressed)], axis=0)]
    for cell in np.flatnonzero(found.primary).tolist():
        values, count = set(sharper[:, cell].tolist()), int(margins.counts.flat[cell])
        assert threshold == 2 or not margins.is_network or values & {count - 1, count + 1}
        if margins.is_network and not zeros:
            assert (min(values), max(values)) == (fitting[:, cell].min(), fitting[:, cell].max())


FIVE = Axis.flat("dx", ["flu", "HIV", "gout", "mumps", "asthma"])
EXACT = [
    pytest.param(summed([FIVE], np.ones(5, dtype=np.int64)), id="five ones"),
    pytest.param(summed(REGIONS, np.array([[1, 1, 9], [1, 1, 9], [9, 9, 9]])), id="a square of ones"),
]


@pytest.mark.slow
@pytest.mark.parametrize("margins", EXACT)
def test_counts_that_are_the_least_they_can_be_are_not_left_to_each_other(
    margins: Margins, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many people as suppressed cells, none of them empty: each is 1. A twin that takes 0 for possible is fooled."""
    if len(margins.axes) == 1:
        with pytest.raises(CannotGuarantee, match=r"at least 1 .*; join categories, or let zeros be suppressed"):
            run(margins)
    else:
        found = run(margins)
        assert found.secondary.any()
        ones = np.isin(found.intervals.cells, np.flatnonzero(found.primary))
        assert (found.intervals.lower[ones] == 1).all()
        assert (found.intervals.upper[ones] >= 2).all()
    monkeypatch.setattr(Margins, "least", lambda self, zeros: np.zeros_like(self.counts))
    twin = run(margins)
    assert not twin.secondary.any()
    monkeypatch.undo()
    told = deduced(margins, twin.primary)
    assert told.lower.tolist() == told.upper.tolist() == [1] * told.cells.size


def test_the_twin_is_fooled_by_the_word_of_all_tables() -> None:
    margins = summed([FIVE], np.ones(5, dtype=np.int64))
    stars = margins.counts == 1
    assert len(Tried(margins, zeros=False).fitting(stars)) == 1
    assert len(Tried(margins, zeros=True).fitting(stars)) == comb(9, 4)


def test_names_that_occur_are_not_empty_though_zeros_may_be_suppressed() -> None:
    """A list of what occurs tells that each does; only cells that are no totals of a name may then be empty."""
    ones = np.ones(5, dtype=np.int64)
    listed = Axis.flat("dx", FIVE.values, occurring=True)
    assert run(summed([FIVE], ones), zeros=True).intervals.lower.tolist() == [0] * 5
    with pytest.raises(CannotGuarantee, match="keeps every small count uncertain by at least 1; "):
        run(summed([listed], ones), zeros=True)
    sides = [Axis.flat(name, [name + "0", name + "1"], occurring=True) for name in "ab"]
    margins = summed(sides, np.array([[1, 1], [1, 1]]))
    suppressed = np.ones((3, 3), dtype=bool)
    suppressed[2, 2] = False
    fitting = Tried(margins, zeros=True, sure=[2, 5, 6, 7]).fitting(suppressed)
    found = deduced(margins, suppressed, zeros=True)
    assert found.lower.tolist() == fitting[:, :-1].min(axis=0).tolist() == [0, 0, 1, 0, 0, 1, 1, 1]
    assert found.upper.tolist() == fitting[:, :-1].max(axis=0).tolist()


def test_an_empty_cell_is_no_partner_that_readers_know_nothing_of() -> None:
    margins = summed(REGIONS[:1], np.array([2, 9, 0]))
    with pytest.raises(BadParameter, match="no table fits"):
        deduced(margins, np.array([False, False, True, False]))
    with pytest.raises(BadParameter, match="no table fits"):
        deduced(summed(REGIONS[:1], np.zeros(3, dtype=np.int64)), np.array([True, False, False, False]))
    with pytest.raises(BadParameter, match="at least 3"):
        SmallCells.parse("test", {"threshold": 2, "zeros": True})


def test_a_published_example_of_four_suppressed_cells() -> None:
    """Fischetti and Salazar (2001): rows II and III without A and C leave 30 and 29, columns 25 and 34, so that 22 lies
    between 30 - 25 and 30; where no star is 0, between 30 - 24 and 29."""
    margins = summed(REGIONS, np.array([[20, 50, 10], [8, 19, 22], [17, 32, 12]]))
    assert margins.counts[3].tolist() == [45, 101, 44, 190]
    suppressed = np.zeros((4, 4), dtype=bool)
    suppressed[np.ix_([1, 2], [0, 2])] = True
    found = deduced(margins, suppressed, zeros=True)
    assert (found.lower[1], found.upper[1]) == (5, 30)
    found = deduced(margins, suppressed)
    assert (found.lower[1], found.upper[1]) == (6, 29)


def test_one_small_count_takes_three_partners_in_a_rectangle() -> None:
    """22 is now 2: of the four rectangles through it the one with partners 8, 12 and 17 is the cheapest by people."""
    margins = summed(REGIONS, np.array([[20, 50, 10], [8, 19, 2], [17, 32, 12]]))
    found = run(margins)
    assert found.optimal
    assert margins.names(found.primary) == [("II", "C")]
    assert margins.names(found.secondary) == [("II", "A"), ("III", "A"), ("III", "C")]
    assert found.cost == found.bound == 2 + 8 + 17 + 12
    assert found.lines()[0] == ["activity", "A", "B", "C", "total"]
    assert found.lines()[2:4] == [["II", "*", "19", "*", "29"], ["III", "*", "32", "*", "61"]]
    assert np.isnan(found.published).sum() == 4


def test_subtotals_can_be_partners() -> None:
    """Two districts of a region: the small one is told by the region's subtotal unless its sister is hidden too."""
    district = Axis.grouped("district", {"all": ["north", "south"], "north": ["n1", "n2"], "south": ["s1", "s2"]})
    assert district.names == ("n1", "n2", "s1", "s2", "north", "south", "all")
    found = run(summed([district], np.array([1, 9, 8, 7])), threshold=3)
    assert found.margins.names(found.primary | found.secondary) == [("n1",), ("n2",)]
    assert (found.intervals.lower[0], found.intervals.upper[0]) == (1, 9)


@pytest.mark.slow
def test_three_axes_and_larger_tables_are_safe() -> None:
    generator = np.random.default_rng(3)
    for shape in ((3, 3, 2), (9, 8)):
        axes = [Axis.flat(f"a{i}", [f"{i}.{j}" for j in range(size)]) for i, size in enumerate(shape)]
        margins = summed(axes, generator.poisson(generator.gamma(1.2, 12, shape)))
        found = run(margins, threshold=4, protection=2, seconds=2)
        small = np.isin(found.intervals.cells, np.flatnonzero(found.primary))
        count = margins.counts.reshape(-1)[found.intervals.cells[small]]
        assert (found.intervals.lower[small] <= np.maximum(count - 2, 1)).all()
        assert (found.intervals.upper[small] >= count + 2).all()
        assert found.bound <= found.cost


def test_rows_are_counted() -> None:
    margins = counted(REGIONS, [["I", "I", "III"], ["A", "A", "C"]])
    assert margins.counts[:, 3].tolist() == [2, 0, 1, 3]
    assert not run(summed(REGIONS, np.full((3, 3), 9))).secondary.any()


def test_what_can_not_be_is_refused() -> None:
    with pytest.raises(CannotGuarantee, match="all counts together"):
        run(counted(REGIONS, [["I"], ["A"]]))
    with pytest.raises(
        CannotGuarantee, match=r"keeps every small count uncertain by at least 10 .* or let zeros be suppressed"
    ):
        run(summed(REGIONS[:1], np.array([2, 9, 0])), protection=10)
    with pytest.raises(BadParameter, match="grand total"):
        deduced(summed(REGIONS, np.diag([9, 2, 9])), np.ones((4, 4), dtype=bool))
    with pytest.raises(BadParameter, match="form one tree"):
        Axis.grouped("x", {"all": ["a", "b"], "other": ["a"]})
    with pytest.raises(BadParameter, match="whole numbers"):
        summed(REGIONS, np.array([[1, -1]]))
    with pytest.raises(BadParameter, match="lacks 1 value"):
        counted(REGIONS, [["IV"], ["A"]])
    with pytest.raises(BadParameter, match="as many columns"):
        counted(REGIONS, [["I"]])
