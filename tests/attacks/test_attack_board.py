"""The board in the report: complete, escaped, and true to its numbers.

Covers evidence/board, release/tables.
"""

from pathlib import Path

import pytest
from tests.evidence.example_release import example_release
from tests.evidence.page import Page

from tacit.attacks._success import success
from tacit.cards.attack import TableAttack
from tacit.catalogue import attacks_of
from tacit.evidence.board import GUESSING, attack_lead, board_lines, interval, not_run_lines
from tacit.evidence.files import evidence_text, parse_evidence
from tacit.evidence.tables.report import render_report
from tacit.release.attacks import AttackResult
from tacit.release.tables import TableRelease
from tacit.runs.attack import AttackOutcome
from tacit.runs.evidence_kinds import body_of


def attacked(text: str = "secret") -> TableRelease:
    """The example with two attacks on it, one of them on the release alone."""
    first = AttackResult(
        attack="linkage",
        title="Linkage",
        knowledge=f"everything <{text}>",
        story="The adversary looks.",
        confidence=0.95,
        bound=0.2,
        bound_from="k-anonymity",
        raw=success(900, 1000, 0.001),
        pseudonymised=success(700, 1000, 0.001),
        release=success(13.2, 1000, 0.001),
    )
    second = first.model_copy(
        update={"title": "Intersection", "column": text, "raw": None, "pseudonymised": None, "bound": None}
    )
    return example_release().attacked((first, second))


def test_the_section_is_there_only_where_somebody_attacked() -> None:
    assert "attacks" not in Page(render_report(example_release())).values("id")
    page = Page(render_report(attacked()))
    assert "attacks" in page.values("id")
    assert "#attacks" in page.values("href")
    for words in ("What each adversary learns", "Intersection: secret", "at most", "k-anonymity", "Known beforehand"):
        assert words in page.text
    assert "2 of 2 kinds of attack do better on the release than guessing." in page.text


def test_attacks_above_guessing_are_marked_at_the_top_and_sorted() -> None:
    first, _ = attacked().body.attacks
    beaten = first.model_copy(update={"attack": "a", "title": "Beaten", "release": success(1, 1000, 0.01)})
    strong = first.model_copy(
        update={"attack": "b", "title": "Skewness", "means": "Success means much.", "release": success(662, 1000, 0.0)}
    )
    html = render_report(example_release().attacked((beaten, first, strong)))
    verdict = Page(html.split('id="key-figures"')[0].split("<main>")[1].rpartition("<section")[0])
    assert (
        "Some attacks on it still do better than guessing: skewness (66.2\u202f%) and linkage (1.3\u202f%)."
        in verdict.text
    )
    board = html.split('id="attacks"')[1]
    assert board.index(">Skewness<") < board.index(">Linkage<") < board.index("No better than guessing")
    assert board.index("No better than guessing") < board.index(">Beaten<")
    assert board.count("above guessing</span>") == 2
    assert "Success means much." in board
    quiet = render_report(example_release().attacked((beaten,)))
    assert 'class="warning"' not in quiet


def test_attacks_on_many_columns_are_one_entry() -> None:
    _, second = attacked().body.attacks
    many = tuple(
        second.model_copy(update={"column": f"c{i}", "release": success(10 * i, 1000, 0.001)}) for i in range(1, 21)
    )
    html = render_report(example_release().attacked(many))
    assert html.count('<article class="promise attack">') == 1
    assert "Most successful against <bdi>c20</bdi>" in html
    assert all(f"<bdi>c{i}</bdi>" in html for i in range(1, 21))
    lines = board_lines(many)
    assert len(lines) < 12
    assert "  and 19 other columns, 1.0 % to 19.0 % on the release" in lines


def test_columns_that_are_alike_until_their_end_are_told_apart() -> None:
    _, second = attacked().body.attacks
    first_lines = {
        board_lines((second.model_copy(update={"title": "Probabilistic inference", "column": name}),))[2][:40]
        for name in (f"lab_value_of_thing_{i}" for i in range(20))
    }
    assert len(first_lines) == 20
    assert all("..." in line and "_of_thing_" in line for line in first_lines)


def test_every_attack_says_what_its_success_means() -> None:
    for name, card in attacks_of("tables", TableAttack).items():
        assert card.means.startswith("Success means that "), name
        assert card.means.endswith("."), name


def test_rates_keep_all_their_digits_for_machines() -> None:
    page = Page(render_report(attacked()))
    for value in ("0.9", "0.7", "0.0132", "0.001", "0.2"):
        assert value in page.values("value")


@pytest.mark.parametrize("text", ['"><script>alert(1)</script>', "{{ 7 * 7 }}", "</svg></desc>"])
def test_names_are_escaped(text: str) -> None:
    page = Page(render_report(attacked(text)))
    assert "script" not in {tag for tag, _ in page.tags}


def test_the_board_survives_the_evidence() -> None:
    assert parse_evidence(evidence_text(attacked()), "x.json", body_of) == attacked()


def test_evidence_without_a_board_is_still_read() -> None:
    text = evidence_text(example_release()).replace('"attacks": [],', "")
    assert '"attacks"' not in text
    assert parse_evidence(text, "x.json", body_of) == example_release()


def test_intervals_are_rounded_outwards() -> None:
    found = success(12.5, 1000, 0.0)
    low, high = (float(end) for end in interval(found).rstrip("% \u202f").split("–"))
    assert low / 100 <= found.low <= found.high <= high / 100
    assert found.low - low / 100 < 0.001
    assert high / 100 - found.high < 0.001


def test_the_terminal_has_ascii_only() -> None:
    lines = board_lines(attacked().body.attacks)
    assert all(line.isascii() for line in lines)
    assert lines[2].split() == ["!", "Linkage", "0.1", "%", "90.0", "%", "70.0", "%", "1.3", "%", "20", "%"]


@pytest.mark.parametrize("name", ["k-anonymity", "route-anonymity", "a-promise-with-a-name-that-is-long"])
def test_a_promise_does_not_touch_the_interval_beside_it(name: str) -> None:
    first, second = attacked().body.attacks
    lines = board_lines((first.model_copy(update={"bound_from": name}), second))
    assert lines[3].split()[-2:] == ["%", name]
    assert lines[0].endswith(" at most")
    assert lines[2].endswith(" 20 %")
    assert len(lines[0]) == len(lines[2]) == len(lines[3]), "the column stays one column"


def test_what_was_not_run_is_told_once_for_all_columns() -> None:
    skipped = {f"minimality (c{i})": "it needs other evidence" for i in range(20)}
    skipped |= {f"similarity (c{i})": f"declare a hierarchy of 'c{i}'" for i in range(20)}
    skipped |= {"linkage": "no column is known", "inference (c1)": "too few people"}
    assert not_run_lines(skipped) == [
        "not run: minimality (c0) and 19 other columns: it needs other evidence",
        "not run: similarity (c0) and 19 other columns: declare a hierarchy of 'c0'",
        "not run: linkage: no column is known",
        "not run: inference (c1): too few people",
    ]
    two = not_run_lines({"similarity (a)": "no hierarchy", "similarity (b)": "no numbers"})
    assert two == ["not run: similarity (a): no hierarchy", "not run: similarity (b): no numbers"]


def test_a_notebook_sorts_marks_and_explains_attacks_as_the_report_does() -> None:
    first, _ = attacked().body.attacks
    beaten = first.model_copy(update={"attack": "a", "title": "Beaten", "release": success(1, 1000, 0.01)})
    strong = first.model_copy(
        update={"attack": "b", "title": "Skewness", "means": "Success means much.", "release": success(662, 1000, 0.0)}
    )
    board = AttackOutcome((beaten, first, strong), {}, Path("release.csv"))
    page = Page(board._repr_html_()).text
    places = [page.index(words) for words in ("! Skewness", "! Linkage", "Beaten", "! does better")]
    assert places == sorted(places)
    assert "! Beaten" not in page
    assert "Success means much." in page
    for shared in (attack_lead(board.results), GUESSING):
        assert shared in page
        assert shared in Page(render_report(example_release().attacked(board.results))).text
    assert "! does better" not in AttackOutcome((beaten,), {}, Path("release.csv"))._repr_html_()
