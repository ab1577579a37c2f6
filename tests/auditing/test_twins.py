"""Every card that claims differential privacy: the card stands, and its broken twin is caught.

In `make soak` the card is tried five times as hard as what catches the twin, in `make test` half as hard.

Covers auditing/cards, methods/mechanisms/*, methods/statistics/*.
"""

from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

import pytest
from tests.auditing.planting import FOR_ONE_ROW, REUSED_NOISE, UNCLAMPED, Defect, planted
from tests.auditing.twins import DRAWS, FEW_DRAWS, SLOWEST, SMALL, TWINS, cards, searched, sound
from tests.examples import draws

from tacit.auditing.audit import audit
from tacit.auditing.cards import subject_of_card
from tacit.auditing.subject import Subject
from tacit.catalogue import find_method
from tacit.methods.mechanisms.top_k import TopK
from tacit.methods.statistics.keywords import Keywords, selection
from tacit.noise.noise import LaplaceNoise
from tacit.noise.values import Range
from tacit.randomness import geometric
from tacit.randomness.stream import RandomBits
from tacit.release.audit import Verdict

QUICK = ("laplace", "geometric", "gaussian", "truncated-laplace", "finite-laplace", "count")
AT_ONCE = ("count", "sum", "mean", "histogram")
SEVERAL = [
    pytest.param(name, marks=[] if name.split("/")[1] in AT_ONCE else [pytest.mark.slow])
    for name in cards()
    if "contributions" in find_method(name).params.model_fields
]
THIRTY_ROWS = {"contributions": 30}
FREE_MEAN = {"least": None, "greatest": None, "least_rows": 60}
"""A mean whose limits do not hide how much a person moves it."""
NAMES = [pytest.param(name, marks=[] if name.split("/")[1] in QUICK else [pytest.mark.slow]) for name in TWINS]


def judged(subject: Subject, draws: int | None) -> Verdict:
    return audit(subject, draws, RandomBits.from_seed("twins"))


def test_every_card_has_a_twin() -> None:
    missing = [name for name in cards() if name not in TWINS]
    assert not missing, (
        f"{missing} claim differential privacy, and nobody has tried to break them: add each to TWINS in "
        "tests/auditing/twins.py with a defect of tests/auditing/planting.py (less_noise(3) fits most cards), and to "
        "SMALL a case with few cells or candidates; where outputs on neighbours do not differ, the card's "
        "`neighbours` must name better ones"
    )
    assert set(TWINS) <= set(cards()), "a twin has no card any more"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_card_is_refuted(name: str) -> None:
    verdict = judged(sound(name), draws((TWINS[name][0].draws or DRAWS) // 2))
    assert not verdict.refuted, verdict.says()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_twin_of_each_card_is_caught(name: str) -> None:
    twin = TWINS[name][0]
    verdict = judged(searched(twin.of(name)), twin.draws)
    assert verdict.refuted, [twin.defect.title, *verdict.says()]


def case_of_thirty(name: str) -> dict[str, Any]:
    return {**SMALL.get(name, {}), **(FREE_MEAN if name == "statistics/truncated-mean" else {}), **THIRTY_ROWS}


def judged_of_thirty(subject: Subject) -> Verdict:
    """The verdict on people with thirty rows, from the first few pairs of neighbours; from all of them in `make soak`.

    A person with thirty rows moves an answer so far that any pair shows it, so that fewer draws do.
    """
    few = replace(subject, pairs=subject.pairs[: draws(4)])
    return judged(few, draws(FEW_DRAWS if subject.name in SLOWEST else FEW_DRAWS * 2 // 3))


@pytest.mark.slow
@pytest.mark.parametrize("name", SEVERAL)
def test_no_card_is_refuted_where_a_person_has_thirty_rows(name: str) -> None:
    verdict = judged_of_thirty(searched(subject_of_card(name, case_of_thirty(name))))
    assert not verdict.refuted, verdict.says()


@pytest.mark.slow
@pytest.mark.parametrize("name", SEVERAL)
def test_noise_that_forgets_how_many_rows_a_person_has_is_caught(name: str) -> None:
    verdict = judged_of_thirty(searched(planted(name, FOR_ONE_ROW, **case_of_thirty(name))))
    assert verdict.refuted, verdict.says()


@pytest.mark.slow
def test_a_choice_that_forgets_how_many_rows_of_a_user_count_is_caught() -> None:
    case = {"score": "rows", "most": 30, "k": 1}

    def for_users(params: Keywords) -> TopK:
        return selection(params.model_copy(update={"score": "users"}))

    broken = Defect("noise for users", partial(patch, "tacit.methods.statistics.keywords.selection", for_users))
    assert not judged(sound("statistics/keywords", **case), FEW_DRAWS).refuted
    assert judged(planted("statistics/keywords", broken, **case), FEW_DRAWS).refuted


@pytest.mark.slow
def test_a_thousand_rows_of_a_person_are_as_telling_as_one() -> None:
    # Of 1,400 runs half tell: Laplace noise of epsilon 5 puts 0.503 of its mass beyond both truths, where a guess is
    # wrong once in 149. A Poisson number of mean 4.7 is at most 24 but for 1e-9; 24 wrong guesses of 704 prove 2.4.
    assert judged(sound("statistics/count", epsilon=5.0, contributions=1000), 1000).worst.proved > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["statistics/mean", "statistics/sum"])
def test_a_row_beyond_the_bounds_finds_who_forgot_to_clamp(name: str) -> None:
    example = judged(planted(name, UNCLAMPED), 300).worst.example
    assert example is not None
    assert "100100" in example.d + example.other


@pytest.mark.slow
def test_the_discriminant_finds_noise_that_is_used_again() -> None:
    verdict = judged(planted("statistics/covariance", REUSED_NOISE), 300)
    assert verdict.refuted
    assert verdict.worst.proved > 3


@pytest.mark.slow
def test_planting_leaves_nothing_behind() -> None:
    before = geometric.discrete_laplace, LaplaceNoise.draw, Range.steps
    for name in ("statistics/count", "statistics/mean"):
        for twin in TWINS[name]:
            subject = twin.of(name)
            subject.draw(subject.pairs[0].first, 3, RandomBits.from_seed(1))
    assert (geometric.discrete_laplace, LaplaceNoise.draw, Range.steps) == before
    assert not judged(sound("statistics/count"), DRAWS).refuted
