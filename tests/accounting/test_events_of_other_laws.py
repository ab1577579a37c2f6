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
NOTICED = 1.3
WEAKER = {proposed: 2.5, smooth: 2.5, trees: 2.0, clipped: 3.0, thresholds: 1.5}
"""By how much noise is made less for cards that spend less than they claim on these neighbours; else by NOTICED.

Propose-test-release and smooth sensitivity pay for the worst data and for its neighbours, and trees for every depth;
the noise of a threshold and of the answers that are held against it can't all be spent by one output."""


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
    """For each card and relation at least one pair of neighbours shows it."""
    shown = {}
    for name, pairs, event in law(WEAKER.get(law, NOTICED)):
        known = name, getattr(event, "neighbours", "")
        shown[known] = shown.get(known, False) or refuted(pairs, event, ((1, 0.0), (1, 1e-3), (1, 0.02), (2, 1e-6)))
    assert shown
    assert all(shown.values()), shown


@pytest.mark.slow
def test_a_claim_that_is_a_hair_too_small_is_refuted():
    assert refuted([laplace_pair(1.0, 1)], Pure(0.99))
    assert not refuted([laplace_pair(1.0, 1)], Pure(1.0))


@pytest.mark.slow
def test_every_card_with_neighbours_of_its_own_has_its_law_under_both_relations():
    """Mechanisms leave the relation to whoever calls them."""
    found = {}
    for law in LAWS:
        for name, _, event in law(1.0):
            found.setdefault(name, set()).add(getattr(event, "neighbours", ""))
    own = {name: ways for name, ways in found.items() if not name.startswith("mechanisms/")}
    assert own
    assert all(ways == {"add-remove", "replace"} for ways in own.values()), own


@pytest.mark.slow
def test_a_delta_does_not_make_every_law_too_much():
    """What one side alone can give has an infinite divergence, which the delta of an event allows for."""
    for law in (laplace_of_bounded_size, selected):
        assert not any(refuted(pairs, event, SHORT) for _, pairs, event in law(1.0))


@pytest.mark.slow
def test_every_private_card_has_its_law():
    private = {name for name, card in methods().items() if isinstance(card, PrivateMethod)}
    own = {name for law in LAWS for name, _, _ in law(1.0)}
    assert own | set(test_events_against_laws.STAGED) == private
