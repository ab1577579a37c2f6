"""What answers promise together: the accounted loss of their events, from which guarantees are proven."""

from collections.abc import Iterable

from tacit.accounted_loss import AccountedLoss
from tacit.accounting.account import account
from tacit.accounting.events import Event, composed
from tacit.accounting.exact import RealNumber
from tacit.accounting.scope import Neighbours
from tacit.accounting.scoping import scope_of
from tacit.errors import BadParameter


def promised(
    events: Event | Iterable[Event], delta: RealNumber = 0, neighbours: Neighbours | None = None
) -> AccountedLoss:
    """The tightest promise that the events keep at `delta`, for the neighbours that they are stated for.

    Bare mechanisms do not know their neighbours; for them `neighbours` must be named.
    """
    whole = composed(events)
    spent, scope = account(whole, delta), scope_of(whole)
    stated = neighbours if scope is None else scope.neighbours
    if stated is None or neighbours not in (None, stated):
        raise BadParameter(
            f"neighbours is {neighbours!r}, and the events are stated for {stated!r}; name the neighbours that the "
            "events were made for"
        )
    return AccountedLoss(epsilon=spent.epsilon, delta=spent.delta, neighbours=stated)
