"""The report of private answers."""

from tacit.evidence.page import Page, Section, fragment
from tacit.evidence.reading import Card
from tacit.release.answers import AnswersRelease


def answers_page(release: AnswersRelease) -> Page:
    """What the report shows of private answers."""
    body = release.body
    html = fragment("answers.html", answers=body.answers)
    return Page(
        sections=(Section("answers", "Answers", html),),
        cards=(
            Card("Answers", str(len(body.answers)), "each with noise of its own"),
            Card("Spent", f"{body.spent.epsilon:g}", f"epsilon of {body.budget.epsilon:g}; delta {body.spent.delta:g}"),
            Card("Left", f"{body.left.epsilon:g}", f"epsilon; delta {body.left.delta:g}"),
        ),
    )
