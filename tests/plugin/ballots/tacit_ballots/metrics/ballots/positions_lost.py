"""Positions lost: the share of all choices on the ballots that the release does not tell.

1 minus the number of published choices divided by the number of choices that voters made; a ballot that is left out
loses all of its choices.
"""

from tacit.cards.metric import MetricValue, Views
from tacit.params import Params
from tacit_ballots.ballots import Ballots
from tacit_ballots.cards import BallotsMetric


class PositionsLost(Params):
    """There is nothing to set."""


def measure_positions(views: Views, params: PositionsLost) -> MetricValue:
    """The share of positions lost; of no ballots at all, 0."""
    before: Ballots = views.before
    after: Ballots = views.after
    left_out = 1 - after.voters / before.voters if before.voters else 0.0
    lost = 1 - after.positions / before.positions if before.positions else 0.0
    return MetricValue(lost, details={"ballots left out": left_out})


METRIC = BallotsMetric(
    title="Positions lost",
    params=PositionsLost,
    run=measure_positions,
    needs="the ballots before and after",
    gives="the share of choices that are not published, from 0 to 1",
    paper="https://doi.org/10.1145/775047.775089",
    example=PositionsLost(),
)
