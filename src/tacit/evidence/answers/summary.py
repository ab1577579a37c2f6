"""What the command line prints of private answers; plain text within 80 columns."""

from collections.abc import Mapping

from tacit.evidence.answers.counted import rows_that_count
from tacit.evidence.answers.lines import lines_of
from tacit.evidence.answers.odds import in_words
from tacit.evidence.answers.page import INTERVALS, interval_text, value_text
from tacit.evidence.numerals import chosen, clean, measure
from tacit.evidence.reading import SEEDED, plain
from tacit.promise import Proven
from tacit.release.answers import Amount, AnswersRelease, PublishedAnswer

MOST_LINES = 20


def answers_lines(release: AnswersRelease, written: Mapping[str, str]) -> list[str]:
    """The answers, what they cost, what is left, and what stands where."""
    body, (proven, *_) = release.body, release.proven
    lines = [f"Tacit: {clean(release.title)}", ""]
    for answer in body.answers:
        lines += [*answer_lines(answer), ""]
    counted = rows_that_count(proven, release.unit, INTERVALS)
    lines += [
        *([*_wrapped(counted), ""] if counted else []),
        f"{'spent':<12}{'epsilon':>12}{'delta':>14}",
        *(f"  {name:<10}{measure(amount.epsilon):>12}{amount.delta:>14.3g}" for name, amount in _amounts(release)),
        "",
        *_wrapped(in_words(proven.epsilon, proven.delta)),
    ]
    if written:
        widest = max(map(len, written))
        lines += ["", "written", *(f"  {name:<{widest}}  {clean(path)}" for name, path in written.items())]
    return [*(plain(line) for line in lines), *([SEEDED] if release.seeded else [])]


def _amounts(release: AnswersRelease) -> list[tuple[str, Amount | Proven]]:
    body, (proven, *_) = release.body, release.proven
    return [("now", proven), ("in all", body.spent), ("left", body.left)]


def answer_lines(answer: PublishedAnswer) -> list[str]:
    """One answer: the question, and a line for each number."""
    numbers = lines_of(answer)
    level = "" if answer.level is None else f"{chosen(answer.level)} interval"
    head = f"{clean(answer.question):<38.38}{'answer':>14}{level:>24}"
    rows = [
        f"  {clean(line.label):<34.34}{value_text(line.value):>16.16}{interval_text(line):>24}"
        for line in numbers[:MOST_LINES]
    ]
    more = len(numbers) - MOST_LINES
    return [plain(line) for line in (head, *rows, *([f"  and {more} more, in the file"] if more > 0 else []))]


def _wrapped(text: str) -> list[str]:
    from textwrap import wrap

    return wrap(text, 78)
