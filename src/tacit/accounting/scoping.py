"""The scope of an event with all its parts, and the event without it: what accountants add up once scopes agree."""

from dataclasses import replace
from functools import reduce

from tacit.accounting.events import (
    BestOf,
    Composed,
    Event,
    FixedSampled,
    Group,
    Parallel,
    PoissonSampled,
    Repeated,
    Scoped,
    an_event,
)
from tacit.accounting.scope import Scope, together
from tacit.errors import BadParameter


def scope_of(event: Event) -> Scope | None:
    """The scope that all parts of the event agree on; None where no part states one."""
    match event:
        case Scoped(inner):
            return together(event.scope, scope_of(inner))
        case Composed(events):
            return reduce(together, map(scope_of, events), None)
        case Parallel(events):
            return _of_blocks(reduce(together, map(scope_of, events), None), event)
        case Group(inner, size):
            return _of_group(scope_of(inner), size)
        case PoissonSampled(inner):
            return _sampled(scope_of(inner), "add-remove")
        case FixedSampled(inner):
            return _sampled(scope_of(inner), "replace")
        case Repeated(inner) | BestOf(inner):
            return scope_of(inner)
    return None


def unscoped(event: Event) -> Event:
    """The event without its scopes; nothing is checked about them here."""
    match an_event(event):
        case Scoped(inner):
            return unscoped(inner)
        case Composed(events) | Parallel(events) as whole:
            return replace(whole, events=tuple(map(unscoped, events)))
        case (Group() | Repeated() | BestOf() | PoissonSampled() | FixedSampled()) as whole:
            return replace(whole, event=unscoped(whole.event))
        case leaf:
            return leaf


def _of_blocks(scope: Scope | None, event: Parallel) -> Scope | None:
    """Blocks are stated for `add-remove`; the whole may be judged by `replace`."""
    if scope is None:
        return None
    if scope.neighbours == "replace":
        raise BadParameter(
            "the events of disjoint blocks are stated for 'replace', under which nobody changes blocks; ask each block "
            "with 'add-remove'"
        )
    return replace(scope, neighbours=event.neighbours)


def _of_group(scope: Scope | None, size: int) -> Scope | None:
    """So many people with c rows each are like one with so many times c rows."""
    if scope is None or scope.contributions is None:
        return scope
    return replace(scope, contributions=scope.contributions * size)


def _sampled(scope: Scope | None, neighbours: str) -> Scope | None:
    if scope is not None and scope.neighbours != neighbours:
        raise BadParameter(
            f"the event is stated for {scope.neighbours!r}, but this way of sampling is accounted for {neighbours!r}"
        )
    return scope
