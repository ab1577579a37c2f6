"""Why amounts do not add up is said where they need not, on the page and in the terminal.

Covers evidence/answers/adding_up.
"""

import pytest
from tests.evidence.answers.test_page import release

from tacit.evidence.answers.adding_up import adding_up
from tacit.evidence.answers.page import answers_page
from tacit.evidence.answers.summary import answers_lines
from tacit.evidence.page import render_page
from tacit.release.answers import Amount
from tacit.release.release import Expense


def test_half_of_delta_is_said_to_be_kept() -> None:
    plain = release()
    body = plain.body.model_copy(update={"budget": Amount(epsilon=3, delta=1e-6)})
    with_delta = plain.model_copy(update={"body": body})
    assert adding_up(plain.body) == ""
    assert "half of the budget's delta (5e-07) is reserved" in adding_up(body)
    assert "(5e-07) is reserved" in " ".join(" ".join(answers_lines(with_delta, {})).split())
    assert "(5e-07) is reserved" in render_page(with_delta, answers_page(with_delta))


def test_the_page_says_once_how_the_ledger_adds_up() -> None:
    """In one sentence where the budget has a delta, and not at all where amounts add up."""
    plain = release()
    body = plain.body.model_copy(update={"budget": Amount(epsilon=3, delta=1e-6)})
    with_delta = plain.model_copy(update={"body": body})
    assert "more than one run costs by itself, and less than the sum of many separate runs" in adding_up(body)
    pages = [render_page(one, answers_page(one)) for one in (plain, with_delta)]
    assert [page.count("many separate runs") for page in pages] == [0, 1]
    assert not any("below the sum of what single runs cost" in page for page in pages)


@pytest.mark.parametrize("seeded", [False, True])
def test_making_it_again_is_said_to_be_charged_again(seeded: bool) -> None:
    spent = Expense(epsilon=0.75, delta=0, events=(), charges=())
    made = release().model_copy(update={"seeded": seeded, "spent": spent})
    page = render_page(made, answers_page(made))
    assert "This is charged again" in page
    assert ("gives different numbers" in page) == (not seeded)


def test_the_terminal_has_all_amounts_that_make_up_the_sum() -> None:
    """Before 1, now 0.75, in all 1.75, left 1.25, of 3."""
    rows = [line.split() for line in answers_lines(release(), {})]
    amounts = {row[0]: float(row[-2]) for row in rows if row and row[0] in ("before", "now", "left", "budget")}
    assert amounts["before"] + amounts["now"] + amounts["left"] == amounts["budget"]
