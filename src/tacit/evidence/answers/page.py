"""The report of private answers: each number on its interval, what epsilon means for a person, and the budget."""

from dataclasses import dataclass, replace

from markupsafe import Markup

from tacit.evidence.answers.adding_up import adding_up
from tacit.evidence.answers.counted import rows_that_count
from tacit.evidence.answers.lines import AnswerLine, lines_of, remarks_once
from tacit.evidence.answers.odds import beliefs, in_words, unit_of
from tacit.evidence.answers.pictures import budget_bar, whiskers
from tacit.evidence.numerals import chosen, count, many, measure, within
from tacit.evidence.page import BodyPage, PageWords, Section, fragment
from tacit.evidence.reading import KeyFigure
from tacit.promise import Proven
from tacit.release.answers import AnswersBody, AnswersRelease, PublishedAnswer
from tacit.release.synthesis import SynthesisBody

MOST_LINES = 60
NO_INTERVAL = "–"
INTERVALS = "the interval says how far noise moved the answer about these rows"
UNLESS = " unless an answer says otherwise"
LIMITS = (
    "Differential privacy is about one person at a time: facts about many people, such as that smoking is harmful, can "
    "be learnt from the answers and apply to a person too, whether or not that person took part.",
    "The promise covers only what this ledger has charged. Other answers about the same people, or a released table, "
    "add to what can be learnt.",
    "The bounds, categories and groups of the plan are public. If they were chosen after looking at the data, they "
    "reveal something about it.",
)
OF_ROWS = (
    "Differential privacy is about one row at a time here: somebody with several rows is protected less, and facts "
    "about many people, such as that smoking is harmful, can be learnt from the answers and apply to a person too, "
    "whether or not that person took part."
)

WORDS = PageWords(
    promised="Promised and proven",
    about_files=(
        "This report is about these files and no others. It depends on the data only through noise that was paid for. "
        "It gives the name of the data but neither its hash nor its size, which would reveal something about the "
        "people in it."
    ),
)


@dataclass(frozen=True)
class AnswerRow:
    """One number of an answer as the page shows it."""

    label: str
    value: str
    interval: str
    muted: bool
    picture: Markup | None


@dataclass(frozen=True)
class ShownAnswer:
    """One answer as the page shows it; `more` numbers stand in the files only."""

    answer: PublishedAnswer
    rows: tuple[AnswerRow, ...]
    more: int
    remarks: tuple[str, ...] = ()

    @property
    def has_intervals(self) -> bool:
        """Whether any of its numbers has an interval, known or not."""
        return any(row.interval != NO_INTERVAL for row in self.rows)


def answers_page(release: AnswersRelease) -> BodyPage:
    """What the report shows of private answers."""
    body, (proven, *_) = release.body, release.proven
    numbers, left = sum(len(lines_of(answer)) for answer in body.answers), body.left
    whose = "row" if release.unit is None else f"person, named by {release.unit!r}"
    told = remarks_once(body.answers)
    answers = [replace(shown(answer), remarks=remarks) for answer, remarks in zip(body.answers, told, strict=True)]
    counted = rows_that_count(proven, release.unit, INTERVALS, UNLESS)
    return BodyPage(
        about=f"Every answer has noise that hides one {whose}.",
        sections=(
            Section("answers", "Answers", fragment("answers.html", shown=answers, counted=counted)),
            *price_sections(proven, body, release.unit),
        ),
        cards=(
            KeyFigure("Answers", count(len(body.answers)), many(numbers, "number", "numbers")),
            KeyFigure("These answers", f"ε {measure(proven.epsilon)}", delta_text(proven.delta)),
            KeyFigure(
                "Left", f"ε {measure(left.epsilon)}", f"of {measure(body.budget.epsilon)}; {delta_text(left.delta)}"
            ),
        ),
        limits=limits_of(release.unit),
        words=WORDS,
    )


def shown(answer: PublishedAnswer) -> ShownAnswer:
    """The answer with a picture of each of its numbers."""
    lines = lines_of(answer)
    pictures = whiskers(lines[:MOST_LINES])
    rows = tuple(_row(line, picture) for line, picture in zip(lines, pictures, strict=False))
    return ShownAnswer(answer, rows, len(lines) - len(rows), answer.remarks)


def _row(line: AnswerLine, picture: Markup | None) -> AnswerRow:
    return AnswerRow(line.label, value_text(line), interval_text(line), line.unknown, picture)


def value_text(line: AnswerLine) -> str:
    """A published value: a number as exactly as its interval is narrow, anything else as it is."""
    value = line.value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return within(float(value), line.width)
    return "–" if value is None else str(value)


def interval_text(line: AnswerLine) -> str:
    """The interval in words; a dash where the statistic gives none, `unknown` where it holds every number."""
    if line.unknown:
        return "unknown"
    if line.lower is None and line.upper is None:
        return NO_INTERVAL
    if line.lower is None:
        return f"at most {within(line.upper or 0.0, line.width)}"
    low = within(line.lower, line.width)
    return f"at least {low}" if line.upper is None else f"{low} to {within(line.upper, line.width)}"


def limits_of(unit: str | None) -> tuple[str, ...]:
    """What is not promised; without a column that tells people apart, even less."""
    return LIMITS if unit is not None else (OF_ROWS, *LIMITS[1:])


def price_sections(
    proven: Proven, body: AnswersBody | SynthesisBody, unit: str | None, read: str = "these answers"
) -> tuple[Section, Section]:
    """What the price means for a person or a row of the data, and what is left of the budget."""
    rows = [
        (chosen(one.before), chosen(round(one.least, 4)), chosen(round(one.most, 4))) for one in beliefs(proven.epsilon)
    ]
    words = in_words(proven.epsilon, proven.delta, unit, read)
    meaning = fragment("epsilon.html", words=words, rows=rows, unit=unit_of(unit))
    now = max(body.spent.epsilon - body.before.epsilon, 0.0)
    bar = budget_bar(body.before.epsilon, now, body.budget.epsilon)
    return (
        Section("epsilon", "What epsilon means", meaning),
        Section(
            "budget", "The budget", fragment("budget.html", body=body, now=proven, bar=bar, counted=adding_up(body))
        ),
    )


def delta_text(delta: float) -> str:
    """Delta with its name."""
    return f"delta {delta:.3g}" if delta else "delta 0"
