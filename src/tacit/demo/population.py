"""Who comes to the invented hospital: age, sex, home, country of birth, marital status.

The tables below are the joint distribution, factor by factor: age band; sex given age; home; country of birth given
home; marital status given age. They are made up to look like a European general hospital and describe no real place:
the postal codes belong to no postal plan. There is one dense town (codes in 4), its suburbs (in 5), a sparse
countryside (in 6) and a few visitors from afar.
"""

from typing import NamedTuple

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.demo.draw import draw, draw_alike


class AgeBand(NamedTuple):
    """Years `first` to `end` (left out): the share of the patients, the share of women among them."""

    first: int
    end: int
    share: float
    women: float


class Area(NamedTuple):
    """Postal codes with one prefix: the share of the patients, the number of codes, the share born in the country."""

    prefix: str
    share: float
    codes: int
    native: float


AGE_BANDS = (
    AgeBand(0, 5, 0.05, 0.48),
    AgeBand(5, 15, 0.06, 0.47),
    AgeBand(15, 25, 0.09, 0.54),
    AgeBand(25, 35, 0.13, 0.63),
    AgeBand(35, 45, 0.12, 0.56),
    AgeBand(45, 55, 0.13, 0.50),
    AgeBand(55, 65, 0.16, 0.48),
    AgeBand(65, 75, 0.14, 0.49),
    AgeBand(75, 85, 0.09, 0.54),
    AgeBand(85, 96, 0.03, 0.63),
)

AREAS = (
    Area("40", 0.31, 24, 0.76),
    Area("41", 0.20, 16, 0.80),
    Area("43", 0.10, 10, 0.82),
    Area("50", 0.13, 14, 0.86),
    Area("52", 0.10, 12, 0.88),
    Area("61", 0.07, 16, 0.92),
    Area("63", 0.05, 14, 0.93),
    Area("66", 0.03, 10, 0.94),
    Area("27", 0.004, 4, 0.85),
    Area("35", 0.003, 3, 0.85),
    Area("81", 0.003, 3, 0.85),
)

NATIVE = "Germany"
ABROAD = {
    "Turkey": 14.0,
    "Poland": 13.0,
    "Romania": 9.0,
    "Italy": 8.0,
    "Syria": 8.0,
    "Ukraine": 7.0,
    "Croatia": 6.0,
    "Greece": 5.0,
    "Bosnia and Herzegovina": 4.0,
    "Spain": 4.0,
    "Austria": 4.0,
    "France": 3.0,
    "Netherlands": 3.0,
    "United Kingdom": 2.0,
    "Portugal": 2.0,
    "Hungary": 2.0,
    "Morocco": 2.5,
    "Tunisia": 1.0,
    "Egypt": 1.0,
    "Afghanistan": 3.0,
    "Iran": 2.0,
    "India": 2.5,
    "China": 1.5,
    "Vietnam": 2.0,
    "Nigeria": 1.0,
    "Ghana": 1.0,
    "Eritrea": 1.0,
    "United States": 1.5,
    "Brazil": 1.5,
    "Colombia": 0.5,
}

MARITAL = ("single", "married", "registered partnership", "separated", "divorced", "widowed")
MARITAL_BY_AGE = (
    (1, 0, 0, 0, 0, 0),
    (1, 0, 0, 0, 0, 0),
    (0.93, 0.06, 0.01, 0, 0, 0),
    (0.52, 0.41, 0.02, 0.02, 0.03, 0),
    (0.28, 0.57, 0.03, 0.04, 0.08, 0),
    (0.18, 0.60, 0.02, 0.05, 0.13, 0.02),
    (0.12, 0.63, 0.02, 0.03, 0.15, 0.05),
    (0.08, 0.64, 0.01, 0.02, 0.12, 0.13),
    (0.06, 0.53, 0, 0.01, 0.08, 0.32),
    (0.05, 0.29, 0, 0.01, 0.05, 0.60),
)


def draw_age_bands(people: int, generator: np.random.Generator) -> IntArray:
    """The position of each person's age band."""
    return draw_alike([band.share for band in AGE_BANDS], people, generator)


def draw_days_lived(bands: IntArray, generator: np.random.Generator) -> IntArray:
    """The age of each person in days, even within the band (a year has 365.25 days)."""
    first = np.array([band.first for band in AGE_BANDS])[bands] * 365.25
    end = np.array([band.end for band in AGE_BANDS])[bands] * 365.25
    return np.floor(first + generator.random(bands.size) * (end - first)).astype(np.int64)


def draw_women(bands: IntArray, generator: np.random.Generator) -> IntArray:
    """1 for a woman, 0 for a man."""
    share = np.array([band.women for band in AGE_BANDS])[bands]
    return (generator.random(bands.size) < share).astype(np.int64)


def draw_areas(people: int, generator: np.random.Generator) -> IntArray:
    """The position of the area where each person lives."""
    return draw_alike([area.share for area in AREAS], people, generator)


def draw_postal_codes(areas: IntArray, generator: np.random.Generator) -> IntArray:
    """The postal code of each person, as a number of five digits; the first codes of an area have most people."""
    numbers = np.zeros((len(AREAS), max(area.codes for area in AREAS)), dtype=np.int64)
    shares = np.zeros(numbers.shape)
    for position, area in enumerate(AREAS):
        rank = np.arange(area.codes)
        # Six codes to a district (the third digit), some way apart within it.
        numbers[position, : area.codes] = int(area.prefix) * 1000 + (rank // 6 + 1) * 100 + (rank * 37 + 11) % 100
        shares[position, : area.codes] = 1 / (rank + 3.0)
    return numbers[areas, draw(shares[areas], generator)]


def draw_countries(areas: IntArray, generator: np.random.Generator) -> IntArray:
    """The country of birth of each person: 0 for the own one, i for the i-th of `ABROAD`."""
    native = np.array([area.native for area in AREAS])[areas]
    away = draw_alike(list(ABROAD.values()), areas.size, generator) + 1
    return np.where(generator.random(areas.size) < native, 0, away)


def draw_marital(bands: IntArray, generator: np.random.Generator) -> IntArray:
    """The position of each person's marital status."""
    shares: FloatArray = np.array(MARITAL_BY_AGE, dtype=np.float64)
    return draw(shares[bands], generator)
