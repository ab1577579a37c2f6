"""Cases: the normal form of an event, one for each way in which a change between neighbours can reach it.

For a fixed pair of neighbours every leaf either sees the change or does not. Composition on the same people touches all
leaves; in a parallel composition the change falls into one block, and which block gives the worst total depends on what
else is composed. So an event becomes a list of cases, each a plain multiset of atoms, and its loss is the worst over
the cases. An atom is a leaf of sensitivity 1, or a multiset of leaves on one secret sample.

Group privacy is pushed to the leaves. A sensitivity s becomes k s; a pure epsilon and the range of an exponential
mechanism become k epsilon; rho becomes k² rho (Bun and Steinke 2016); delta becomes delta (e^(k epsilon) −
1)/(e^epsilon − 1) (Vadhan 2017). For a sample that holds everyone with probability q, the k people are one
super-person of probability 1 − (1 − q)^k: unless none of them is drawn, the samples are at distance at most k.
"""

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Literal

from tacit.accounting.atoms import SAFE, AmplifiedLeaves, Atom, BestOfRuns, EventCase
from tacit.accounting.case_price import price_of_case
from tacit.accounting.events import (
    Approximate,
    BestOf,
    Composed,
    Concentrated,
    DiscreteGaussian,
    DiscreteLaplace,
    Event,
    Exponential,
    FixedSampled,
    Gaussian,
    Group,
    Laplace,
    Leaf,
    Parallel,
    PoissonSampled,
    Pure,
    Repeated,
    Sampled,
    Scoped,
    an_event,
)
from tacit.accounting.exact import exact
from tacit.accounting.scoping import scope_of, unscoped
from tacit.errors import BadParameter, CannotGuarantee

MOST_CASES = 256
EMPTY: EventCase = ()


def cases(event: Event) -> tuple[EventCase, ...]:
    """The cases of `event`, none twice, at least one; refused where its parts are about unlike people (`scope`)."""
    scope_of(an_event(event))
    found = tuple(dict.fromkeys(_reduce(unscoped(event), 1)))
    schemes = {scheme for case in found for scheme in _schemes(case)}
    if len(schemes) > 1:
        raise BadParameter(
            "the events mix Poisson sampling, which is accounted for add-remove neighbours, with sampling without "
            "replacement, which is accounted for replace neighbours; use one of them"
        )
    return found


def _schemes(case: EventCase) -> set[str]:
    """How people were sampled, in chosen runs too."""
    plain = {atom.scheme for atom, _ in case if isinstance(atom, AmplifiedLeaves)}
    return plain.union(*(_schemes(atom.inner) for atom, _ in case if isinstance(atom, BestOfRuns)))


def _reduce(event: Event, size: int) -> list[EventCase]:
    if isinstance(event, Scoped):
        return _reduce(event.event, size)
    if isinstance(event, Group):
        return _reduce(event.event, size * event.size)
    if isinstance(event, Repeated):
        return _repeated(event, size)
    if isinstance(event, Composed):
        return _together([_reduce(part, size) for part in event.events])
    if isinstance(event, Parallel):
        return _parallel(event, size if event.neighbours == "add-remove" else 2 * size)
    if isinstance(event, PoissonSampled | FixedSampled):
        return [_sampled(event, case, size) for case in _reduce(event.event, size)]
    if isinstance(event, BestOf):
        return [((BestOfRuns(case, event.runs), 1),) if case else EMPTY for case in _reduce(event.event, size)]
    leaf = scaled(event, size)
    return [EMPTY if leaf is None else ((leaf, 1),)]


def _repeated(event: Repeated, size: int) -> list[EventCase]:
    """Every repetition may meet another case; where there are several, some mix of them may be the worst."""
    options = _reduce(event.event, size)
    if len(options) == 1 or event.times == 0:
        return [_times(options[0], event.times)] if event.times else [EMPTY]
    if math.comb(len(options) + event.times - 1, event.times) > MOST_CASES:
        return [_times(_coarse(options), event.times)]
    return [joined(mix) for mix in combinations_with_replacement(options, event.times)]


def scaled(leaf: Leaf, size: int) -> Leaf | None:
    """The leaf as a group of `size` people sees it, of sensitivity 1 if its noise is continuous; None if it is free."""
    match leaf:
        case Laplace(scale, sensitivity):
            return Laplace(exact(scale) / (exact(sensitivity) * size))
        case Gaussian(sigma, sensitivity):
            return Gaussian(exact(sigma) / (exact(sensitivity) * size))
        case DiscreteLaplace(scale, sensitivity):
            return DiscreteLaplace(exact(scale), sensitivity * size)
        case DiscreteGaussian(sigma, sensitivity, coordinates):
            return DiscreteGaussian(exact(sigma), exact(sensitivity) * size, min(coordinates, 2))
        case Exponential(epsilon):
            return Exponential(exact(epsilon) * size)
        case Pure(epsilon):
            return Pure(exact(epsilon) * size)
        case Concentrated(rho):
            return Concentrated(exact(rho) * size * size)
        case Approximate(epsilon, delta):
            return _approximate(exact(epsilon), exact(delta), size)
        case _:
            # Nothing may pass as free that no branch knows.
            raise BadParameter(f"{type(an_event(leaf)).__name__} is not an event on its own; reduce it to its leaves")


def _approximate(epsilon: Fraction, delta: Fraction, size: int) -> Leaf | None:
    if epsilon == 0 and delta == 0:
        return None
    if delta == 0:
        return Pure(epsilon * size)
    growth = sum(_power_of_e(epsilon * step) for step in range(size)) if size > 1 else Fraction(1)
    if delta * growth >= 1:
        raise CannotGuarantee(f"for a group of {size} the delta of an approximate event reaches 1: nothing is promised")
    return Approximate(epsilon * size, delta * growth)


def _power_of_e(exponent: Fraction) -> Fraction:
    if exponent > 700:
        raise CannotGuarantee(
            f"the delta of a group grows by e to the power of {float(exponent):.0f} and would reach 1; take a smaller "
            "group or a smaller epsilon"
        )
    return Fraction(math.exp(exponent)) * SAFE if exponent else Fraction(1)


def _times(case: EventCase, times: int) -> EventCase:
    return tuple((atom, count * times) for atom, count in case)


def joined(parts: Iterable[EventCase]) -> EventCase:
    """One case for several on the same people."""
    total: Counter[Atom] = Counter()
    for part in parts:
        for atom, count in part:
            total[atom] += count
    return tuple(sorted(total.items(), key=repr))


def _together(parts: list[list[EventCase]]) -> list[EventCase]:
    """The cases of a composition: any case of one part may meet any case of another."""
    fixed = joined(options[0] for options in parts if len(options) == 1)
    open_ = [options for options in parts if len(options) > 1]
    if math.prod(len(options) for options in open_) > MOST_CASES:
        return [joined([fixed, *(_coarse(options) for options in open_)])]
    return [joined([fixed, *choice]) for choice in product(*open_)]


def _sampled(event: Sampled, case: EventCase, size: int) -> EventCase:
    """The case on a secret sample; a sample of a sample multiplies the probabilities."""
    scheme: Literal["poisson", "fixed"] = "poisson" if isinstance(event, PoissonSampled) else "fixed"
    probability = _group_probability(event, size)
    nested = [(atom, count) for atom, count in case if isinstance(atom, AmplifiedLeaves)]
    if not nested:
        return ((AmplifiedLeaves(case, probability, scheme), 1),) if case and probability < 1 else case
    atom, count = nested[0]
    if len(case) > 1 or count > 1 or scheme == "fixed" or atom.scheme == "fixed" or size > 1:
        raise BadParameter("a sample is drawn inside another sample in a way that no bound is known for; sample once")
    return ((AmplifiedLeaves(atom.inner, atom.probability * probability, scheme), 1),)


def _group_probability(event: Sampled, size: int) -> Fraction:
    """The chance that at least one of `size` people is in the sample."""
    if size == 1:
        return exact(event.probability)
    if isinstance(event, PoissonSampled):
        return 1 - (1 - exact(event.probability)) ** size
    if size > event.population - event.sample:
        return Fraction(1)
    outside = math.prod(
        (Fraction(event.population - event.sample - i, event.population - i) for i in range(size)), start=Fraction(1)
    )
    return 1 - outside


def _parallel(event: Parallel, steps: int) -> list[EventCase]:
    """All ways in which `steps` additions and removals can fall into the blocks that no other dominates."""
    blocks = _worst_blocks(event.events, steps)
    if not blocks:
        return [EMPTY]
    if math.comb(len(blocks) + steps - 1, steps) > MOST_CASES:
        return [_coarse([case for block in blocks for case in _reduce(block, steps)])]
    found: list[EventCase] = []
    for fall in combinations_with_replacement(range(len(blocks)), steps):
        hits = Counter(fall)
        found += _together([_reduce(blocks[block], size) for block, size in hits.items()])
    return list(dict.fromkeys(found))


def _worst_blocks(events: tuple[Event, ...], steps: int) -> list[Event]:
    """The blocks that no other dominates.

    Among blocks with noise of one family the least noisy dominates, even if a group is spread over several. Of like
    blocks whose noise `gathers` one is enough."""
    worst: dict[object, tuple[Fraction, Event]] = {}
    others: Counter[Event] = Counter()
    for event in events:
        strength = _strength(event)
        if strength is None:
            others[event] += 1
        elif strength[0] not in worst or strength[1] > worst[strength[0]][0]:
            worst[strength[0]] = (strength[1], event)
    spread = [event for event, count in others.items() for _ in range(1 if gathers(event) else min(count, steps))]
    return [event for _, event in worst.values()] + spread


def gathers(event: Event) -> bool:
    """Whether steps that are spread over like blocks lose no more than if all of them fell into one.

    Ranges, pure epsilons and shifts of Laplace noise add up, and rho grows with the square of a shift. What holds for
    all parts of a composition holds for the composition.
    """
    match event:
        case Laplace() | DiscreteLaplace() | Gaussian() | Exponential() | Pure() | Concentrated():
            return True
        case Composed(events):
            return all(map(gathers, events))
        case Repeated(inner) | Group(inner) | Scoped(inner):
            return gathers(inner)
    return False


def _strength(event: Event) -> tuple[object, Fraction] | None:
    """The family of a leaf and a number that grows with its loss; None where leaves can't be ordered."""
    match event:
        case Laplace(scale, sensitivity):
            return Laplace, exact(sensitivity) / exact(scale)
        case Gaussian(sigma, sensitivity):
            return Gaussian, exact(sensitivity) / exact(sigma)
        case DiscreteLaplace(scale, sensitivity):
            return (DiscreteLaplace, sensitivity), 1 / exact(scale)
        case Exponential(epsilon) | Pure(epsilon):
            return type(event), exact(epsilon)
        case Concentrated(rho):
            return Concentrated, exact(rho)
    return None


def _coarse(options: list[EventCase]) -> EventCase:
    """One case that dominates all: the largest epsilon and delta, or the largest rho, where all options have one."""
    prices = [price_of_case(case) for case in options]
    epsilons = [price.epsilon for price in prices if price.epsilon is not None]
    delta = max(price.delta for price in prices)
    if len(epsilons) == len(prices):
        epsilon = max(epsilons)
        return ((Approximate(epsilon, delta) if delta else Pure(epsilon), 1),)
    if delta:
        raise BadParameter(
            f"more than {MOST_CASES} ways to combine parallel blocks of unlike noise; use one kind of noise"
        )
    return ((Concentrated(max(price.rho for price in prices)), 1),)
