"""W32, sound functions and the planted defects.

Covers auditing/cards, auditing/functions, subject, release/audit.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.auditing.defects import DEFECTS, DRAWS, LETTERS, ONE, SOUND, card, function, noise

from tacit.auditing.audit import audit
from tacit.auditing.cards import subject_of_card
from tacit.auditing.functions import find_function, subject_of_function
from tacit.auditing.subject import claimed
from tacit.errors import BadParameter
from tacit.randomness.stream import RandomBits
from tacit.release.audit import Verdict
from tacit.sensitivity.exploration import World

QUICK_DEFECTS = ("flat noise", "one-sided noise")


def judged(subject: object, draws: int | None = None, seed: str = "audit") -> Verdict:
    return audit(subject, draws, RandomBits.from_seed(seed))  # type: ignore[arg-type]


def test_w32_always_999_is_private_for_any_epsilon() -> None:
    verdict = judged(function(lambda rows, bits: 999, LETTERS, epsilon=1e-9))
    assert not verdict.refuted
    assert verdict.findings[0].proved == 0


def test_w32_count_plus_ten_is_not_and_the_counterexample_says_why() -> None:
    world = World(("a", "b"), most=3, least=2)
    verdict = judged(function(lambda rows, bits: len(rows) + 10, world, epsilon=5.0))
    assert verdict.refuted
    example = verdict.worst.example
    assert example is not None
    assert (example.share, example.other_share) == (1, 0)
    assert "the output is 13 in 100 % of" in example.says() or "the output is 12 in 100 % of" in example.says()
    assert "never in" in example.says()
    assert example.says() in "\n".join(verdict.says())


@pytest.mark.slow
def test_w32_result_and_first_row_is_not() -> None:
    verdict = judged(
        function(lambda rows, bits: (len(rows) + noise(ONE, 1, bits)[0], rows[0] if rows else None), LETTERS)
    )
    assert verdict.refuted


@pytest.mark.slow
def test_w32_count_plus_laplace_is_private_and_the_bound_is_near() -> None:
    verdict = judged(SOUND["a noisy count"]())
    assert not verdict.refuted
    # Every output of geometric noise at distance 1 has a loss of exactly epsilon, so all 340,000 runs are guesses;
    # 9.5 deviations below epsilon: 4.75 for the bound and as much for chance.
    deviation = math.exp(0.5) + math.exp(-0.5)
    assert 1 - 9.5 * deviation / math.sqrt(340_000) < verdict.findings[0].proved <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", SOUND)
def test_sound_functions_are_not_refuted(name: str) -> None:
    assert not judged(SOUND[name]()).refuted


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK_DEFECTS else [pytest.mark.slow]) for name in DEFECTS]
)
def test_planted_defects_are_caught(name: str) -> None:
    verdict = judged(DEFECTS[name](), DRAWS.get(name))
    assert verdict.refuted, verdict.says()


def test_there_are_enough_defects() -> None:
    assert len(DEFECTS) >= 20


@pytest.mark.slow
@pytest.mark.parametrize("draws", [100_000, pytest.param(1_000_000, marks=pytest.mark.soak)])
def test_laplace_with_exactly_its_noise_passes_many_runs(draws: int) -> None:
    verdict = judged(card("mechanisms/laplace"), draws)
    assert not verdict.refuted
    assert verdict.findings[0].proved > 1 - 9.5 * 2.73 / math.sqrt(1.7 * draws)


@pytest.mark.slow
def test_a_true_claim_is_not_refuted_by_choosing_among_many_events() -> None:
    # Without fresh runs for the test, the best of thousands of cuts would pass for a proof much more often.
    refuted = [judged(SOUND["a histogram"](), 1000, f"seed {seed}").refuted for seed in range(20)]
    assert not any(refuted)


@pytest.mark.slow
def test_noise_that_is_a_tenth_too_small_needs_more_runs() -> None:
    subject = function(lambda rows, bits, size: len(rows) + noise(Fraction(11, 10), size, bits))
    assert not judged(subject, 1000).refuted
    assert judged(subject, 200_000).refuted


@pytest.mark.slow
def test_the_same_seed_gives_the_same_verdict() -> None:
    assert judged(SOUND["a noisy count"](), 2000).findings == judged(SOUND["a noisy count"](), 2000).findings


@pytest.mark.slow
def test_an_error_is_an_output() -> None:
    verdict = judged(DEFECTS["an error on no rows"]())
    assert verdict.worst.example is not None
    assert "ZeroDivisionError" in verdict.worst.example.outputs


def test_a_function_that_always_fails_is_not_judged() -> None:
    with pytest.raises(BadParameter, match="every run ended with an error of type NameError"):
        judged(function(lambda rows, bits: surely_unknown, LETTERS))  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.slow
def test_a_delta_that_is_claimed_is_granted() -> None:
    leak = function(lambda rows, bits: len(rows) if bits.word() < 2**64 * 0.05 else 0, LETTERS, epsilon=0.5, delta=0.06)
    assert not judged(leak).refuted
    greedy = function(
        lambda rows, bits: len(rows) if bits.word() < 2**64 * 0.3 else 0, LETTERS, epsilon=0.5, delta=0.06
    )
    assert judged(greedy).refuted


@pytest.mark.parametrize("target", ["nowhere:f", "math:nothing", "math:pi", ":", "math"])
def test_what_is_no_function_is_refused(target: str) -> None:
    with pytest.raises(BadParameter, match="function"):
        find_function(target)


def test_a_batch_of_the_wrong_shape_is_refused() -> None:
    subject = subject_of_function(lambda rows, bits, size: np.zeros(size + 1), LETTERS, claimed(1.0), "mine")
    with pytest.raises(BadParameter, match="the first axis must be the runs"):
        judged(subject)


def test_too_large_a_domain_is_refused() -> None:
    with pytest.raises(BadParameter, match="smaller domain"):
        function(lambda rows, bits: 0, World(tuple(range(40)), 3))


def test_what_claims_no_privacy_is_refused() -> None:
    with pytest.raises(BadParameter, match="nothing to audit"):
        subject_of_card("tables/lattice")
