"""Why the invented patients are in hospital and for how long: a main diagnosis given age and sex, a stay given it.

Codes are three-character categories of ICD-10 (World Health Organization 1990). The weight of a diagnosis is
`share · exp(−((age − peak)/spread)²/2)`, times 2·women for women and 2·(1 − women) for men; the figures are made up.
Nights are 1 + a Poisson number whose mean is that of the diagnosis, less one, times a gamma factor of mean 1:
long stays are rare but there.
"""

from typing import NamedTuple

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.demo.draw import draw


class Diagnosis(NamedTuple):
    """How often it is at its peak age, where and how wide the peak is, its share of women, its usual nights."""

    code: str
    share: float
    peak: float
    spread: float
    women: float
    nights: float


DIAGNOSES = (
    Diagnosis("A09", 3.0, 2, 25, 0.50, 2),
    Diagnosis("A41", 1.5, 78, 20, 0.45, 11),
    Diagnosis("B20", 0.6, 42, 12, 0.22, 6),
    Diagnosis("C18", 1.8, 72, 12, 0.45, 9),
    Diagnosis("C34", 1.8, 68, 11, 0.40, 8),
    Diagnosis("C50", 3.0, 62, 14, 0.99, 4),
    Diagnosis("C61", 2.4, 70, 9, 0.0, 5),
    Diagnosis("D25", 1.6, 44, 7, 1.0, 3),
    Diagnosis("D50", 0.9, 60, 28, 0.62, 4),
    Diagnosis("E11", 2.6, 66, 15, 0.46, 7),
    Diagnosis("E86", 1.2, 84, 14, 0.58, 4),
    Diagnosis("F10", 2.2, 46, 13, 0.28, 7),
    Diagnosis("F20", 1.0, 33, 12, 0.42, 24),
    Diagnosis("F32", 1.8, 46, 18, 0.64, 26),
    Diagnosis("F43", 1.1, 26, 12, 0.66, 9),
    Diagnosis("G35", 0.7, 38, 11, 0.72, 5),
    Diagnosis("G40", 1.2, 20, 35, 0.48, 4),
    Diagnosis("H25", 1.4, 76, 9, 0.56, 1),
    Diagnosis("H66", 1.4, 3, 5, 0.46, 2),
    Diagnosis("I10", 1.6, 68, 16, 0.60, 3),
    Diagnosis("I21", 2.8, 69, 13, 0.33, 6),
    Diagnosis("I25", 2.4, 70, 12, 0.30, 3),
    Diagnosis("I48", 2.8, 73, 12, 0.47, 3),
    Diagnosis("I50", 4.0, 82, 10, 0.52, 8),
    Diagnosis("I63", 2.9, 76, 13, 0.49, 9),
    Diagnosis("J18", 2.4, 76, 22, 0.45, 7),
    Diagnosis("J20", 2.6, 1, 5, 0.45, 3),
    Diagnosis("J35", 2.2, 8, 8, 0.52, 2),
    Diagnosis("J44", 2.2, 71, 11, 0.46, 7),
    Diagnosis("J45", 1.2, 9, 12, 0.46, 3),
    Diagnosis("K29", 1.3, 50, 24, 0.55, 3),
    Diagnosis("K35", 2.2, 19, 14, 0.47, 3),
    Diagnosis("K40", 1.8, 60, 20, 0.10, 2),
    Diagnosis("K50", 0.9, 29, 13, 0.53, 6),
    Diagnosis("K70", 0.9, 56, 10, 0.30, 9),
    Diagnosis("K80", 2.6, 54, 18, 0.64, 4),
    Diagnosis("L40", 0.5, 46, 18, 0.44, 7),
    Diagnosis("M16", 2.2, 69, 10, 0.56, 8),
    Diagnosis("M17", 2.2, 70, 9, 0.62, 7),
    Diagnosis("M54", 2.6, 54, 18, 0.54, 5),
    Diagnosis("N18", 1.1, 72, 14, 0.42, 6),
    Diagnosis("N20", 1.9, 48, 14, 0.32, 3),
    Diagnosis("N39", 1.9, 78, 24, 0.66, 5),
    Diagnosis("O80", 7.0, 31, 5, 1.0, 3),
    Diagnosis("O82", 3.2, 33, 5, 1.0, 5),
    Diagnosis("S06", 2.2, 14, 22, 0.42, 2),
    Diagnosis("S52", 1.5, 10, 20, 0.45, 2),
    Diagnosis("S72", 2.6, 85, 9, 0.70, 12),
    Diagnosis("S82", 1.8, 44, 20, 0.46, 6),
    Diagnosis("T78", 0.6, 24, 20, 0.54, 1),
)
CODES = tuple(diagnosis.code for diagnosis in DIAGNOSES)


def draw_diagnosis(age: FloatArray, women: IntArray, generator: np.random.Generator) -> IntArray:
    """The position of each person's main diagnosis."""
    return draw(diagnosis_weights(age, women), generator)


def diagnosis_weights(age: FloatArray, women: IntArray) -> FloatArray:
    """`[person, diagnosis]`: weights in proportion to the probabilities."""
    share, peak, spread, female = (np.array([diagnosis[field] for diagnosis in DIAGNOSES]) for field in (1, 2, 3, 4))
    of_age = np.exp(-(((age[:, None] - peak) / spread) ** 2) / 2)
    of_sex = 2 * np.where(women[:, None], female, 1 - female)
    return np.asarray(share * of_age * of_sex, dtype=np.float64)


def draw_nights(diagnosis: IntArray, generator: np.random.Generator) -> IntArray:
    """The length of each stay in nights, at least one."""
    mean = np.array([entry.nights for entry in DIAGNOSES], dtype=np.float64)[diagnosis] - 1
    factor = generator.gamma(3.0, 1 / 3.0, size=diagnosis.size)
    return 1 + generator.poisson(mean * factor).astype(np.int64)
