"""The register of an invented hospital: one row a patient, made anew from a seed whenever it is asked for.

It has direct identifiers, seven quasi-identifiers that depend on one another as they do in life, a diagnosis to keep
secret, and gaps. Nobody in it exists.
"""

from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import BoolArray, FloatArray, IntArray
from tacit.demo import illness, names, population, work
from tacit.errors import BadParameter

if TYPE_CHECKING:
    import pyarrow as pa

SEED = 7
PEOPLE = 5_000
REFERENCE_DAY = date(2024, 12, 31)
"""The day on which ages are reckoned; fixed, so that the register does not change with the calendar."""

GAPS = {"postal_code": 0.002, "marital_status": 0.006, "occupation": 0.004, "education": 0.01, "length_of_stay": 0.005}
"""The share of the patients for whom the register does not say."""


def register(seed: int = SEED, people: int = PEOPLE) -> "pa.Table":
    """The register; the same seed and number of people give the same table."""
    if people < 1:
        raise BadParameter(f"people is {people}; a register needs at least 1")
    import pyarrow as pa

    generator = np.random.default_rng(seed)
    bands = population.draw_age_bands(people, generator)
    days = population.draw_days_lived(bands, generator)
    women = population.draw_women(bands, generator)
    columns = _identity(days / 365.25, women, generator)
    columns["birth_date"] = pa.array(np.datetime64(REFERENCE_DAY) - days)
    columns["sex"] = _labels(("male", "female"), women)
    columns |= _home(bands, generator)
    columns |= _station(bands, women, generator)
    columns |= _stay(days / 365.25, women, generator)
    return pa.table(columns)


def _identity(age: FloatArray, women: IntArray, generator: np.random.Generator) -> "dict[str, pa.Array]":
    import pyarrow as pa

    people = women.size
    number = generator.permutation(max(900_000, 2 * people))[:people] + 100_000
    first = names.draw_first_names(women, generator)
    surname = names.draw_surnames(people, generator)
    # Small children have no address of their own, the very old seldom have one.
    reached = np.where(age < 14, 0.0, np.where(age < 65, 0.9, 0.5))
    return {
        "patient_id": pa.array(names.joined(np.full(people, "P"), number.astype(np.str_))),
        "name": pa.array(names.compose_names(first, surname)),
        "email": _with_gaps(names.draw_mail(first, surname, generator), generator.random(people) >= reached),
        "phone": _with_gaps(names.draw_phones(people, generator), generator.random(people) >= 0.95),
    }


def _home(bands: IntArray, generator: np.random.Generator) -> "dict[str, pa.Array]":
    areas = population.draw_areas(bands.size, generator)
    codes = population.draw_postal_codes(areas, generator).astype(np.str_)
    country = population.draw_countries(areas, generator)
    return {
        "postal_code": _with_gaps(codes, _gaps("postal_code", bands.size, generator)),
        "country_of_birth": _labels((population.NATIVE, *population.ABROAD), country),
    }


def _station(bands: IntArray, women: IntArray, generator: np.random.Generator) -> "dict[str, pa.Array]":
    marital = population.draw_marital(bands, generator)
    education = work.draw_education(bands, generator)
    occupation = work.draw_occupation(bands, women, education, generator)
    drawn = {
        "marital_status": (population.MARITAL, marital),
        "education": (work.EDUCATION, education),
        "occupation": (work.OCCUPATIONS, occupation),
    }
    return {name: _labels(labels, codes, _gaps(name, bands.size, generator)) for name, (labels, codes) in drawn.items()}


def _stay(age: FloatArray, women: IntArray, generator: np.random.Generator) -> "dict[str, pa.Array]":
    diagnosis = illness.draw_diagnosis(age, women, generator)
    nights = illness.draw_nights(diagnosis, generator)
    return {
        "diagnosis": _labels(illness.CODES, diagnosis),
        "length_of_stay": _with_gaps(nights, _gaps("length_of_stay", age.size, generator)),
    }


def _gaps(column: str, people: int, generator: np.random.Generator) -> BoolArray:
    return generator.random(people) < GAPS[column]


def _labels(labels: tuple[str, ...], codes: IntArray, missing: BoolArray | None = None) -> "pa.Array":
    import pyarrow as pa

    return pa.array(labels).take(pa.array(codes, mask=missing))


def _with_gaps(values: "np.ndarray[Any, Any]", missing: BoolArray) -> "pa.Array":
    import pyarrow as pa

    return pa.array(values, mask=missing)
