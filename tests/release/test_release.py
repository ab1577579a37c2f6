"""A release: an envelope that all kinds share, and a body that is found by its kind when evidence is read.

Covers release/release, release/answers, release/attacks, release/counts, evidence/counts, evidence/page.
"""

import ast
from pathlib import Path

import pytest
from pydantic import ValidationError

import tacit
from tacit.errors import BadData, BadParameter
from tacit.evidence.files import evidence_text, parse_evidence
from tacit.methods.counts.suppression import SmallCells
from tacit.promise import Measured, Proven
from tacit.release.answers import Amount, AnswersBody, AnswersRelease, PublishedAnswer
from tacit.release.attacks import AttackResult, Success
from tacit.release.counts import CountsBody, CountsRelease
from tacit.release.release import Body, Expense, Fingerprint, Recipe, Release
from tacit.runs.evidence_kinds import body_of, evidence_kind

ROOT = Path(tacit.__file__).parent
GUESSED = Success(targets=1, hits=0, rate=0, low=0, high=1, baseline=0.5)
RESULT = AttackResult(attack="x", title="X", knowledge="", story="", confidence=0.95, release=GUESSED)
FILE = Fingerprint(name="people.csv", bytes=3, sha256="00" * 32)
ENVELOPE = {
    "created": "2026-11-16T10:00:00+00:00",
    "title": "people",
    "inputs": (FILE,),
    "plan": FILE,
    "outputs": (FILE,),
    "recipe": Recipe(method="counts/suppression", parameters=SmallCells().model_dump(), command="tacit", plan={}),
    "seconds": {"total": 1.0},
    "versions": {"tacit": "0"},
}
COUNTS = CountsBody(by=("town", "ill@1"), counted="people", total=41, cells=12, left_out=4)
PROVEN = Proven(name="differential-privacy", epsilon=0.5, delta=0.0, unit="row", neighbours="add-remove")
FAILING = Measured(
    name="k-anonymity",
    side="at least",
    parameters={"k": 5},
    bound=5,
    measured=3,
    holds=False,
    parts=2,
    failing=1,
    failing_people=3,
)


def counts(**more: object) -> CountsRelease:
    return CountsRelease(kind="counts", body=COUNTS, **{**ENVELOPE, **more})


def answers() -> AnswersRelease:
    answer = PublishedAnswer(
        question="mean of age",
        card="statistics/mean",
        parameters={"epsilon": 0.5},
        values=[41.5],
        lower=[40.0],
        upper=[43.0],
        level=0.95,
        event={"laplace": 1},
        epsilon=0.5,
    )
    amounts = {
        "budget": Amount(epsilon=3),
        "before": Amount(epsilon=0),
        "spent": Amount(epsilon=0.5),
        "left": Amount(epsilon=2.5),
    }
    spent = Expense(epsilon=0.5, delta=0, events=({"laplace": 1},))
    body = AnswersBody(answers=(answer,), **amounts)
    return AnswersRelease(kind="answers", body=body, promises=(PROVEN,), spent=spent, **ENVELOPE)


@pytest.mark.parametrize("release", [counts(), answers(), counts(promises=(FAILING, PROVEN))])
def test_the_body_is_found_by_the_kind(release: Release[Body]) -> None:
    again = parse_evidence(evidence_text(release), "x", body_of)
    assert again == release
    assert type(again.body) is evidence_kind(release.kind).body


def test_a_body_of_another_kind_is_refused() -> None:
    text = evidence_text(counts()).replace('"kind": "counts"', '"kind": "answers"')
    with pytest.raises(BadData, match="body"):
        parse_evidence(text, "x", body_of)
    with pytest.raises(BadParameter, match="no kind of data 'graphs'"):
        parse_evidence(evidence_text(counts()).replace('"kind": "counts"', '"kind": "graphs"'), "x", body_of)


def test_promises_are_measured_or_proven() -> None:
    both = counts(promises=(FAILING, PROVEN))
    assert (both.measured, both.proven) == ((FAILING,), (PROVEN,))
    assert not both.holds
    assert counts(promises=(PROVEN,)).holds


def test_a_release_from_a_seed_may_not_be_published() -> None:
    assert counts().may_be_published
    assert not counts(seeded=True).may_be_published
    assert not counts(promises=(FAILING,)).may_be_published


def test_a_release_does_not_change() -> None:
    release = counts()
    with pytest.raises(ValidationError):
        release.title = "other"
    release.attacked((RESULT,))
    assert release == counts()


@pytest.mark.parametrize("release", [counts(), answers(), counts(promises=(FAILING, PROVEN))])
def test_an_attack_builds_another_release_that_differs_in_its_board_alone(release: Release[Body]) -> None:
    second = release.attacked((RESULT,))
    assert type(second) is type(release)
    assert type(second.body) is type(release.body)
    before, after = release.model_dump(), second.model_dump()
    assert before["body"].pop("attacks") == ()
    assert after["body"].pop("attacks") == (RESULT.model_dump(),)
    assert after == before
    assert second.attacked(()) == release
    assert second.attacked((RESULT, RESULT)).body.attacks == (RESULT, RESULT)


def test_what_is_no_board_is_refused() -> None:
    """The second is built by the same constructor, which checks its parts."""
    with pytest.raises(ValidationError):
        counts().attacked(("linkage",))


@pytest.mark.slow
def test_nothing_but_an_attack_builds_a_release_from_a_release() -> None:
    calling = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "attacked"
    }
    assert calling == {"runs/attack.py"}


def test_reports_show_what_the_body_has() -> None:
    page = evidence_kind("counts").render(counts())
    assert "41" in page
    assert "ill@1" in page
    # The usual threshold is 5, so counts of 1 to 4 are small.
    for words in (
        "No small count can be deduced from the published cells",
        "Counts of 1 to 4 are left out",
        "No guarantee about people",
    ):
        assert words in page
    assert "promises nothing" not in page
    assert "Neither k-anonymity nor differential privacy is promised" in page
    told = evidence_kind("answers").render(answers())
    for words in ("mean of age", "41.5", "40 to 43", "differential-privacy", "is proven"):
        assert words in told
    lines = evidence_kind("answers").summary(answers(), {"report": "r.html"})
    assert any("41.5" in line and "40 to 43" in line for line in lines)
    assert any("left" in line and "2.5" in line for line in lines)
