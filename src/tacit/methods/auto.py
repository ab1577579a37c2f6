"""The choice among methods: those that compete are tried on the table, and the release that costs least wins.

No method on tables is best on all of them. The full-domain optimum is exact among releases with one level for each
column, and uniform labels are the easiest to analyse; Mondrian and local recoding give each class labels of its own,
which usually lose far less, at more risk on average, since their classes are small. So this tries them, one after the
other (Rice 1976 calls it the algorithm selection problem), and what each reached is part of the evidence.

The time is shared out: who is tried gets an equal part of what is left, and what it does not use is there for the
others. A method that is expected to take longer than what is left is not tried, unless nobody reached anything yet.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Annotated, Any

from pydantic import Field

from tacit.cards.competition import Competitor, TableCompetition
from tacit.cards.timed import TimedParams
from tacit.spelling import many


class Auto(TimedParams):
    """How long the competition may take."""

    seconds: Annotated[
        float,
        Field(
            gt=0,
            description="the time in seconds for the decisions of all methods; one that would take longer is not tried",
        ),
    ] = 30.0


def compete(
    competitors: Sequence[Competitor], params: Auto, clock: Callable[[], float] = perf_counter
) -> Sequence[Any]:
    """What became of each competitor, in their order."""
    begin, attempts = clock(), list[Any]()
    for turn, competitor in enumerate(competitors):
        left = max(params.seconds - (clock() - begin), 0.0)
        waiting = len(competitors) - turn
        if any(attempt.is_made for attempt in attempts) and competitor.expected > left:
            attempts.append(competitor.leave_out(_too_long(competitor.expected, left)))
        else:
            attempts.append(competitor.attempt(max(left / waiting, params.seconds / len(competitors) / 10)))
    return attempts


def _too_long(expected: float, left: float) -> str:
    return (
        f"it would take about {many(round(expected), 'second')}, and {many(round(left), 'second')} of the time limit "
        "are left; to try it, raise `seconds`, or name it as the method"
    )


METHOD = TableCompetition(
    title="The best of several methods",
    params=Auto,
    run=compete,
    needs="a hierarchy for each quasi-identifier",
    gives="the release with the least loss among those of the methods that compete, and what each would have lost",
    guarantees="any",
    paper="https://doi.org/10.1016/S0065-2458(08)60520-3",
    example=Auto(),
)
