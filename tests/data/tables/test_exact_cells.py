"""Whom values single out, asked person by person in plain Python."""

from itertools import combinations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables import exact_cells as module
from tacit.data.tables.exact_cells import exact_cells, most_telling, paired_columns

NAMES = ("a", "b", "c")
Row = dict[str, str]
CELL = st.sampled_from(["1", "2", "3", "", "*"])
ROWS = st.lists(
    st.fixed_dictionaries({"q": st.sampled_from("xy*"), "p": st.sampled_from("ABCDE"), **dict.fromkeys(NAMES, CELL)}),
    min_size=1,
    max_size=14,
)


def table_of(rows: list[Row]) -> pa.Table:
    return pa.table({name: [row[name] for row in rows] for name in rows[0]})


def found_by(rows: list[Row], columns: tuple[str, ...], by_person: bool) -> int:
    """Who has a row whose values nobody else has."""
    found = set()
    for i, row in enumerate(rows):
        values = [row[name] for name in columns]
        if any(row[name] in ("", "*") for name in columns if name != "q"):
            continue
        others = ((j, other) for j, other in enumerate(rows) if (other["p"] != row["p"] if by_person else j != i))
        if not any([other[name] for name in columns] == values for _, other in others):
            found.add(row["p"] if by_person else str(i))
    return len(found)


@given(ROWS, st.booleans(), st.booleans())
def test_people_are_asked_one_by_one(rows: list[Row], by_person: bool, with_class: bool) -> None:
    cells = exact_cells(table_of(rows), NAMES, ("q",), "p" if by_person else None)
    assert cells.rows == len(rows)
    assert cells.people == (len({row["p"] for row in rows}) if by_person else len(rows))
    for number in (1, 2, 3):
        for chosen in combinations(range(3), number):
            names = tuple(NAMES[c] for c in chosen) + (("q",) if with_class else ())
            assert cells.found(chosen, with_class) == found_by(rows, names, by_person)
            known = [row for row in rows if not any(row[NAMES[c]] in ("", "*") for c in chosen)]
            assert cells.picked(chosen, with_class) == len({tuple(row[name] for name in names) for row in known})


@given(ROWS, st.booleans())
def test_the_most_telling_sets_find_most(rows: list[Row], by_person: bool) -> None:
    cells = exact_cells(table_of(rows), NAMES, (), "p" if by_person else None)
    best = [max(found_by(rows, names, by_person) for names in combinations(NAMES, number)) for number in (1, 2)]
    told = {len(one.columns): one.found for one in most_telling(cells)}
    assert told.get(1, 0) == best[0]
    assert max(told.values(), default=0) == max(best)
    for one in most_telling(cells):
        assert found_by(rows, tuple(NAMES[c] for c in one.columns), by_person) == one.found


def test_pairs_are_limited_by_rows() -> None:
    assert paired_columns(10, 5) == 5
    assert paired_columns(10, 100) == module.MOST_PAIRED
    width = paired_columns(200_000, 24)
    assert width * (width - 1) // 2 * 200_000 <= module.MOST_CELLS < (width + 1) * width // 2 * 200_000
    assert paired_columns(10**9, 24) == 2


def test_nothing_is_found_where_nothing_is_shown() -> None:
    hidden = exact_cells(pa.table({"a": ["*", "*"], "q": ["*", "*"]}), ("a",), ("q",))
    assert most_telling(hidden) == ()
    assert most_telling(exact_cells(pa.table({"a": pa.array([], pa.string())}), ("a",))) == ()
    assert most_telling(exact_cells(pa.table({"a": ["x", "x"]}), ("a",))) == ()
