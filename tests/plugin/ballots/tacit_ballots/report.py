"""How a release of ballots is shown: a section with a picture, key figures, and lines for a terminal."""

from markupsafe import Markup

from tacit.evidence.numerals import count, share
from tacit.evidence.page import BodyPage, Section, fragment_of
from tacit.evidence.reading import KeyFigure
from tacit.evidence.svg import SvgWords, drawing, element, label
from tacit_ballots.run import BallotsBody

ROW, LEFT, WIDTH = 38.0, 90.0, 430.0

SECTION = """
{% from "macros.html" import legend, as_table %}
<p>A ranking is cut from the end where too few voters share it, so long ballots become shorter.
{{ body.left_out|whole }} of {{ body.voters|whole }} ballots were left out.</p>
<figure>
<div class="figure-head"><b>Ballots by number of choices</b> {{ legend() }}</div>
{{ picture }}
{{ as_table(["choices", "before", "after"], rows) }}
</figure>
"""


def ballots_page(body: BallotsBody) -> BodyPage:
    """What the report shows of ballots."""
    pairs = list(zip(body.lengths_before, body.lengths, strict=True))
    rows = [(count(at), count(before), count(after)) for at, (before, after) in enumerate(pairs, 1)]
    html = fragment_of(SECTION, body=body, picture=_bars(pairs), rows=rows)
    return BodyPage(
        sections=(Section("ballots", "What was cut", html),),
        about=f"{count(body.voters)} ballots were read, one for each voter. Voters are not named in the release.",
        cards=(
            KeyFigure("Positions lost", share(_lost(body)), "of all choices that voters made"),
            KeyFigure("Left out", count(body.left_out), f"of {count(body.voters)} ballots"),
            KeyFigure("Rankings", count(body.rankings), "that differ, in the release"),
        ),
    )


def ballots_lines(body: BallotsBody) -> list[str]:
    """What is said at a terminal."""
    return [
        f"{share(_lost(body))} of all choices were cut; {body.left_out:,} of {body.voters:,} ballots were left out",
    ]


def _lost(body: BallotsBody) -> float:
    return 1 - body.positions / body.positions_before if body.positions_before else 0.0


def _bars(pairs: list[tuple[int, int]]) -> Markup:
    """Two bars for each length, before above after."""
    most = max((max(pair) for pair in pairs), default=0) or 1
    parts: list[Markup] = []
    for at, pair in enumerate(pairs):
        y = at * ROW + 6
        parts.append(label(f"{at + 1} choice{'s' if at else ''}", LEFT - 8, y + 19, "end"))
        for kind, shift, ballots in (("before", 0, pair[0]), ("after", 14, pair[1])):
            wide = (WIDTH - LEFT - 60) * ballots / most
            parts.append(element("rect", x=LEFT, y=y + shift, width=wide, height=12, class_=kind))
            parts.append(label(count(ballots), LEFT + wide + 6, y + shift + 10, "start", "value"))
    said = "; ".join(f"{at} choices: {before} before, {after} after" for at, (before, after) in enumerate(pairs, 1))
    return drawing(SvgWords("Ballots by number of choices", said), WIDTH, len(pairs) * ROW + 6, *parts)
