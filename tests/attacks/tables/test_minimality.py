"""Minimality: the example of Wong et al. (2007), every world counted.

Covers cards/full_domain_release, attacks/tables/minimality.
"""

from itertools import permutations
from math import log, sqrt

import pytest
from tests.oracle.counted import tally_of
from tests.oracle.judge import Scene

from tacit.attacks.tables._beliefs import OnColumn
from tacit.attacks.tables.inference import infer
from tacit.attacks.tables.minimality import Minimality, use_minimality
from tacit.cards.full_domain_release import FullDomainRelease
from tacit.data.tables.adversary_view import view_of
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import stands_for
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import TableGuarantee
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity

SECRETS = ["hiv", "a", "b", "c", "d", "e"]
ROWS = [{"q": "q1", "s": "hiv"}] * 2 + [{"q": "q2", "s": value} for value in SECRETS[1:]]
DIVERSE = LDiversity(l=2, kind="probabilistic")


def generalised(guarantees: tuple[TableGuarantee, ...], gone: int = 0) -> FullDomainRelease:
    """Two people q1, both positive, and five q2, published as one class."""
    released = [{**row, "q": "*"} for row in ROWS[: len(ROWS) - gone]]
    domains = {"s": SECRETS}
    known = tally_of(Scene(ROWS, ("q",), ROWS, domains=domains), ("q",), {"s": False})
    shown = tally_of(Scene(released, ("q",), ROWS, domains=domains), ("q",), {"s": False})
    hierarchy = Hierarchy.from_paths("q", [["q1", "*"], ["q2", "*"]])
    view = view_of(known, shown, [stands_for(hierarchy, known.values[0], shown.values[0])])
    return FullDomainRelease(view, (hierarchy,), (1,), guarantees)


def share_of_worlds() -> float:
    """The share of all ways to deal the secrets out in which q1 or q2 breaks the promise."""

    def breaks(secrets: tuple[str, ...]) -> bool:
        return any(2 * part.count(value) > len(part) for part in (secrets[:2], secrets[2:]) for value in SECRETS)

    dealt = list(permutations([row["s"] for row in ROWS]))
    return sum(map(breaks, dealt)) / len(dealt)


@pytest.mark.slow
def test_only_both_positive_in_q1_forces_the_generalisation() -> None:
    assert share_of_worlds() == pytest.approx(1 / 21)
    made, worlds = generalised((KAnonymity(k=2), DIVERSE)), 4000
    found = use_minimality(made, Minimality(worlds=worlds))
    # Bernstein's inequality at an error rate of 1e-9.
    spread, logarithm = worlds * (1 / 21) * (20 / 21), log(2e9)
    tolerance = sqrt(2 * spread * logarithm) + 2 * logarithm / 3
    assert abs(found.details["worlds_kept"] - worlds / 21) < tolerance
    assert abs(found.details["worlds_kept"] - worlds / 10) > tolerance
    # q1 is known to be positive, q2 not to be: of its five values one is guessed, right for one of five people.
    assert (found.hits, found.targets, found.details["clues"]) == (3, 7, 1)
    assert found.baseline == pytest.approx(infer(made.view, OnColumn()).rate) == pytest.approx(2 / 7)


def test_sizes_that_explain_the_generalisation_tell_nothing() -> None:
    found = use_minimality(generalised((KAnonymity(k=3), DIVERSE)), Minimality(worlds=10))
    assert (found.details["clues"], found.rate) == (0, found.baseline)


def test_suppressed_rows_and_other_secrets_are_refused() -> None:
    with pytest.raises(BadParameter, match="no row is suppressed"):
        use_minimality(generalised((DIVERSE,), gone=1), Minimality(worlds=10))
    with pytest.raises(BadParameter, match="one secret only"):
        use_minimality(generalised((LDiversity(l=2, column="other"),)), Minimality(worlds=10))
