"""A tally with a population: the same combinations, with the number of people in the population who share each."""

import numpy as np

from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.tally import Census, Tally


def beside_population(tally: Tally, population: Tally) -> Tally:
    """The tally over the combinations of both; those that only the population has are there with no rows.

    The rows of `population` are its people.
    """
    values, codes = [], []
    for c in range(len(tally.columns)):
        union = tuple(dict.fromkeys((*tally.values[c], *population.values[c])))
        position = {value: i for i, value in enumerate(union)}
        ours = np.array([position[value] for value in tally.values[c]], dtype=np.int32)[tally.codes[c]]
        theirs = np.array([position[value] for value in population.values[c]], dtype=np.int32)[population.codes[c]]
        values.append(union)
        codes.append(np.concatenate([ours, theirs]))
    nobody = np.zeros(population.combinations, dtype=np.int64)
    settled = np.concatenate([tally.people.settled, nobody])
    joined = Tally(
        columns=tally.columns,
        values=tuple(values),
        codes=np.array(codes, dtype=np.int32),
        rows=np.concatenate([tally.rows, nobody]),
        people=Census(settled, tally.people.spread_key, tally.people.spread_person),
        sensitive=tally.sensitive,
        population=np.concatenate([np.zeros(tally.combinations, dtype=np.int64), population.rows]),
    )
    keys = pack(codes, [len(column) for column in values], joined.combinations)
    return joined.merged(group_by(keys.key, keys.span))
