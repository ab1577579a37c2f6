"""Pictures of answers: each number as a dot on its interval, and the budget as a bar."""

from collections.abc import Sequence

from markupsafe import Markup

from tacit.evidence.answers.lines import AnswerLine
from tacit.evidence.numerals import share, within
from tacit.evidence.svg import SvgWords, element, percent, strip

HEIGHT = 16.0
MARGIN = 0.04


def whiskers(lines: Sequence[AnswerLine]) -> tuple[Markup | None, ...]:
    """A picture for each line, all on one scale; None where a line is no number, or nothing is known of it."""
    known = [line for line in lines if not line.unknown]
    ends = [end for line in known for end in (line.lower, line.upper, _value(line)) if end is not None]
    if not ends:
        return (None,) * len(lines)
    low, width = min(ends), (max(ends) - min(ends)) or 1.0
    return tuple(None if line.unknown or _value(line) is None else _whisker(line, low, width) for line in lines)


def _whisker(line: AnswerLine, low: float, width: float) -> Markup:
    def place(number: float) -> str:
        return percent(MARGIN + (1 - 2 * MARGIN) * (number - low) / width)

    value = float(line.value)
    parts = []
    if line.lower is not None and line.upper is not None:
        parts.append(element("line", x1=place(line.lower), x2=place(line.upper), y1=8, y2=8, class_="whisker"))
    parts.append(element("circle", cx=place(value), cy=8, r=4.5, class_="dot"))
    return strip(SvgWords("An answer with its interval", _in_words(line)), HEIGHT, *parts)


def _in_words(line: AnswerLine) -> str:
    value = within(float(line.value), line.width)
    if line.lower is None or line.upper is None:
        return f"{value}, without an interval"
    return f"{value}, between {within(line.lower, line.width)} and {within(line.upper, line.width)}"


def _value(line: AnswerLine) -> float | None:
    number = isinstance(line.value, int | float) and not isinstance(line.value, bool)
    return float(line.value) if number else None


def budget_bar(before: float, now: float, budget: float) -> Markup:
    """The budget: what was spent before, what these answers spent, and what is left."""
    earlier, spent = before / budget, now / budget
    said = (
        f"{share(earlier)} spent before, {share(spent)} on these answers, {share(max(0.0, 1 - earlier - spent))} left"
    )
    parts = [
        element("rect", x=0, y=3, width="100%", height=10, rx=3, class_="track"),
        element("rect", x=0, y=3, width=percent(earlier), height=10, class_="before"),
        element("rect", x=percent(earlier), y=3, width=percent(spent), height=10, class_="after"),
    ]
    return strip(SvgWords("The budget", said), HEIGHT, *parts)
