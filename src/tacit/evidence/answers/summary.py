"""What the command line prints of private answers; plain text within 80 columns, unless a number needs more."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from tacit.evidence.answers.adding_up import adding_up
from tacit.evidence.answers.counted import rows_that_count
from tacit.evidence.answers.lines import AnswerLine, lines_of, remarks_once
from tacit.evidence.answers.odds import in_words
from tacit.evidence.answers.page import INTERVALS, NO_INTERVAL, UNLESS, interval_text, value_text
from tacit.evidence.numerals import chosen, clean, count, measure
from tacit.evidence.reading import SEEDED, plain, verdict
from tacit.evidence.summary import WIDTH, padded, written_lines
from tacit.promise import Proven
from tacit.release.answers import Amount, AnswersRelease, PublishedAnswer

MOST_LINES = 20
LEAST_LABEL, MOST_LABEL, LEAST_VALUE, LEAST_INTERVAL = 20, 38, 12, 22


def answers_lines(release: AnswersRelease, written: Mapping[str, str]) -> list[str]:
    """The answers, what they cost, what is left, and what stands where."""
    body, (proven, *_) = release.body, release.proven
    lines = [f"Tacit: {clean(release.title)}", ""]
    for answer, remarks in zip(body.answers, remarks_once(body.answers), strict=True):
        lines += [*answer_lines(answer, remarks), ""]
    counted = rows_that_count(proven, release.unit, INTERVALS, UNLESS)
    lines += [
        *([*wrap(counted, WIDTH - 2), ""] if counted else []),
        f"{'spent':<12}{'epsilon':>12}{'delta':>14}",
        *(f"  {name:<10}{measure(amount.epsilon):>12}{amount.delta:>14.3g}" for name, amount in _amounts(release)),
        "",
        *([*wrap(adding_up(body), WIDTH - 2), ""] if adding_up(body) else []),
        *wrap(in_words(proven.epsilon, proven.delta, release.unit), WIDTH - 2),
        *written_lines(written),
        *_caution(release),
    ]
    return [*(plain(line) for line in lines), *([SEEDED] if release.seeded else [])]


def _caution(release: AnswersRelease) -> list[str]:
    """The verdict, where it is no good news."""
    said = verdict(release)
    return [] if said.state == "holds" else ["", *wrap(said.headline, WIDTH - 2)]


def _amounts(release: AnswersRelease) -> list[tuple[str, Amount | Proven]]:
    body, (proven, *_) = release.body, release.proven
    return [
        ("before", body.before),
        ("now", proven),
        ("in all", body.spent),
        ("left", body.left),
        ("budget", body.budget),
    ]


def answer_lines(answer: PublishedAnswer, remarks: Sequence[str] | None = None) -> list[str]:
    """One answer: the question, a line for each number, and what is to be remarked, by default all there is."""
    numbers = lines_of(answer)
    more = len(numbers) - MOST_LINES
    lines = list(_table(answer, numbers[:MOST_LINES])) if numbers else _paragraph(answer.question, "")
    lines += [f"  and {count(more)} more, in the file"] if more > 0 else []
    lines += [line for remark in (answer.remarks if remarks is None else remarks) for line in _paragraph(remark)]
    return [plain(line) for line in lines]


def _table(answer: PublishedAnswer, numbers: tuple[AnswerLine, ...]) -> Iterator[str]:
    """The question above its numbers; columns are as wide as their widest cell."""
    rows = [(f"  {clean(line.label)}", clean(value_text(line)), interval_text(line)) for line in numbers]
    told = answer.level is not None and any(row[2] != NO_INTERVAL for row in rows)
    level = f"{chosen(answer.level or 0.0)} interval" if told else ""
    value = max(LEAST_VALUE, *(len(row[1]) for row in rows))
    interval = max(LEAST_INTERVAL, *(len(row[2]) for row in rows))
    room = max(LEAST_LABEL, min(WIDTH - value - interval - 4, MOST_LABEL))
    *above, title = [clean(answer.question)] if len(answer.question) <= room else [*_paragraph(answer.question, ""), ""]
    yield from above
    for first, number, ends in [(title, "answer", level), *rows]:
        *above, last = wrap(first, room, subsequent_indent="    ") or [""]
        yield from above
        yield f"{padded(last, room)}  {number:>{value}}  {ends:>{interval}}".rstrip()


def _paragraph(text: str, indent: str = "  ") -> list[str]:
    return wrap(clean(text), WIDTH - 2, initial_indent=indent, subsequent_indent=indent)
