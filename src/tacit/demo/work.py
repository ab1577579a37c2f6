"""What the invented patients learnt and do: education given age, occupation given age, sex and education.

Those in work draw their job with probability in proportion to its size, times the share of their sex in it, times the
share of their schooling in it. The figures are made up.
"""

from typing import NamedTuple

import numpy as np

from tacit.arrays import FloatArray, IntArray
from tacit.demo.draw import draw

EDUCATION = (
    "none yet",
    "primary school",
    "lower secondary",
    "upper secondary",
    "apprenticeship",
    "master craftsman",
    "bachelor",
    "master",
    "doctorate",
)
EDUCATION_BY_AGE = (
    (1, 0, 0, 0, 0, 0, 0, 0, 0),
    (0.60, 0.40, 0, 0, 0, 0, 0, 0, 0),
    (0, 0.06, 0.38, 0.29, 0.18, 0, 0.09, 0, 0),
    (0, 0.03, 0.12, 0.14, 0.36, 0.04, 0.17, 0.13, 0.01),
    (0, 0.03, 0.12, 0.11, 0.40, 0.07, 0.11, 0.14, 0.02),
    (0, 0.04, 0.13, 0.09, 0.46, 0.08, 0.07, 0.11, 0.02),
    (0, 0.05, 0.15, 0.08, 0.49, 0.08, 0.05, 0.08, 0.02),
    (0, 0.08, 0.19, 0.07, 0.48, 0.07, 0.04, 0.06, 0.01),
    (0, 0.14, 0.27, 0.06, 0.41, 0.05, 0.02, 0.04, 0.01),
    (0, 0.20, 0.33, 0.05, 0.34, 0.04, 0.01, 0.02, 0.01),
)
TERTIARY = EDUCATION.index("bachelor")


class Occupation(NamedTuple):
    """Its size among those in work, the share of women in it, the share of graduates in it."""

    title: str
    size: float
    women: float
    graduates: float


JOBS = (
    Occupation("nurse", 6, 0.84, 0.15),
    Occupation("care assistant", 4, 0.86, 0.05),
    Occupation("physician", 2, 0.50, 0.98),
    Occupation("pharmacist", 1, 0.72, 0.95),
    Occupation("primary school teacher", 3, 0.86, 0.95),
    Occupation("secondary school teacher", 3, 0.60, 0.97),
    Occupation("kindergarten teacher", 3, 0.92, 0.25),
    Occupation("university lecturer", 1, 0.45, 0.99),
    Occupation("office clerk", 9, 0.72, 0.15),
    Occupation("accountant", 4, 0.62, 0.40),
    Occupation("civil servant", 5, 0.55, 0.45),
    Occupation("bank clerk", 3, 0.55, 0.35),
    Occupation("lawyer", 1.5, 0.48, 0.98),
    Occupation("software developer", 4, 0.20, 0.75),
    Occupation("engineer", 4.5, 0.18, 0.85),
    Occupation("shop assistant", 7, 0.72, 0.06),
    Occupation("waiter", 3, 0.58, 0.08),
    Occupation("cook", 3, 0.42, 0.05),
    Occupation("hairdresser", 2, 0.84, 0.02),
    Occupation("cleaner", 4, 0.78, 0.03),
    Occupation("police officer", 2, 0.28, 0.30),
    Occupation("electrician", 3.5, 0.03, 0.04),
    Occupation("plumber", 2, 0.02, 0.03),
    Occupation("carpenter", 2.5, 0.04, 0.04),
    Occupation("bricklayer", 2.5, 0.02, 0.02),
    Occupation("car mechanic", 3, 0.05, 0.03),
    Occupation("machine operator", 5, 0.22, 0.04),
    Occupation("assembly worker", 4, 0.34, 0.03),
    Occupation("lorry driver", 4, 0.04, 0.02),
    Occupation("bus driver", 1.5, 0.14, 0.03),
    Occupation("warehouse worker", 4, 0.28, 0.04),
    Occupation("farmer", 2, 0.30, 0.12),
    Occupation("gardener", 1.5, 0.32, 0.08),
)

RESTING = ("retired", "student", "pupil", "preschool child", "homemaker", "unemployed")
OCCUPATIONS = (*(job.title for job in JOBS), *RESTING)

RESTING_BY_AGE = (
    (0, 0, 0, 1, 0, 0),
    (0, 0, 0.88, 0.12, 0, 0),
    (0, 0.24, 0.26, 0, 0.02, 0.05),
    (0, 0.08, 0, 0, 0.06, 0.06),
    (0, 0.01, 0, 0, 0.07, 0.06),
    (0.01, 0, 0, 0, 0.06, 0.06),
    (0.19, 0, 0, 0, 0.07, 0.06),
    (0.90, 0, 0, 0, 0.03, 0),
    (0.98, 0, 0, 0, 0.01, 0),
    (0.995, 0, 0, 0, 0.005, 0),
)
"""The share of each of `RESTING` at each age; the rest are in work."""

HOMEMAKER = RESTING.index("homemaker")


def draw_education(bands: IntArray, generator: np.random.Generator) -> IntArray:
    """The position of each person's highest education."""
    shares: FloatArray = np.array(EDUCATION_BY_AGE, dtype=np.float64)
    return draw(shares[bands], generator)


def draw_occupation(bands: IntArray, women: IntArray, education: IntArray, generator: np.random.Generator) -> IntArray:
    """The position of each person's occupation; of ten homemakers nine are women."""
    resting: FloatArray = np.array(RESTING_BY_AGE, dtype=np.float64)[bands]
    in_work = np.maximum(1 - resting.sum(axis=1), 0)
    resting[:, HOMEMAKER] *= np.where(women, 1.8, 0.2)
    job = job_shares(women, education)
    return draw(np.hstack([job * in_work[:, None], resting]), generator)


def job_shares(women: IntArray, education: IntArray) -> FloatArray:
    """`[person, job]`: the probability of each job for somebody in work, of that sex and schooling."""
    size, female, graduates = (np.array([job[field] for job in JOBS], dtype=np.float64) for field in (1, 2, 3))
    of_sex = np.where(women[:, None], female, 1 - female)
    of_school = np.where((education >= TERTIARY)[:, None], graduates, 1 - graduates)
    weight = size * of_sex * of_school
    return np.asarray(weight / weight.sum(axis=1, keepdims=True), dtype=np.float64)
