"""Why amounts do not add up is said where they need not, on the page and in the terminal.

Covers evidence/answers/adding_up.
"""

from tests.evidence.answers.test_page import release

from tacit.evidence.answers.adding_up import adding_up
from tacit.evidence.answers.page import answers_page
from tacit.evidence.answers.summary import answers_lines
from tacit.evidence.page import render_page
from tacit.release.answers import Amount


def test_half_of_delta_is_said_to_be_kept() -> None:
    plain = release()
    body = plain.body.model_copy(update={"budget": Amount(epsilon=3, delta=1e-6)})
    with_delta = plain.model_copy(update={"body": body})
    assert adding_up(plain.body) == ""
    assert "half of the budget's delta (5e-07) is kept" in adding_up(body)
    assert "(5e-07) is kept" in " ".join(" ".join(answers_lines(with_delta, {})).split())
    assert "(5e-07) is kept" in render_page(with_delta, answers_page(with_delta))


def test_the_terminal_has_all_amounts_that_make_up_the_sum() -> None:
    """Before 1, now 0.75, in all 1.75, left 1.25, of 3."""
    rows = [line.split() for line in answers_lines(release(), {})]
    amounts = {row[0]: float(row[-2]) for row in rows if row and row[0] in ("before", "now", "left", "budget")}
    assert amounts["before"] + amounts["now"] + amounts["left"] == amounts["budget"]
