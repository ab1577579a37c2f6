"""The page and the lines of private answers: every number with its interval, odds by Bayes' rule, the budget.

Covers evidence/answers/*.
"""

import math

import pytest

from tacit.evidence.answers.counted import rows_that_count
from tacit.evidence.answers.lines import lines_of
from tacit.evidence.answers.odds import beliefs, in_words
from tacit.evidence.answers.page import answers_page, interval_text, shown, value_text
from tacit.evidence.answers.pictures import budget_bar, whiskers
from tacit.evidence.answers.summary import answer_lines, answers_lines
from tacit.evidence.page import render_page
from tacit.evidence.reading import verdict
from tacit.noise.private_answer import UNKNOWN
from tacit.promise import Proven
from tacit.release.answers import Amount, AnswersBody, AnswersRelease, PublishedAnswer
from tacit.release.release import Fingerprint, Recipe

GROUPED = PublishedAnswer(
    question="Mean of age by sex",
    card="statistics/mean",
    parameters={"of": "age", "by": "sex", "epsilon": 0.5},
    values=[41.5, 39.25],
    lower=[40.0, None],
    upper=[43.0, 42.0],
    level=0.95,
    keys=("f", "<m>"),
    event={},
    epsilon=0.5,
    charge=2,
    receipt="ab",
)
PLAIN = PublishedAnswer(
    question="Histogram of town", card="statistics/histogram", parameters={}, values=[3, 4], event={}, epsilon=0.25
)


def test_an_answer_in_a_terminal_is_plain_text() -> None:
    text = "\n".join(answer_lines(GROUPED))
    assert "95 % interval" in text
    assert not [sign for sign in text if sign.isspace() and sign not in " \n"]


def release(seeded: bool = False) -> AnswersRelease:
    proven = Proven(name="x", epsilon=0.75, delta=0, unit="row", neighbours="add-remove", says="the odds change little")
    body = AnswersBody(
        answers=(GROUPED, PLAIN),
        budget=Amount(epsilon=3),
        before=Amount(epsilon=1),
        spent=Amount(epsilon=1.75),
        left=Amount(epsilon=1.25),
    )
    return AnswersRelease(
        kind="answers",
        created="2026-11-16T12:00:00+00:00",
        title="people.csv",
        inputs=(Fingerprint(name="people.csv"),),
        plan=Fingerprint(name="people.plan.yaml", bytes=1, sha256="0" * 64),
        outputs=(Fingerprint(name="people.answers.json", bytes=1, sha256="1" * 64),),
        promises=(proven,),
        recipe=Recipe(method="ask", parameters={}, command="tacit ask", plan={}),
        seconds={},
        versions={"tacit": "0"},
        seeded=seeded,
        body=body,
    )


def test_every_number_has_a_line_with_its_group_and_interval() -> None:
    first, second = lines_of(GROUPED)
    assert (first.label, first.value, first.lower, first.upper) == ("f", 41.5, 40.0, 43.0)
    assert (second.label, second.lower, second.upper) == ("<m>", None, 42.0)
    assert [(line.label, line.value, line.lower) for line in lines_of(PLAIN)] == [("1", 3, None), ("2", 4, None)]


def test_numbers_are_called_by_their_labels() -> None:
    labels = [["f, old", "f, young"], ["m, old", "m, young"]]
    table = PLAIN.model_copy(update={"values": [[1, 2], [3, 4]], "labels": labels})
    assert [(line.label, line.value) for line in lines_of(table)] == list(
        zip(["f, old", "f, young", "m, old", "m, young"], [1, 2, 3, 4], strict=True)
    )
    grouped = GROUPED.model_copy(update={"labels": ["median", "median"]})
    assert [line.label for line in lines_of(grouped)] == ["f, median", "<m>, median"]


def test_large_numbers_and_long_names_stay_apart() -> None:
    long = "a category whose name is longer than there is room beside its numbers"
    values = {"values": [1420921620.4], "lower": [1419047525.1], "upper": [1422795715.7], "level": 0.95}
    answer = PLAIN.model_copy(update={"question": f"Sum of {long}", "labels": [long], **values})
    text = "\n".join(answer_lines(answer))
    assert "1,420,921,620.4  1,419,047,525.1 to 1,422,795,715.7" in text
    assert " ".join(text.split()).count(long.rsplit(" ", 1)[-1]) == 2
    assert all(len(line) <= 80 for line in text.split("\n"))


@pytest.mark.slow
def test_remarks_and_the_number_of_other_lines_are_said() -> None:
    answer = PLAIN.model_copy(update={"values": [0] * 10_000, "remarks": ("Look at <this>.",)})
    assert "  and 9,980 more, in the file" in answer_lines(answer)
    assert "  Look at <this>." in answer_lines(answer)
    empty = answer_lines(PLAIN.model_copy(update={"values": [], "keys": (), "remarks": ("Nobody.",)}))
    assert empty == ["Histogram of town", "  Nobody."]


def test_parameters_are_in_words() -> None:
    given = {"by": ["sex", "town"], "rows": None, "zeros": False, "keys": {"epsilon": 0.1}}
    whole = release()
    body = whole.body.model_copy(update={"answers": (PLAIN.model_copy(update={"parameters": given}),)})
    page = render_page(whole.model_copy(update={"body": body}), answers_page(whole.model_copy(update={"body": body})))
    for words in ("sex, town", "not given", "</span> no</span>", "epsilon 0.1"):
        assert words in page
    for leak in ("[&#39;", "None", "False", "{&#39;"):
        assert leak not in page


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_beliefs_move_as_far_as_bayes_rule_lets_them(epsilon: float) -> None:
    for belief in beliefs(epsilon):
        odds = belief.before / (1 - belief.before)
        assert belief.most / (1 - belief.most) == pytest.approx(odds * math.exp(epsilon))
        assert belief.least / (1 - belief.least) == pytest.approx(odds * math.exp(-epsilon))
    assert "at most 73 and at least 27" in in_words(1.0, 0, "id")
    assert "except with a probability of at most 1e-06" in in_words(1.0, 1e-6, "id")


@pytest.mark.parametrize(
    ("epsilon", "says"),
    # 1 / (1 + e**6) is 0.00247, 1 / (1 + e**9) is 0.000123, and 1 / (1 + e**30) is 9e-14.
    [
        (6.0, "at most 99.8 and at least 0.2 in 100"),
        (9.0, "at most 99.99 and at least 0.01 in 100"),
        (30.0, "at most 100 and at least 0 in 100"),
    ],
)
def test_a_belief_that_can_not_become_certain_is_not_told_as_certain(epsilon: float, says: str) -> None:
    assert says in in_words(epsilon, 0, "id")


def test_where_no_column_tells_people_apart_beliefs_are_about_rows() -> None:
    assert "statement about a person" in in_words(1.0, 0, "id")
    told = in_words(1.0, 0, None)
    assert "statement about a row" in told
    assert "a person with several rows is protected less" in told
    for unit, words in (("id", "every person and every reader"), (None, "every row and every reader")):
        whole = release().model_copy(update={"unit": unit})
        assert words in render_page(whole, answers_page(whole))


def test_a_huge_epsilon_promises_nothing_and_does_not_overflow() -> None:
    assert all(belief.most == 1 for belief in beliefs(1e6))


def test_the_page_shows_numbers_intervals_odds_and_budget() -> None:
    page = render_page(release(), answers_page(release()))
    for words in (
        "Mean of age by sex",
        "41.5",
        "40 to 43",
        "at most 42",
        "&lt;m&gt;",
        "at most 68",
        "1.25",
        "not given",
    ):
        assert words in page
    assert "<m>" not in page
    assert "<script" not in page


def test_a_seeded_answer_says_so_first() -> None:
    page = render_page(release(seeded=True), answers_page(release(seeded=True)))
    assert "seed" in page[page.index("verdict") : page.index("key-figures")]


def test_the_budget_tells_this_run_from_all_runs() -> None:
    """Before 1, this run 0.75, in all 1.75, left 1.25, of 3: the figures of the example."""
    page = render_page(release(), answers_page(release()))
    budget = page[page.index('id="budget"') : page.index('id="recipe"')]
    rows = [("spent before", 1), ("spent by this run", 0.75), ("spent in all", 1.75), ("budget", 3)]
    for name, amount in rows:
        row = budget[budget.index(f"<bdi>{name}</bdi>") :]
        assert f">{amount}</data>" in row[: row.index("</td>")]


def test_answers_do_not_claim_to_describe_the_raw_file() -> None:
    page = render_page(release(), answers_page(release()))
    assert "as it was before protection" not in page
    assert "noise that was paid for" in page


def test_pictures_say_in_words_what_they_show() -> None:
    first, second = whiskers(lines_of(GROUPED))
    assert first is not None
    assert "41.5, between 40 and 43" in first
    assert second is not None
    assert "39.25, without an interval" in second
    assert "33.3" in budget_bar(1, 0.75, 3)
    assert shown(GROUPED).more == 0


def test_the_terminal_gets_the_same() -> None:
    text = "\n".join(answers_lines(release(), {"report": "r.html"}))
    for words in ("Mean of age by sex", "41.5", "40 to 43", "in all", "1.75", "left", "1.25", "r.html"):
        assert words in text
    assert all(len(line) <= 80 for line in text.split("\n"))
    assert answer_lines(PLAIN)[0].startswith("Histogram of town")


def test_where_only_some_rows_of_a_person_count_intervals_are_said_to_be_about_these() -> None:
    proven = release().proven[0].model_copy(update={"unit": "id", "contributions": 3})
    of_people = release().model_copy(update={"unit": "id", "promises": (proven,)})
    words = "Each person counts with at most 3 rows, chosen by a hash"
    for one, expected in ((of_people, 1), (release(), 0)):
        assert render_page(one, answers_page(one)).count(words) == expected
        assert " ".join(answers_lines(one, {})).count(words) == expected
    assert all(len(line) <= 80 for line in answers_lines(of_people, {}))
    counted = rows_that_count(proven.model_copy(update={"contributions": 1}), "id", "x")
    assert counted.startswith("Each person counts with at most 1 row, ")
    assert counted.endswith("Rows without a value in id do not count.")


def test_a_remark_is_made_once_however_many_answers_have_it() -> None:
    answers = tuple(one.model_copy(update={"remarks": ("Mind this.", one.question)}) for one in (GROUPED, PLAIN))
    both = release().model_copy(update={"body": release().body.model_copy(update={"answers": answers})})
    for text in ("\n".join(answers_lines(both, {})), render_page(both, answers_page(both))):
        assert text.count("Mind this.") == 1
    assert answer_lines(answers[1])[-2:] == ["  Mind this.", "  Histogram of town"]


def test_numbers_of_which_none_has_bounds_are_unknown_where_a_remark_says_so() -> None:
    answer = PLAIN.model_copy(update={"remarks": (UNKNOWN,)})
    assert not answer.intervals
    assert [line.unknown for line in lines_of(answer)] == [True, True]
    assert [line.unknown for line in lines_of(PLAIN)] == [False, False]


def test_a_number_of_which_nothing_is_known_is_not_shown_as_if_it_were() -> None:
    """The first slope has an interval, the second holds every number; a statistic without intervals has a dash."""
    update = {"values": [1.5, 9709.6], "lower": [1.0, None], "upper": [2.0, None], "intervals": True}
    answer = PLAIN.model_copy(update={**update, "labels": ["slope", "intercept"]})
    assert [line.unknown for line in lines_of(answer)] == [False, True]
    assert answer_lines(answer)[-1].split() == ["intercept", "9,709.6", "unknown"]
    assert answer_lines(PLAIN)[-1].split() == ["2", "4", "-"]
    first, second = shown(answer).rows
    assert (first.muted, second.muted) == (False, True)
    assert second.picture is None
    whole = release().model_copy(update={"body": release().body.model_copy(update={"answers": (answer,)})})
    assert '<td class="muted">unknown</td>' in render_page(whole, answers_page(whole))


def test_digits_follow_the_width_of_the_interval() -> None:
    """Two means that differ by 0.04 are told apart where their intervals are 0.02 wide; whole numbers stay whole."""
    update = {"values": [169.9771, 170.0193], "lower": [169.9671, 170.0093], "upper": [169.9871, 170.0293]}
    answer = GROUPED.model_copy(update=update)
    text = " ".join(" ".join(answer_lines(answer)).split())
    assert "169.977 169.967 to 169.987" in text
    assert "170.019 170.009 to 170.029" in text
    assert "169.977, between 169.967 and 169.987" in str(whiskers(lines_of(answer))[0])
    counts = GROUPED.model_copy(update={"values": [20642, 3.5], "lower": [20639, None], "upper": [20645, None]})
    first, second = lines_of(counts)
    assert (value_text(first), interval_text(first)) == ("20,642", "20,639 to 20,645")
    assert (value_text(second), interval_text(second)) == ("3.5", "–")


@pytest.mark.parametrize(
    ("epsilon", "state"), [(1.0, "holds"), (10.0, "holds"), (11.0, "caution"), (1000.0, "caution")]
)
def test_a_promise_that_protects_hardly_anybody_is_no_good_news(epsilon: float, state: str) -> None:
    """e**10 : 1 are odds of 22026 : 1, so that an even chance becomes more than 99.995 in 100."""
    proven = release().proven[0].model_copy(update={"epsilon": epsilon})
    one = release().model_copy(update={"promises": (proven,)})
    assert verdict(one).state == state
    words = "protects hardly anybody"
    assert (words in render_page(one, answers_page(one))) == (state == "caution")
    assert (words in " ".join(answers_lines(one, {}))) == (state == "caution")


def test_seeded_answers_are_not_to_be_published() -> None:
    one = release(seeded=True)
    assert verdict(one).state == "caution"
    for text in (render_page(one, answers_page(one)), "\n".join(answers_lines(one, {}))):
        assert "Do not publish this release." in text
        assert "keeps its promises" not in text


def test_intervals_are_spoken_of_only_where_there_are_some() -> None:
    without = PLAIN.model_copy(update={"level": 0.95})
    for answers, expected in (((GROUPED, without), True), ((without,), False)):
        one = release().model_copy(update={"body": release().body.model_copy(update={"answers": answers})})
        page = render_page(one, answers_page(one))
        assert ("an interval, where there is one, contains" in page) == expected
    assert "interval" not in " ".join(answer_lines(without))
