"""The register: the same from the same seed, with the declared distribution, and worth protecting.

Covers demo/draw, demo/hospital, demo/illness, demo/names, demo/population, demo/work.
"""

import math
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import nbinom

from tacit.demo import illness, names, population, register, work
from tacit.demo.hospital import GAPS
from tacit.errors import BadParameter

ERROR = 1e-9
MANY = 100_000
QUASI = ("birth_date", "sex", "postal_code", "country_of_birth", "marital_status", "education", "occupation")


def is_plausible(counts, shares):
    """Bernstein: no count of n independent draws is off by more than t except with probability ERROR, all together.

    P(|S − np| ≥ t) ≤ 2 exp(−t² / (2 (np(1 − p) + t/3))), solved for t.
    """
    counts, shares = np.asarray(counts, dtype=float), np.asarray(shares, dtype=float)
    shares = shares / shares.sum()
    log = math.log(2 * len(shares) / ERROR)
    variance = counts.sum() * shares * (1 - shares)
    tolerance = log / 3 + np.sqrt(log**2 / 9 + 2 * variance * log)
    return bool((np.abs(counts - counts.sum() * shares) <= tolerance).all())


def skewed(shares):
    """The same shares with the largest 20 % too large."""
    shares = np.array(shares, dtype=float)
    shares[shares.argmax()] *= 1.2
    return shares


@pytest.fixture(scope="module")
def generator():
    return np.random.default_rng(20240607)


@pytest.fixture(scope="module")
def table():
    return register()


@pytest.fixture(scope="module")
def rows(table):
    return table.to_pylist()


@pytest.mark.slow
def test_same_seed_same_register(table):
    assert register().equals(table)
    assert register(seed=7, people=5000).equals(table)


def test_another_seed_gives_another_register(table):
    assert not register(seed=8).equals(table)


@pytest.mark.slow
def test_global_randomness_plays_no_part(table):
    state = np.random.get_state()
    np.random.seed(1)
    assert register().equals(table)
    np.random.set_state(state)


@pytest.mark.parametrize("people", [1, 2, 17])
def test_small_registers(people):
    assert register(people=people).num_rows == people


def test_nobody_is_refused():
    with pytest.raises(BadParameter, match="people is 0"):
        register(people=0)


def test_marginals_of_age_home_and_sex(generator):
    bands = population.draw_age_bands(MANY, generator)
    areas = population.draw_areas(MANY, generator)
    women = population.draw_women(bands, generator)
    for drawn, shares in (
        (bands, [band.share for band in population.AGE_BANDS]),
        (areas, [area.share for area in population.AREAS]),
    ):
        counts = np.bincount(drawn, minlength=len(shares))
        assert is_plausible(counts, shares)
        assert not is_plausible(counts, skewed(shares))
    for position, band in enumerate(population.AGE_BANDS):
        here = np.bincount(women[bands == position], minlength=2)
        assert is_plausible(here, [1 - band.women, band.women])


def test_conditional_distributions(generator):
    bands = population.draw_age_bands(MANY, generator)
    areas = population.draw_areas(MANY, generator)
    marital = population.draw_marital(bands, generator)
    education = work.draw_education(bands, generator)
    native = (population.draw_countries(areas, generator) == 0).astype(int)
    for position in range(len(population.AGE_BANDS)):
        here = bands == position
        assert is_plausible(np.bincount(marital[here], minlength=6), population.MARITAL_BY_AGE[position])
        assert is_plausible(np.bincount(education[here], minlength=9), work.EDUCATION_BY_AGE[position])
    middle = bands == 6
    assert not is_plausible(np.bincount(marital[middle], minlength=6), skewed(population.MARITAL_BY_AGE[6]))
    for position, area in enumerate(population.AREAS):
        here = np.bincount(native[areas == position], minlength=2)
        assert is_plausible(here, [1 - area.native, area.native])


def test_ages_lie_in_their_bands(generator):
    bands = population.draw_age_bands(MANY, generator)
    years = population.draw_days_lived(bands, generator) / 365.25
    first = np.array([band.first for band in population.AGE_BANDS])[bands]
    end = np.array([band.end for band in population.AGE_BANDS])[bands]
    assert ((first <= years + 1 / 365) & (years < end)).all()


def test_tables_of_shares_are_distributions():
    assert math.isclose(sum(band.share for band in population.AGE_BANDS), 1)
    assert math.isclose(sum(area.share for area in population.AREAS), 1)
    for shares in (*population.MARITAL_BY_AGE, *work.EDUCATION_BY_AGE):
        assert math.isclose(sum(shares), 1)
    assert all(sum(shares) <= 1 for shares in work.RESTING_BY_AGE)
    sizes = {len(population.AGE_BANDS)}
    assert {len(population.MARITAL_BY_AGE), len(work.EDUCATION_BY_AGE), len(work.RESTING_BY_AGE)} == sizes


@pytest.mark.slow
@pytest.mark.parametrize(("age", "woman"), [(2, 0), (31, 1), (45, 0), (70, 1), (88, 1)])
def test_diagnoses_given_age_and_sex(generator, age, woman):
    weights = [
        entry.share
        * math.exp(-(((age - entry.peak) / entry.spread) ** 2) / 2)
        * (entry.women if woman else 1 - entry.women)
        for entry in illness.DIAGNOSES
    ]
    drawn = illness.draw_diagnosis(np.full(MANY, float(age)), np.full(MANY, woman), generator)
    counts = np.bincount(drawn, minlength=len(weights))
    assert is_plausible(counts, weights)
    assert not is_plausible(counts, skewed(weights))


@pytest.mark.parametrize("woman", [0, 1])
@pytest.mark.parametrize("degree", [0, 1])
def test_jobs_given_sex_and_schooling(woman, degree):
    education = work.TERTIARY if degree else work.TERTIARY - 1
    weights = [
        job.size * (job.women if woman else 1 - job.women) * (job.graduates if degree else 1 - job.graduates)
        for job in work.JOBS
    ]
    shares = work.job_shares(np.array([woman]), np.array([education]))[0]
    assert shares == pytest.approx(np.array(weights) / sum(weights))


@pytest.mark.slow
def test_occupation_follows_the_declared_shares(generator):
    bands = np.full(MANY, 6)
    women = np.zeros(MANY, dtype=np.int64)
    education = np.full(MANY, work.TERTIARY)
    drawn = work.draw_occupation(bands, women, education, generator)
    resting = np.array(work.RESTING_BY_AGE[6], dtype=float)
    jobs = work.job_shares(women[:1], education[:1])[0] * (1 - resting.sum())
    resting[work.HOMEMAKER] *= 0.2
    shares = np.concatenate([jobs, resting])
    counts = np.bincount(drawn, minlength=shares.size)
    assert is_plausible(counts, shares)
    assert not is_plausible(counts, skewed(shares))


def nights_are_plausible(total, draws, mean):
    """Whether the extra nights of all draws are likely: a sum of n Poisson-gamma numbers is negative binomial (3n)."""
    law = nbinom(3 * draws, 3 / (3 + mean))
    return min(law.cdf(total), law.sf(total - 1)) >= ERROR / (2 * len(illness.DIAGNOSES))


@pytest.mark.slow
def test_nights_have_the_declared_mean(generator):
    draws = 20_000
    for position, entry in enumerate(illness.DIAGNOSES):
        nights = illness.draw_nights(np.full(draws, position), generator)
        assert nights.min() >= 1
        extra = int(nights.sum()) - draws
        if entry.nights == 1:
            assert extra == 0
        else:
            assert nights_are_plausible(extra, draws, entry.nights - 1)
            assert not nights_are_plausible(extra, draws, 1.2 * (entry.nights - 1))
            assert not nights_are_plausible(extra, draws, 0.8 * (entry.nights - 1))


def test_gaps_are_where_and_as_many_as_declared(table):
    optional = {"email", "phone"}
    for name in table.column_names:
        missing = table[name].null_count
        if name in GAPS:
            assert missing > 0
            assert is_plausible([missing, table.num_rows - missing], [GAPS[name], 1 - GAPS[name]])
        elif name not in optional:
            assert missing == 0


def test_no_impossible_patients(rows):
    year = {id(row): 2024 - row["birth_date"].year for row in rows}
    assert not any(row["diagnosis"] == "C61" and row["sex"] == "female" for row in rows)
    assert not any(row["diagnosis"] in {"O80", "O82", "D25"} and row["sex"] == "male" for row in rows)
    assert all(row["marital_status"] in {"single", None} for row in rows if year[id(row)] < 15)
    assert not any(row["occupation"] == "retired" and year[id(row)] < 45 for row in rows)
    assert all(0 <= years <= 96 for years in year.values())


def test_identifiers_name_one_row_and_reach_nobody(table, rows):
    assert len(set(table["patient_id"].to_pylist())) == table.num_rows
    emails = [row["email"] for row in rows if row["email"]]
    phones = [row["phone"] for row in rows if row["phone"]]
    assert all(email.rsplit("@")[1] in {"example.org", "example.com", "example.net"} for email in emails)
    assert len(set(phones)) == len(phones)
    assert all(phone[:-3] in names.PHONE_RANGES and phone[-3:].isdigit() for phone in phones)


def coarse(row):
    """The quasi-identifiers with the decade for the birth date, which is nearly unique by itself."""
    return {name: row[name] for name in QUASI} | {"birth_date": row["birth_date"].year // 10}


def test_no_quasi_identifier_is_trivial(rows):
    for name in QUASI:
        counts = Counter(coarse(row)[name] for row in rows)
        assert len(counts) >= 2
        assert max(counts.values()) < 0.9 * len(rows)


@pytest.mark.slow
@pytest.mark.parametrize(("given", "other"), list(permutations(QUASI, 2)))
def test_no_quasi_identifier_determines_another(rows, given, other):
    pairs = {(coarse(row)[given], coarse(row)[other]) for row in rows}
    assert len(pairs) > 1.5 * len({pair[0] for pair in pairs})


def test_nearly_everybody_can_be_singled_out(rows):
    exact = Counter(tuple(row[name] for name in QUASI) for row in rows)
    without_day = Counter(tuple(coarse(row).values()) for row in rows)
    assert sum(count == 1 for count in exact.values()) > 0.99 * len(rows)
    assert sum(count == 1 for count in without_day.values()) > 0.5 * len(rows)


def test_town_is_denser_than_countryside(rows):
    codes = Counter(row["postal_code"] for row in rows if row["postal_code"])
    per_code = {zone: np.mean([n for code, n in codes.items() if code[0] == zone]) for zone in "46"}
    assert per_code["4"] > 3 * per_code["6"]
    assert all(len(code) == 5 and code.isdigit() for code in codes)
