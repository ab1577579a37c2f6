"""What every attack on tables keeps: it runs its example, survives JSON, refuses the unknown, repeats itself; and its
bounds hold on generated releases.

Covers attacks/*, attacks/tables/_bounds.
"""

from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from tests.attacks.attack_worlds import PATHS, QUASI, World, full_domain, local
from tests.oracle.counted import whole

from tacit.attacks._success import interval, success
from tacit.cards.attack import TableAttack
from tacit.cards.full_domain_release import FullDomainRelease
from tacit.catalogue import attacks_of
from tacit.data.tables.classes import classes_of
from tacit.data.tables.exact_cells import exact_cells
from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.known_cells import KnownCells
from tacit.data.tables.labels import stands_for
from tacit.data.tables.masked_numbers import MaskedNumbers
from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity
from tacit.guarantees.beta_likeness import BetaLikeness
from tacit.guarantees.delta_disclosure import DeltaDisclosure
from tacit.guarantees.guarantee import TableGuarantee, check
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.t_closeness import TCloseness
from tacit.testing import check_attack

CARDS = attacks_of("tables", TableAttack)
KNOWN = {
    *("linkage", "probabilistic-linkage", "homogeneity", "background-knowledge", "skewness", "similarity", "inference"),
    *("minimality", "intersection", "special-uniques", "population-uniques", "singling-out", "distance-linkage"),
    *("interval-disclosure", "known-values"),
}


def given_to(card: TableAttack[Any]) -> Any:
    """Something that the attack can be run on."""
    world = full_domain(Random(4))
    if card.sees == "numbers":
        random = np.random.default_rng(0)
        return MaskedNumbers(random.normal(size=(30, 2)), random.normal(size=(30, 2)))
    if card.sees == "cells":
        texts = {name: [row[name] for row in world.rows] for name in (*QUASI, "secret")}
        return KnownCells(exact_cells(pa.table(texts), ("secret", "age"), ("zip", "sex")), len(world.rows))
    if card.sees == "releases":
        raw = world.raw()
        return [world.view_with(raw), raw]
    if card.sees == "recipe":
        top = World(world.rows, [{**row, **dict.fromkeys(QUASI, "*")} for row in world.rows])
        hierarchies = tuple(Hierarchy.from_paths(c, list(PATHS[c].values())) for c in QUASI)
        return FullDomainRelease(top.view(), hierarchies, (2, 1, 2), (LDiversity(l=2),))
    return world.view()


def test_the_known_attacks_are_there() -> None:
    assert {name.removeprefix("tables/") for name in CARDS} >= KNOWN


@pytest.mark.parametrize("name", CARDS)
def test_every_attack_runs_its_example_twice_alike(name: str) -> None:
    assert check_attack(name, lambda: given_to(CARDS[name])).targets > 0


def promises(world: World) -> list[TableGuarantee]:
    """Every guarantee that the release just keeps."""
    classes = classes_of(world.view().shown)
    least = int(classes.sizes.min(initial=1_000))
    kept: list[TableGuarantee] = [KAnonymity(k=least)] if least >= 2 else []

    def worst(guarantee: TableGuarantee) -> float:
        return guarantee.worst(guarantee.measure(classes))

    for kind in ("distinct", "probabilistic"):
        reached = worst(LDiversity(l=2, kind=kind))
        kept += [LDiversity(l=reached, kind=kind)] if 1 < reached < np.inf else []
    alpha = 1 / worst(LDiversity(l=2, kind="probabilistic"))
    kept += [AlphaKAnonymity(alpha=alpha, k=least)] if 0 < alpha <= 1 and least >= 2 else []
    kept += [TCloseness(t=worst(TCloseness(t=1)))]
    beta = worst(BetaLikeness(beta=1, kind="basic"))
    kept += [BetaLikeness(beta=beta, kind="basic")] if beta > 0 else []
    delta = worst(DeltaDisclosure(delta=1))
    kept += [DeltaDisclosure(delta=delta * 1.001)] if 0 < delta < np.inf else []
    return [guarantee for guarantee in kept if check(guarantee, classes).holds]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, card in CARDS.items() if card.bound is not None])
def test_what_a_guarantee_promises_no_attack_exceeds(name: str) -> None:
    card, checked, tight = CARDS[name], 0, 0
    for seed in range(150):
        world = (local if seed % 2 else full_domain)(Random(seed), 24)
        if not world.released:
            continue
        for params in variants(card):
            found = card.run(world.view(), params)
            for guarantee in promises(world):
                bound = card.bound(params, guarantee, found) if card.bound else None
                if bound is not None:
                    assert found.rate <= bound + 1e-9, (seed, guarantee)
                    checked += 1
                    tight += found.rate > 0.9 * bound - 1e-9
    assert checked > 20
    assert tight > 0


def variants(card: TableAttack[Any]) -> list[Any]:
    if "factor" in card.params.model_fields:
        return [card.params(factor=factor) for factor in (1.2, 2.0, 5.0)]
    if "excluded" in card.params.model_fields:
        return [card.params(excluded=excluded) for excluded in (0, 1, 2)]
    return [card.example]


def test_a_release_without_the_guarantee_exceeds_its_bound() -> None:
    """The twin: on some table the bound of a promise that is not kept is exceeded, so the test above can fail."""
    found = CARDS["tables/linkage"].run(full_domain(Random(4)).raw(), CARDS["tables/linkage"].example)
    assert found.rate > 1 / 5


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_intervals_are_clopper_and_pearsons(pair: tuple[int, int]) -> None:
    hits, targets = pair
    exact = binomtest(hits, targets).proportion_ci(0.95, method="exact")
    assert interval(hits, targets) == pytest.approx((exact.low, exact.high), abs=1e-9)


def test_no_targets_tell_nothing() -> None:
    found = success(0, 0, 0.0)
    assert (found.rate, found.low, found.high) == (0, 0, 1)


LEVELS = [["7", "low", "*"], ["12", "low", "*"], ["30", "high", "*"], ["", "high", "*"]]


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("12", ["12"]),
        ("low", ["7", "12"]),
        ("*", ["7", "12", "30", ""]),
        ("[7, 30)", ["7", "12"]),
        ("(7, 30]", ["12", "30"]),
        ("8-30", ["12", "30"]),
        ("[missing, 12]", ["", "7", "12"]),
        ("{7, 30}", ["7", "30"]),
        ("{missing, low}", ["", "7", "12"]),
        ("'12", ["12"]),
        ("", [""]),
        ("13.5", None),
        ("{7, 31}", None),
    ],
)
def test_labels_are_read(text: str, leaves: list[str] | None) -> None:
    values = [path[0] for path in LEVELS]
    stands = stands_for(Hierarchy.from_paths("x", LEVELS), values, ["other", text])
    found = [value for i, value in enumerate(values) if stands.dense(whole([i]), 2)[0, 1]]
    assert stands.unread == (("other",) if leaves is not None else ("other", text))
    assert sorted(found) == sorted(leaves or [])


def test_a_set_may_hold_values_with_commas() -> None:
    paths = [["a, b", "*"], ["c", "*"], ["b", "*"]]
    stands = stands_for(Hierarchy.from_paths("x", paths), ["a, b", "c", "b"], ["{a, b, c}"])
    assert stands.dense(whole([0, 1, 2]), 1)[:, 0].tolist() == [True, True, False]
