"""Every card that claims differential privacy: the card stands, its broken twin is caught, by audits of one weight."""

import pytest

from audit.planting import REUSED_NOISE, UNCLAMPED, planted
from audit.twins import DRAWS, TWINS, cards, searched, sound
from tacit.audit.audit import audit
from tacit.audit.subject import Subject
from tacit.audit.verdict import Verdict
from tacit.methods.mechanisms._noise import LaplaceNoise
from tacit.methods.statistics._values import Range
from tacit.randomness import geometric
from tacit.randomness.stream import RandomBits

QUICK = ("laplace", "geometric", "gaussian", "truncated-laplace", "finite-laplace", "count")
NAMES = [pytest.param(name, marks=[] if name.split("/")[1] in QUICK else [pytest.mark.slow]) for name in TWINS]


def judged(subject: Subject, draws: int | None) -> Verdict:
    return audit(subject, draws, RandomBits.from_seed("twins"))


def test_every_card_has_a_twin() -> None:
    missing = [name for name in cards() if name not in TWINS]
    assert not missing, (
        f"{missing} claim differential privacy, and nobody has tried to break them: add each to TWINS in "
        "tests/audit/twins.py with a defect of tests/audit/planting.py (less_noise(3) fits most cards), and to SMALL a "
        "case with few cells or candidates; where outputs on neighbours do not differ, name some in the card's "
        "`neighbours` or in tacit/audit/datasets.py"
    )
    assert set(TWINS) <= set(cards()), "a twin has no card any more"


@pytest.mark.parametrize("name", NAMES)
def test_no_card_is_refuted(name: str) -> None:
    verdict = judged(sound(name), TWINS[name][0].draws)
    assert not verdict.refuted, verdict.says()


@pytest.mark.parametrize("name", NAMES)
def test_the_twin_of_each_card_is_caught(name: str) -> None:
    twin = TWINS[name][0]
    verdict = judged(searched(twin.of(name)), twin.draws)
    assert verdict.refuted, [twin.defect.title, *verdict.says()]


@pytest.mark.parametrize("name", ["statistics/mean", "statistics/sum"])
def test_a_row_beyond_the_bounds_finds_who_forgot_to_clamp(name: str) -> None:
    example = judged(planted(name, UNCLAMPED), 300).worst.example
    assert example is not None
    assert "100100" in example.d + example.other


def test_the_discriminant_finds_noise_that_is_used_again() -> None:
    verdict = judged(planted("statistics/covariance", REUSED_NOISE), 300)
    assert verdict.refuted
    assert verdict.worst.proved > 3


def test_planting_leaves_nothing_behind() -> None:
    before = geometric.discrete_laplace, LaplaceNoise.draw, Range.steps
    for name in ("statistics/count", "statistics/mean"):
        for twin in TWINS[name]:
            subject = twin.of(name)
            subject.draw(subject.pairs[0].first, 3, RandomBits.from_seed(1))
    assert (geometric.discrete_laplace, LaplaceNoise.draw, Range.steps) == before
    assert not judged(sound("statistics/count"), DRAWS).refuted
