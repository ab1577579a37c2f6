"""Random small tables about people, and random parameters for every guarantee (hypothesis strategies)."""

from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import strategies as st
from tests.oracle.judge import Row, Scene

QUASI = ("zip", "sex")
MISSING = ""
DISEASES = ["flu", "cold", MISSING, "hiv", "cancer"]
SALARIES = ["10", "20", "30", "40"]
SMOKERS = ["no", "yes"]
ORDERED = {"disease": False, "salary": True, "smoker": False}

shares = st.fractions(min_value=0, max_value=1, max_denominator=12)
several = st.integers(2, 4)


CHOICES = {
    "zip": ["1", "2", "3"],
    "sex": ["f", "m"],
    "disease": DISEASES,
    "salary": SALARIES,
    "smoker": SMOKERS,
    "person": ["p", "q", "r", "s", "t"],
}


SEEDS = st.integers(0, 2**20)


def rows(unit: bool = False) -> st.SearchStrategy[list[Row]]:
    """Rows of people, with the column `person` where a person may have several.

    A seed is drawn, not each cell: that is quick, and tables do not tend to be tiny.
    """
    return SEEDS.map(lambda seed: _rows(Random(seed), unit))


def scenes(population: bool = False) -> st.SearchStrategy[Scene]:
    """A published part of an input, maybe with a unit of privacy, seen by some quasi-identifiers."""
    return SEEDS.map(lambda seed: _scene(Random(seed), population))


def _rows(random: Random, unit: bool, most: int = 12) -> list[Row]:
    columns = [name for name in CHOICES if unit or name != "person"]
    size = random.randint(1 if random.random() < 0.1 else most // 2, most)
    return [{name: random.choice(CHOICES[name]) for name in columns} for _ in range(size)]


def _tree(random: Random, leaves: list[str]) -> dict[str, list[str]]:
    """Paths from each leaf to one root, of a random height; a missing value meets the others at the root only."""
    labels, paths = list(leaves), {leaf: [leaf] for leaf in leaves}
    for level in range(1, random.randint(1, 3)):
        parent = {label: f"{level}.{random.randint(0, 2)}" for label in labels if label != MISSING}
        for leaf, path in paths.items():
            path.append(MISSING if leaf == MISSING else parent[path[-1]])
        labels = sorted(set(parent.values()))
    for path in paths.values():
        path.append("*")
    return paths


def _scene(random: Random, population: bool) -> Scene:
    unit = random.random() < 0.5
    everyone = _rows(random, unit)
    published = everyone[: max(1, len(everyone) - random.choice([0, 0, 1, 3]))]
    if random.random() < 0.1:
        published = _rows(random, unit, most=4)
    return Scene(
        rows=published,
        quasi=random.choice([QUASI, ("zip",), ("sex",), ()]),
        input=everyone,
        unit="person" if unit else None,
        population=everyone + _rows(random, unit) if population else None,
        domains={"disease": DISEASES, "salary": SALARIES, "smoker": SMOKERS},
        paths={"disease": _tree(random, DISEASES), "salary": _tree(random, SALARIES)},
    )


def parameters(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Parameters in range, real ones as fractions; every guarantee but those on people names its column."""
    column = st.sampled_from(["disease", "salary"])
    positive = st.fractions(min_value=Fraction(1, 10), max_value=4, max_denominator=10)
    above_one = st.fractions(min_value=Fraction(11, 10), max_value=4, max_denominator=10)
    return {
        "k-anonymity": st.fixed_dictionaries({"k": several}),
        "k-concealment": st.fixed_dictionaries({"k": several}),
        "k-map": st.fixed_dictionaries({"k": several}),
        "m-invariance": st.fixed_dictionaries({"m": several, "column": column}),
        "delta-presence": st.tuples(shares, shares).filter(lambda p: max(p) > 0 and set(p) != {0, 1}).map(_between),
        "l-diversity": st.one_of(
            st.fixed_dictionaries({"l": several, "kind": st.just("distinct"), "column": column}),
            st.fixed_dictionaries({"l": above_one, "kind": st.just("entropy"), "column": column}),
            st.fixed_dictionaries({"l": several, "kind": st.just("entropy"), "column": column}),
            st.fixed_dictionaries({"l": above_one, "kind": st.just("probabilistic"), "column": column}),
            st.fixed_dictionaries({"l": several, "kind": st.just("recursive"), "c": positive, "column": column}),
        ),
        "alpha-k-anonymity": st.fixed_dictionaries({"alpha": shares.filter(bool), "k": several, "column": column}),
        "beta-likeness": st.fixed_dictionaries(
            {
                "beta": positive,
                "kind": st.sampled_from(["basic", "enhanced"]),
                "column": st.sampled_from(["disease", "salary", "smoker"]),
            }
        ),
        "delta-disclosure": st.fixed_dictionaries(
            {"delta": positive, "column": st.sampled_from(["smoker", "smoker", "smoker", "salary"])}
        ),
        "t-closeness": st.one_of(
            st.fixed_dictionaries(
                {"t": shares, "distance": st.sampled_from(["equal", "variational", "hierarchical"]), "column": column}
            ),
            st.fixed_dictionaries({"t": positive, "distance": st.just("kl"), "column": column}),
            st.fixed_dictionaries({"t": shares, "distance": st.just("ordered"), "column": st.just("salary")}),
        ),
    }[name]


def _between(pair: tuple[Fraction, Fraction]) -> dict[str, Fraction]:
    return {"minimum": min(pair), "maximum": max(pair)}


def plain(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters as a plan would give them: floats for fractions."""
    return {name: float(value) if isinstance(value, Fraction) else value for name, value in params.items()}
