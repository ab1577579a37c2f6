"""Events of mechanisms, and of cards whose law is no sum of stages, against their exact laws.

The laws are in `laws_of_noise`, `laws_of_choices`, `laws_of_thresholds` and `laws_of_trees`. What is checked and how is
said in `test_events_against_laws`; together both files cover every private card.

Covers accounting/events.
"""

import pytest
from tests.accounting import test_events_against_laws
from tests.accounting.claims import LONG, SHORT, check, refuted
from tests.accounting.exact_laws import laplace_pair
from tests.accounting.laws_of_choices import chosen_in_order, chosen_once
from tests.accounting.laws_of_noise import (
    clamped_laplace,
    gaussians,
    laplace_of_bounded_size,
    laplace_within_limits,
    plain_laplace,
    rounding_at_random,
)
from tests.accounting.laws_of_thresholds import clipped, proposed, smooth, thresholds
from tests.accounting.laws_of_trees import best_of_runs, selected, trees

from tacit.accounting.events import Pure
from tacit.cards.private import PrivateMethod
from tacit.catalogue import methods

LAWS = [
    plain_laplace,
    clamped_laplace,
    laplace_within_limits,
    laplace_of_bounded_size,
    gaussians,
    rounding_at_random,
    chosen_once,
    chosen_in_order,
    proposed,
    smooth,
    thresholds,
    clipped,
    selected,
    trees,
    best_of_runs,
]
WEAKER = {proposed: 3.0, smooth: 8.0, trees: 4.0, best_of_runs: 4.0, clipped: 4.0}
"""By how much noise is made less for cards that spend less than they claim; else it is halved."""


def hardest(law, number):
    """Of each card and event so many pairs of neighbours that are told apart best, with the event."""
    alike = {}
    for name, pairs, event in law(1.0):
        alike.setdefault((name, event), []).append(pairs)
    for (_, event), found in alike.items():
        found.sort(key=lambda pairs: sum(one.there.delta(0.0) for one in pairs))
        yield from ((pairs, event) for pairs in found[-number:])


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_events_cover_the_law(law):
    for _, pairs, event in law(1.0):
        check(pairs, event, ((1, 0.0), (1, 1e-3)))
    for pairs, event in hardest(law, 2):
        check(pairs, event, SHORT)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_events_cover_the_law_of_many_copies(law):
    for pairs, event in hardest(law, 10):
        check(pairs, event, LONG)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_less_noise_is_refuted(law):
    """For each card at least one pair of neighbours shows it."""
    shown = {}
    for name, pairs, event in law(WEAKER.get(law, 2.0)):
        shown[name] = shown.get(name, False) or refuted(pairs, event, ((1, 0.0), (1, 1e-3), (1, 0.02), (2, 1e-6)))
    assert shown
    assert all(shown.values()), shown


@pytest.mark.slow
def test_a_claim_that_is_a_hair_too_small_is_refuted():
    assert refuted([laplace_pair(1.0, 1)], Pure(0.99))
    assert not refuted([laplace_pair(1.0, 1)], Pure(1.0))


@pytest.mark.slow
def test_every_private_card_has_its_law():
    private = {name for name, card in methods().items() if isinstance(card, PrivateMethod)}
    own = {name for law in LAWS for name, _, _ in law(1.0)}
    assert own | set(test_events_against_laws.STAGED) == private
