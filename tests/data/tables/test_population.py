"""A tally beside a population: the combinations of both, counted as plain Python does."""

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from tacit.data.tables.counting import TallyRequest, tally_from
from tacit.data.tables.population import beside_population
from tacit.data.tables.tally import Tally

Pairs = list[tuple[str, str]]

pairs = st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", ""]))


def tally_of(rows: Pairs, sensitive: bool = False) -> Tally:
    counted = Counter(rows)
    columns = [[key[c] for key in counted] for c in range(2)]
    names = ["p", "q", *(["s"] if sensitive else []), "rows"]
    arrays = [*columns, *([["flu"] * len(counted)] if sensitive else []), list(counted.values())]
    table = pa.Table.from_arrays([*map(pa.array, arrays[:-1]), pa.array(arrays[-1], pa.int64())], names)
    return tally_from(table, TallyRequest(("p", "q"), ("s",) if sensitive else ()))


@given(st.lists(pairs, min_size=1, max_size=12), st.lists(pairs, min_size=1, max_size=12))
@examples(80)
def test_both_are_counted_by_the_combinations_of_both(
    data: list[tuple[str, str]], others: list[tuple[str, str]]
) -> None:
    everybody = data + others
    found = beside_population(tally_of(data, sensitive=True), tally_of(everybody))
    assert found.population is not None
    keys = [tuple(found.values[c][found.codes[c, i]] for c in range(2)) for i in range(found.combinations)]
    assert sorted(keys) == sorted(set(everybody))
    assert found.rows.tolist() == [data.count(key) for key in keys]
    assert found.people.counts().tolist() == [data.count(key) for key in keys]
    assert found.population.tolist() == [everybody.count(key) for key in keys]
    part = found.sensitive["s"]
    assert {keys[i]: n for i, n in zip(part.combination, part.census.counts().tolist(), strict=True)} == Counter(data)
