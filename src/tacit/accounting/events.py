"""Privacy events: what a mechanism spends, as frozen data that accountants interpret.

An event says which noise was used, never what was answered, so it may be logged and published. Scales and sensitivities
are in one unit of the mechanism's choice (grid steps, where the answer is released on a grid); only their quotient
matters. Laplace noise is measured against the L1 sensitivity and Gaussian noise against the L2 sensitivity of the whole
vector of answers, whatever its length.

Leaves are stated for one *step* of the neighbouring relation (one person more, less or other). Combinators say how
leaves combine: `Composed` and `Repeated` on the same people, `Parallel` on disjoint people, `Group` for several people
at once, `PoissonSampled` and `FixedSampled` on a secret random sample, `BestOf` a secret random number of runs.
`Scoped` says between which datasets an event holds; events with different scopes do not add up (`scope`). `to_json` and
`from_json` keep every number exactly.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal

from tacit.accounting.exact import RealNumber, not_negative, positive, probability, whole
from tacit.accounting.runs import Runs
from tacit.accounting.scope import Neighbours, Scope
from tacit.errors import BadParameter
from tacit.spelling import many


def _kind(name: str) -> Any:
    return field(default=name, kw_only=True, repr=False)


@dataclass(frozen=True)
class Laplace:
    """Laplace noise of this scale on answers of this L1 sensitivity."""

    scale: RealNumber
    sensitivity: RealNumber = 1
    kind: Literal["laplace"] = _kind("laplace")

    def __post_init__(self) -> None:
        positive("scale", self.scale)
        positive("sensitivity", self.sensitivity)


@dataclass(frozen=True)
class DiscreteLaplace:
    """Two-sided geometric noise, Pr[x] proportional to exp(-|x|/scale), on whole answers (L1 sensitivity, whole)."""

    scale: RealNumber
    sensitivity: int = 1
    kind: Literal["discrete-laplace"] = _kind("discrete-laplace")

    def __post_init__(self) -> None:
        positive("scale", self.scale)
        whole("sensitivity", self.sensitivity)


@dataclass(frozen=True)
class Gaussian:
    """Gaussian noise of standard deviation sigma on answers of this L2 sensitivity."""

    sigma: RealNumber
    sensitivity: RealNumber = 1
    kind: Literal["gaussian"] = _kind("gaussian")

    def __post_init__(self) -> None:
        positive("sigma", self.sigma)
        positive("sensitivity", self.sensitivity)


@dataclass(frozen=True)
class DiscreteGaussian:
    """Discrete Gaussian noise of parameter sigma on whole answers of this L2 sensitivity.

    `coordinates` is how many numbers one answer has. For one number the loss is accounted numerically too; for more,
    where sigma is at least 10,000, as the continuous noise that it nearly is, and else by concentrated privacy only,
    since an L2 sensitivity does not say how a change spreads.
    """

    sigma: RealNumber
    sensitivity: RealNumber = 1
    coordinates: int = 1
    kind: Literal["discrete-gaussian"] = _kind("discrete-gaussian")

    def __post_init__(self) -> None:
        positive("sigma", self.sigma)
        whole("coordinates", self.coordinates)
        if positive("sensitivity", self.sensitivity).denominator != 1 and self.coordinates == 1:
            raise BadParameter(f"sensitivity is {self.sensitivity}; one whole answer changes by a whole number")


@dataclass(frozen=True)
class Exponential:
    """The exponential mechanism (or Gumbel noisy max) that is epsilon-private; its loss also has range epsilon."""

    epsilon: RealNumber
    kind: Literal["exponential"] = _kind("exponential")

    def __post_init__(self) -> None:
        positive("epsilon", self.epsilon)


@dataclass(frozen=True)
class Pure:
    """Any epsilon-private mechanism about which nothing more is known."""

    epsilon: RealNumber
    kind: Literal["pure"] = _kind("pure")

    def __post_init__(self) -> None:
        positive("epsilon", self.epsilon)


@dataclass(frozen=True)
class Approximate:
    """Any (epsilon, delta)-private mechanism about which nothing more is known."""

    epsilon: RealNumber
    delta: RealNumber
    kind: Literal["approximate"] = _kind("approximate")

    def __post_init__(self) -> None:
        not_negative("epsilon", self.epsilon)
        probability("delta", self.delta)


@dataclass(frozen=True)
class Concentrated:
    """Any rho-zCDP mechanism about which nothing more is known."""

    rho: RealNumber
    kind: Literal["concentrated"] = _kind("concentrated")

    def __post_init__(self) -> None:
        positive("rho", self.rho)


@dataclass(frozen=True)
class Composed:
    """All of these on the same people; an empty list costs nothing (post-processing)."""

    events: "tuple[Event, ...]" = ()
    kind: Literal["composed"] = _kind("composed")

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", _all_events(self.events))


@dataclass(frozen=True)
class Repeated:
    """The same event `times` over."""

    event: "Event"
    times: int
    kind: Literal["repeated"] = _kind("repeated")

    def __post_init__(self) -> None:
        an_event(self.event)
        whole("times", self.times, least=0)


@dataclass(frozen=True)
class Parallel:
    """Each event on its own block of people, blocks disjoint, everyone's block fixed by their own record.

    Where a person has several rows all of them must lie in one block: cut by a column of the person, not of a row; or
    state the blocks for single rows, and the whole as a `Group` of them (`spread`). The blocks' events are stated for
    `add-remove`. Where the whole is judged by `replace`, the replaced record may leave one block and enter another, so
    two blocks are spent, or one of them twice.
    """

    events: "tuple[Event, ...]"
    neighbours: Neighbours = "add-remove"
    kind: Literal["parallel"] = _kind("parallel")

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", _all_events(self.events))
        if self.neighbours not in ("add-remove", "replace"):
            raise BadParameter(f"neighbours is {self.neighbours!r}; it must be 'add-remove' or 'replace'")


@dataclass(frozen=True)
class Group:
    """The event for `size` people at once (a family, correlated rows; W35)."""

    event: "Event"
    size: int
    kind: Literal["group"] = _kind("group")

    def __post_init__(self) -> None:
        an_event(self.event)
        whole("size", self.size)


@dataclass(frozen=True)
class PoissonSampled:
    """The event on a secret sample that holds everyone independently with this probability (`add-remove` only)."""

    event: "Event"
    probability: RealNumber
    kind: Literal["poisson-sampled"] = _kind("poisson-sampled")

    def __post_init__(self) -> None:
        an_event(self.event)
        if not 0 < positive("probability", self.probability) <= 1:
            raise BadParameter(f"probability is {self.probability}; it must be above 0 and at most 1")


@dataclass(frozen=True)
class FixedSampled:
    """The event on a secret sample of `sample` out of `population` people, without replacement (`replace` only)."""

    event: "Event"
    sample: int
    population: int
    kind: Literal["fixed-sampled"] = _kind("fixed-sampled")

    def __post_init__(self) -> None:
        an_event(self.event)
        whole("sample", self.sample)
        if whole("population", self.population) < self.sample:
            raise BadParameter(f"sample is {self.sample}; it can't exceed the population of {self.population}")

    @property
    def probability(self) -> Fraction:
        """The chance of one person to be in the sample."""
        return Fraction(self.sample, self.population)


@dataclass(frozen=True)
class BestOf:
    """The best result of a secret random number of runs of the event; the number itself is not published."""

    event: "Event"
    runs: Runs
    kind: Literal["best-of"] = _kind("best-of")

    def __post_init__(self) -> None:
        an_event(self.event)
        if not isinstance(self.runs, Runs):
            raise BadParameter(
                f"runs is of type {type(self.runs).__name__}; it must be a NegativeBinomial or a Poisson"
            )


@dataclass(frozen=True)
class Scoped:
    """The event, stated for one person added or removed, or replaced, with at most `contributions` rows that count.

    `contributions` is None if the event holds for a person with any number of rows; `unit` is the column that names a
    person, if it is known.
    """

    event: "Event"
    neighbours: Neighbours = "add-remove"
    contributions: int | None = 1
    unit: str | None = None
    kind: Literal["scoped"] = _kind("scoped")

    def __post_init__(self) -> None:
        an_event(self.event)
        Scope(self.neighbours, self.contributions, self.unit)

    @property
    def scope(self) -> Scope:
        """Between which datasets outputs are alike."""
        return Scope(self.neighbours, self.contributions, self.unit)


Leaf = Laplace | DiscreteLaplace | Gaussian | DiscreteGaussian | Exponential | Pure | Approximate | Concentrated
Sampled = PoissonSampled | FixedSampled
Event = Leaf | Sampled | Composed | Repeated | Parallel | Group | BestOf | Scoped


def an_event(found: object) -> Event:
    """`found`, refused unless it is one privacy event: what is no event would be counted as free."""
    if isinstance(found, Event):
        return found
    if isinstance(found, type):
        raise BadParameter(f"{found.__name__} is a class, not a privacy event; give one with its numbers, like Pure(1)")
    name = type(found).__name__
    if isinstance(getattr(found, "event", None), Event):
        raise BadParameter(f"{name} is an answer, not a privacy event; what it spent is in its .event")
    if isinstance(found, list | tuple):
        raise BadParameter(f"{name} is not one privacy event; put several events into Composed")
    raise BadParameter(f"{name} is not a privacy event; give an event like Laplace(2), or the .event of an answer")


def _all_events(found: object) -> tuple[Event, ...]:
    if not isinstance(found, list | tuple):
        raise BadParameter(f"events is of type {type(found).__name__}; it must be a tuple of privacy events")
    return tuple(an_event(event) for event in found)


NOTHING = Composed()


def composed(events: "Event | Iterable[Event]") -> Event:
    """One event for one or many; refused unless all are events."""
    if isinstance(events, Event | str | bytes | Mapping) or not isinstance(events, Iterable):
        return an_event(events)
    if isinstance(events, Set):
        raise BadParameter(
            "the events are a set, in which equal ones would be counted once; answers of one kind have equal events, "
            "so give a list"
        )
    return Composed(tuple(events))


def as_replace(event: Event) -> Event:
    """What an event stated for `add-remove` spends under `replace`: one record goes, one comes (W26: 2 epsilon)."""
    if not isinstance(event, Scoped):
        return Group(event, 2)
    if event.neighbours == "replace":
        raise BadParameter("the event is stated for 'replace' already")
    return Scoped(Group(event.event, 2), "replace", event.contributions, event.unit)


def in_scope(event: Event, scope: Scope) -> Event:
    """The event as one that is stated for this scope; one that is already is given back as it is."""
    if isinstance(event, Scoped) and event.scope == scope:
        return event
    return Scoped(an_event(event), scope.neighbours, scope.contributions, scope.unit)


@cache
def _adapter() -> Any:
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def to_json(event: Event) -> str:
    """The event as JSON; fractions as text, so that nothing is rounded."""
    return str(_adapter().dump_json(an_event(event)).decode())


def from_json(text: str) -> Event:
    """The event that `to_json` wrote; a field that no event has, or a truth value for a number, is refused."""
    import json

    from pydantic import ValidationError

    try:
        event: Event = _adapter().validate_json(text)
    except ValidationError as error:
        raise BadParameter(
            f"this is not a privacy event: {many(error.error_count(), 'field is', 'fields are')} wrong or missing"
        ) from None
    _require_known(json.loads(text), json.loads(to_json(event)))
    return event


def _require_known(given: Any, written: Any) -> None:
    """Refuses what `to_json` would not have written."""
    if isinstance(given, bool):
        raise BadParameter("this is not a privacy event: it holds a truth value where a number must be")
    if isinstance(given, dict):
        unknown = sorted(set(given) - set(written))
        if unknown:
            raise BadParameter(f"this is not a privacy event: it has an unknown field, {unknown[0]!r}")
        for name, part in given.items():
            _require_known(part, written[name])
    if isinstance(given, list):
        for part, known in zip(given, written, strict=True):
            _require_known(part, known)
