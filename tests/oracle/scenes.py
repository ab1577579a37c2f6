"""Random small tables about people, and random parameters for every guarantee (hypothesis strategies)."""

import math
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from oracle.judge import Row, Scene

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


def rows(unit: bool = False, most: int = 12) -> st.SearchStrategy[list[Row]]:
    """Rows of people, with the column `person` where a person may have several. One draw a row: it is quick."""
    columns = [name for name in CHOICES if unit or name != "person"]
    return st.lists(
        st.integers(0, math.prod(len(CHOICES[name]) for name in columns) - 1).map(lambda n: _row(n, columns)),
        min_size=1,
        max_size=most,
    )


def _row(number: int, columns: list[str]) -> Row:
    row = {}
    for name in columns:
        number, position = divmod(number, len(CHOICES[name]))
        row[name] = CHOICES[name][position]
    return row


@st.composite
def trees(draw: st.DrawFn, leaves: list[str]) -> dict[str, list[str]]:
    """Paths from each leaf to one root, of a random height; a missing value meets the others at the root only."""
    labels, paths = list(leaves), {leaf: [leaf] for leaf in leaves}
    for level in range(1, draw(st.integers(1, 3))):
        parent = {label: f"{level}.{draw(st.integers(0, 2))}" for label in labels if label != MISSING}
        for leaf, path in paths.items():
            path.append(MISSING if leaf == MISSING else parent[path[-1]])
        labels = sorted(set(parent.values()))
    for path in paths.values():
        path.append("*")
    return paths


@st.composite
def scenes(draw: st.DrawFn, population: bool = False) -> Scene:
    """A published part of an input, maybe with a unit of privacy, seen by some quasi-identifiers."""
    unit = draw(st.booleans())
    everyone = draw(rows(unit))
    kept = draw(st.integers(1, len(everyone)))
    published = everyone[:kept]
    if draw(st.integers(0, 9)) == 0:
        published = draw(rows(unit, most=4))
    return Scene(
        rows=published,
        quasi=draw(st.sampled_from([QUASI, ("zip",), ("sex",), ()])),
        input=everyone,
        unit="person" if unit else None,
        population=everyone + draw(rows(unit)) if population else None,
        domains={"disease": DISEASES, "salary": SALARIES, "smoker": SMOKERS},
        paths={"disease": draw(trees(DISEASES)), "salary": draw(trees(SALARIES))},
    )


def parameters(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Parameters in range, real ones as fractions; every guarantee but those on people names its column."""
    column = st.sampled_from(["disease", "salary"])
    positive = st.fractions(min_value=Fraction(1, 10), max_value=4, max_denominator=10)
    above_one = st.fractions(min_value=Fraction(11, 10), max_value=4, max_denominator=10)
    return {
        "k-anonymity": st.fixed_dictionaries({"k": several}),
        "k-map": st.fixed_dictionaries({"k": several}),
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
