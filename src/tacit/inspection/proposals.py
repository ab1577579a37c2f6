"""Ready hierarchies that a draft names: for ages, postal codes, countries, diagnoses, degrees, occupations, regions.

A classification is proposed where the column's name says so and it knows at least `KNOWN` of the values, or where the
values alone tell: names of countries are names of nothing else. Codes and figures need the name, since CA is California
as well as Canada, and 3 is many things besides upper secondary school. Values that it does not know become a group of
their own (`other: true`), so that a draft runs as it is; where all values were seen and all are known, a draft stays
strict.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.data.sources.profile import ColumnProfile
from tacit.data.tables.hierarchies.ages import OLDEST, TOP, read_age
from tacit.data.tables.hierarchies.countries import place_country
from tacit.data.tables.hierarchies.diseases import place_disease
from tacit.data.tables.hierarchies.education import place_education
from tacit.data.tables.hierarchies.listed import PathFinder
from tacit.data.tables.hierarchies.occupations import place_occupation
from tacit.data.tables.hierarchies.postal import place_postal
from tacit.data.tables.hierarchies.regions import place_region
from tacit.inspection import words

KNOWN = 0.8
"""The share of the values that a classification must know."""
SURE = 0.9
"""The same where the column's name does not speak for it."""
ENOUGH = 5
"""The number of known values from which on names of countries are no chance."""
GLANCE = 40
"""The number of values of which at least one must be known before all are looked up."""
BANDS = (5, 10, 20, 40)
CHILDRENS_BANDS = (2, 4, 8)
CHILDHOOD = 20

_YEAR = re.compile(r"(?<!\d)\d{4}", re.ASCII)

HierarchyForm = Mapping[str, Any]

_NAMES = {
    "countries": (
        "country countries nation nationality citizenship birthplace origin land staat geburtsland herkunftsland "
        "staatsangehorigkeit pays nationalite paese nazione nazionalita cittadinanza pais nacion nacionalidad"
    ),
    "education": (
        "education educ edu schooling degree school qualification isced bildung schulabschluss abschluss "
        "bildungsabschluss ausbildung schulbildung diplome etudes instruction istruzione studio educacion estudios"
    ),
    "occupations": (
        "occupation occup occupations job work profession isco beruf tatigkeit metier professione occupazione lavoro "
        "ocupacion profesion trabajo"
    ),
    "regions": "nuts",
}
_SPEAKS = {kind: frozenset(text.split()) for kind, text in _NAMES.items()}
"""Words in the name of a column that speak for a classification."""


@dataclass(frozen=True)
class _Classification:
    """A ready hierarchy: its form, its path finder, names of columns that speak for its words and for its codes."""

    form: HierarchyForm
    place: PathFinder
    names: frozenset[str]
    code_names: frozenset[str]
    by_values: bool = False


_CLASSIFICATIONS = (
    _Classification({"countries": "un"}, place_country, _SPEAKS["countries"], _SPEAKS["countries"], by_values=True),
    _Classification({"education": "isced"}, place_education, _SPEAKS["education"], frozenset({"isced"})),
    _Classification({"occupations": "isco"}, place_occupation, _SPEAKS["occupations"], frozenset({"isco"})),
    _Classification({"regions": "nuts"}, place_region, _SPEAKS["regions"], _SPEAKS["regions"]),
)


def propose(
    kind: str, profile: ColumnProfile, values: Sequence[str], usual: HierarchyForm | None
) -> HierarchyForm | None:
    """The ready hierarchy for a column of this kind, or else the usual one."""
    if usual is None and kind != "diagnosis":
        return None
    rules: dict[str, Callable[[ColumnProfile, Sequence[str]], HierarchyForm | None]] = {
        "age": _ages,
        "postal-code": _postal,
        "diagnosis": _diseases,
        "category": _classified,
        "code": _classified,
    }
    if kind == "birth-date" and usual is not None:
        return _births(usual, values)
    found = rules[kind](profile, values) if kind in rules and values else None
    return usual if found is None else found


def _births(usual: HierarchyForm, values: Sequence[str]) -> HierarchyForm:
    """Dates and years of birth span a life, so they get one level more than other dates."""
    years = [found[0] for value in values if (found := _YEAR.search(value))]
    if "dates" in usual and len({year[:2] for year in years}) > 1:
        return {**usual, "dates": [*usual["dates"], "century"]}
    return {**usual, "intervals": list(BANDS)} if "intervals" in usual else usual


def _ages(profile: ColumnProfile, values: Sequence[str]) -> HierarchyForm | None:
    """Bands with an open end, at 90 or where the data have theirs; narrow ones for children."""
    ages = [read_age(value) for value in values]
    if not _seen(profile, values) and profile.numeric < 1.0:
        return None
    known = [age for age in ages if age is not None and age <= OLDEST]
    if len(known) < len(values):
        return None
    open_ends = [age for age, value in zip(known, values, strict=True) if any(sign in value for sign in "+>≥")]
    top = min([TOP, *open_ends])
    widths = CHILDRENS_BANDS if max(known) < CHILDHOOD else BANDS
    if top % widths[0] or top < widths[-1] or len(open_ends) > 1:
        return None
    return {"ages": list(widths)} | ({"top": top} if top < TOP else {})


def _postal(profile: ColumnProfile, values: Sequence[str]) -> HierarchyForm | None:
    form = _listed({"postal": "prefix"}, place_postal, profile, values, SURE)
    if form is None:
        return None
    whole = [value.removesuffix(".0") for value in values]
    lost_zeros = profile.numeric == 1.0 and not any(value.startswith("0") for value in whole)
    lengths = {len(value) for value in whole}
    return {**form, "digits": max(lengths)} if lost_zeros and lengths == {4, 5} else form


def _diseases(profile: ColumnProfile, values: Sequence[str]) -> HierarchyForm | None:
    return _listed({"icd10": True}, place_disease, profile, values, SURE)


def _classified(profile: ColumnProfile, values: Sequence[str]) -> HierarchyForm | None:
    named = words.parts(profile.name)
    coded = all(len(value) <= 3 or any(map(str.isdigit, value)) for value in values)
    for one in _CLASSIFICATIONS:
        speaks = _says(named, one.code_names if coded else one.names)
        if not speaks and (coded or not one.by_values or len(values) < ENOUGH):
            continue
        form = _listed(one.form, one.place, profile, values, KNOWN if speaks else SURE)
        if form is not None:
            return form
    return None


def _says(named: Sequence[str], known: frozenset[str]) -> bool:
    return not known.isdisjoint(named)


def _listed(
    form: HierarchyForm, place: PathFinder, profile: ColumnProfile, values: Sequence[str], least: float
) -> Mapping[str, Any] | None:
    """The form where the classification knows enough of the values, and says what becomes of the others."""
    # Most columns hold something else, which a few of their values show.
    if not any(place(value) is not None for value in values[:GLANCE]):
        return None
    known = sum(place(value) is not None for value in values)
    if known < max(least * len(values), 2):
        return None
    return form if known == len(values) and _seen(profile, values) else {**form, "other": True}


def _seen(profile: ColumnProfile, values: Sequence[str]) -> bool:
    """Whether these are all values of the column."""
    return not profile.estimated and profile.distinct <= len(values)
