"""Every private card's event against the exact law of its outputs: neighbours, both relations, alone and composed.

For each card of the catalogue that claims differential privacy the losses of two neighbours are written out, both ways
round, from the noise that the card draws and the secrets that it is added to (`transcripts`), or from the card's own
settings where its law has another form (`LAWS`). Copies are composed by plain convolution with losses rounded down
(`exact_laws`). The divergence must not exceed what the account of the card's event says, at no delta and for no number
of copies, and the Kullback–Leibler divergence not its rho. Twins with a wrong event or with too little noise must fail.
`soak` takes more datasets, copies and deltas.

By which factor noise must be too little to be noticed, for each form of a card and each relation on its own:

| cards | noticed from |
|---|---|
| count, sum, mean, variance, truncated-mean, histograms, ranges, mode, grids, k-means, invented rows, itemsets | 1.05 |
| histograms with a delta, covariance and linear regression (`add-remove`), keywords | 1.1 |
| best-choice, logistic regression by rounds | 1.2 |
| quantiles, extremes (either end), textbook-k-means, logistic regression with a penalty | 1.3 |
| covariance and linear regression with a delta (`replace`) | 1.4 |
| keywords by rows (`replace`) | 1.4 |
| covariance and linear regression without a delta (`replace`) | 1.6 |

Up to 1.3 all are tested at 1.3. The others have events that are loose by design: no pair of neighbours spends them, so
no test could notice less. Of two columns moments are claimed to move by 8 in L1, each by the most that it can, but no
row moves all of them at once: from (1, 1) to (-1/3, -1/3) they move by 16/3, which is the most, so that 1.5 times too
little noise still keeps the promise. In L2 sqrt(14) is claimed and sqrt(8) is reached, 1.32 times less. Of keywords by
rows a choice is claimed to move by `most` = 2 both ways; two choices share what a person's two rows can do, and reach
3/4 of it.

Not exact, but instances of the cards' own parts:

| card | what stands for its law | why |
|---|---|---|
| several quantiles, adaptive-grid, textbook-k-means, itemsets, keywords | all stages along one published path | later
stages depend on what was published; the event must cover every path, and their sum is infeasible |
| logistic-regression by rounds | the same, Laplace noise with the largest loss of the cube noise for that | cube noise
has no law in one dimension; its event is `Pure`, which covers whatever has that largest loss |
| best-candidate | scores in sixteenths of their width | its grid has 2**28 steps; whoever compares rounded scores has
the same event |
| moments and regressions with a delta | continuous Gaussian noise | sigma has more than 10**8 steps |

Covers accounting/events, accounting/price.
"""

import math
from fractions import Fraction
from itertools import product

import pytest
from tests.accounting.claims import LONG, MANY, SHORT, check, excess, refuted
from tests.accounting.transcripts import Run

from tacit.accounting.events import Exponential, Repeated
from tacit.accounting.price import price
from tacit.accounting.scoping import unscoped
from tacit.catalogue import find_method

# Cards that add independent noise, or choose, in stages: by transcript.

COLUMN = [([1.0, 2.0], [1.0, 2.0, 4.0]), ([], [4.0]), ([0.0, 4.0, 4.0, 1.0], [0.0, 4.0, 4.0, 1.0, 1.0])]
ROWS = [0.0, 0.0, 0.0, 0.9, 1.1, 1.9, 2.0, 2.1, 2.9, 3.1, 4.0, 4.0]
RANKED = (ROWS, [*ROWS[1:], 4.0])
REPLACED = [
    ([1.0, 2.0, 4.0], [1.0, 2.0, 0.0]),
    ([0.0, 1.0], [4.0, 1.0]),
    ([0.0, 0.0], [0.0, 4.0]),
]
FLAGS = {"add-remove": [([True], [True, True])], "replace": [([True, False], [True, True])]}
ROW, OTHER = [0.9, 0.1], [0.2, 0.95]
PLANE = {
    "add-remove": [([[0.5, 0.5], OTHER], [[0.5, 0.5], OTHER, ROW]), ([OTHER] * 5, [*[OTHER] * 5, [1.0, 1.0]])],
    "replace": [
        ([[0.5, 0.5], [1.0, 1.0]], [[0.5, 0.5], [0.0, 0.5]]),
        ([ROW] * 4 + [OTHER], [ROW] * 5),
        ([[0.5, 0.5], [1.0, 1.0]], [[0.5, 0.5], [1 / 3, 1 / 3]]),
        ([[0.5, 0.5], [0.0, 0.0]], [[0.5, 0.5], [1.0, 0.0]]),
    ],
}


def log(*entries):
    """Who, and what they have, so often each."""
    rows = [(f"{who}{place}", word) for who, words, times in entries for place in range(times) for word in words]
    return [[who for who, _ in rows], [word for _, word in rows]]


CROWD = ("crowd", "z", 200)
"""So many that others are hardly ever chosen: then their chances change as their scores do, and the sum hardly."""
LOG = {
    "add-remove": [
        ([["a", "b"], ["x", "y"]], [["a", "b", "c", "c"], ["x", "y", "x", "z"]]),
        ([["a"], ["y"]], [["a", "c", "c"], ["y", "x", "x"]]),
        (log(CROWD), log(CROWD, ("c", "xy", 1)), log(("many", "xy", 200))),
    ],
    "replace": [
        ([["a", "c", "c"], ["x", "y", "z"]], [["a", "c", "c"], ["x", "z", "x"]]),
        ([["a", "c", "c"], ["y", "x", "x"]], [["a", "c", "c"], ["y", "z", "z"]]),
        (log(CROWD, ("c", "xy", 1)), log(CROWD, ("c", "zz", 1)), log(("many", "xy", 200))),
        (log(CROWD, ("c", "xx", 1)), log(CROWD, ("c", "zz", 1)), log(("many", "xx", 200))),
    ],
}
"""Neighbours, and where a third dataset is named what is published is drawn from that."""
FEATURES = 9


def labelled(first, others, label):
    """A row of features, the first of which alone tells most labels, and its label."""
    return [first, *[others] * (FEATURES - 1), label]


TOLD = [labelled(1.0, 0.5, 1.0), labelled(0.0, 0.5, 0.0)] * 1000
LABELS = {
    "add-remove": [(TOLD, [*TOLD, labelled(1.0, 1.0, 0.0)]), (TOLD[:2], [*TOLD[:2], labelled(1.0, 1.0, 1.0)])],
    "replace": [
        ([*TOLD, labelled(1.0, 1.0, 0.0)], [*TOLD, labelled(0.0, 1.0, 1.0)]),
        ([*TOLD[:2], labelled(1.0, 1.0, 1.0)], [*TOLD[:2], labelled(1.0, 1.0, 0.0)]),
    ],
}
"""Most rows pin the weight of the first feature, so a row with the other label has a gradient of nearly all of its
length, to which the other weights give way: nothing but the penalty holds them."""
INVENTED = {
    "add-remove": [
        ([["x"], [1.0], ["z"]], [["x", "y"], [1.0, 4.0], ["z", None]]),
        ([["x"], [1.0], ["z"]], [["x", "x"], [1.0, 1.0], ["z", "z"]]),
    ],
    "replace": [([["x", "y"], [1.0, 4.0], ["z", "z"]], [["x", None], [1.0, math.nan], ["z", "other"]])],
}
BOUNDS = {"lower": 0.0, "upper": 4.0}
BOX = {"lower": (0.0, 0.0), "upper": (1.0, 1.0)}
NUMBERS = {"add-remove": COLUMN, "replace": REPLACED}
RANKS = {"add-remove": COLUMN, "replace": [*REPLACED, RANKED]}
MIRRORED = {
    way: [tuple([4.0 - value for value in rows] for rows in pair) for pair in pairs] for way, pairs in NUMBERS.items()
}
STAGED = {
    "statistics/count": ({}, FLAGS),
    "statistics/sum": ({**BOUNDS, "grid": 0}, NUMBERS),
    "statistics/mean": ({**BOUNDS, "grid": 0}, NUMBERS),
    "statistics/variance": ({**BOUNDS, "grid": 0}, NUMBERS),
    "statistics/truncated-mean": ({**BOUNDS, "least_rows": 2, "least": 0.0, "greatest": 4.0}, NUMBERS),
    "statistics/histogram": (
        {"axes": ({"kind": "bins", "lower": 0.0, "upper": 4.0, "bins": 3},)},
        {way: [([first], [second]) for first, second in pairs] for way, pairs in NUMBERS.items()},
    ),
    "statistics/histogram-mean": ({**BOUNDS, "bins": 3}, NUMBERS),
    "statistics/ranges": ({**BOUNDS, "bins": 5, "branching": 2}, NUMBERS),
    "statistics/extremes": ({**BOUNDS, "resolution": 4, "depth": 1}, NUMBERS),
    "statistics/mode": (
        {"categories": ("x", "y")},
        {"add-remove": [(["x"], ["x", "y"])], "replace": [(["x", "y"], ["x", "x"]), (["y"], ["x"])]},
    ),
    "statistics/quantiles": ({**BOUNDS, "resolution": 1 << 16, "quantiles": (0.25, 0.5, 0.75)}, RANKS),
    "statistics/best-choice": (
        {"lower": 0.0, "upper": 1.0, "candidates": ("a", "b")},
        {"add-remove": [([[0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]])], "replace": [([[0.0, 1.0]], [[1.0, 0.0]])]},
    ),
    "statistics/keywords": ({"vocabulary": ("x", "y", "z"), "k": 2, "most": 2}, LOG),
    "statistics/itemsets": ({"items": ("x", "y", "z"), "k": 2, "size": 2}, LOG),
    "statistics/uniform-grid": ({**BOX, "side": 2, "guess": None}, PLANE),
    "statistics/adaptive-grid": ({**BOX, "guess": 20}, PLANE),
    "statistics/k-means": ({**BOX, "k": 1, "guess": 20, "starts": 1}, PLANE),
    "statistics/textbook-k-means": ({**BOX, "k": 2, "rounds": 2}, PLANE),
    "statistics/covariance": ({**BOX}, PLANE),
    "statistics/linear-regression": ({**BOX}, PLANE),
    "statistics/logistic-regression": (
        {"lower": (0.0,) * FEATURES, "upper": (1.0,) * FEATURES, "regularisation": 1.0},
        LABELS,
    ),
    "synthesize/independent": (
        {
            "axes": (
                {"kind": "categories", "names": ("x", "y")},
                {"kind": "bins", "lower": 0.0, "upper": 4.0, "bins": 3},
                {"kind": "categories", "names": ("z",)},
            )
        },
        INVENTED,
    ),
}
VARIANTS = {
    "statistics/histogram": {"delta": 1e-3},
    "synthesize/independent": {"delta": 1e-3},
    "statistics/covariance": {"delta": 1e-3},
    "statistics/linear-regression": {"delta": 1e-3},
    "statistics/logistic-regression": {"regularisation": None},
    "statistics/quantiles": {"quantiles": (0.5,), "resolution": 4, "interval_share": 0.5},
    "statistics/extremes": {"which": "minimum"},
    "statistics/keywords": {"score": "rows"},
}
OTHER_PAIRS = {("statistics/extremes", "variant"): MIRRORED}
"""Neighbours of variants that have not those of the plain form."""


def parsed(name, neighbours, changes):
    card = find_method(name)
    return card.params.parse(name, {**card.example.model_dump(), "epsilon": 0.5, "neighbours": neighbours, **changes})


PEOPLE = {
    id(FLAGS): ([True], [True, True, True]),
    id(NUMBERS): ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0, 3.5]),
    id(RANKS): ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0, 3.5]),
    id(LABELS): (TOLD, [*TOLD, labelled(1.0, 1.0, 0.0), labelled(1.0, 1.0, 0.0)]),
    id(PLANE): ([OTHER, [0.5, 0.5]], [OTHER, [0.5, 0.5], [1.0, 1.0], [1.0, 1.0]]),
    id(INVENTED): ([["x"], [1.0], ["z"]], [["x", "y", "y"], [1.0, 4.0, 4.0], ["z", "z", "z"]]),
}
"""A person with two rows more or less."""
CASES = [(name, "plain") for name in STAGED] + [(name, "variant") for name in VARIANTS]


def staged(name, form, neighbours, patch, weaker=1.0):
    """For each pair of neighbours the losses and the event."""
    changes, pairs = STAGED[name]
    params = parsed(name, neighbours, {**changes, **(VARIANTS[name] if form == "variant" else {})})
    for first, second, *along in OTHER_PAIRS.get((name, form), pairs)[neighbours]:
        yield Run(find_method(name), params, weaker).losses(first, second, patch, *along)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize(("name", "form"), CASES)
def test_events_of_cards_that_draw_in_stages(name, form, neighbours, monkeypatch):
    for pairs, event in staged(name, form, neighbours, monkeypatch):
        check(pairs, event, SHORT + (((MANY, 1e-6),) if _gains(event) else ()))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in STAGED if id(STAGED[name][1]) in PEOPLE])
def test_events_of_people_with_two_rows(name, monkeypatch):
    changes, pairs = STAGED[name]
    params = parsed(name, "add-remove", {**changes, "contributions": 2})
    first, second = PEOPLE[id(pairs)]
    found, event = Run(find_method(name), params).losses(first, second, monkeypatch)
    check(found, event)
    less = LOOSE_OF_TWO.get(name, NOTICED)
    weaker, _ = Run(find_method(name), params, less).losses(first, second, monkeypatch)
    assert refuted(weaker, event, SHORT)


@pytest.mark.parametrize("neighbours", ["add-remove", pytest.param("replace", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "form"), CASES)
def test_the_same_cards_with_less_noise_are_refuted(name, form, neighbours, monkeypatch):
    cases = staged(name, form, neighbours, monkeypatch, LOOSE.get((name, form, neighbours), NOTICED))
    assert any(refuted(pairs, event, SHORT) for pairs, event in cases)


@pytest.mark.slow
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize(("name", "form"), CASES)
def test_no_pair_of_neighbours_is_alike(name, form, neighbours, monkeypatch):
    """Secrets that do not differ would be covered by any event."""
    for pairs, _ in staged(name, form, neighbours, monkeypatch):
        assert max((loss.most for part in pairs for loss in part.both()), default=0.0) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1.55, 1.34])
def test_moments_are_covered_as_long_as_nothing_can_be_noticed(factor, monkeypatch):
    """The events of moments under `replace` are loose by 3/2 in L1 and by sqrt(14/8) in L2: below, all is covered."""
    form = "plain" if factor > 1.5 else "variant"
    within = list(staged("statistics/covariance", form, "replace", monkeypatch, factor - 0.06))
    assert not any(refuted(pairs, event, SHORT) for pairs, event in within)
    beyond = list(staged("statistics/covariance", form, "replace", monkeypatch, factor + 0.06))
    assert any(refuted(pairs, event, SHORT) for pairs, event in beyond)


def _gains(event) -> bool:
    plain = unscoped(event)
    return isinstance(plain, Repeated) and isinstance(plain.event, Exponential)


NOTICED = 1.3
LOOSE = {
    ("statistics/covariance", "plain", "replace"): 1.6,
    ("statistics/linear-regression", "plain", "replace"): 1.6,
    ("statistics/covariance", "variant", "replace"): 1.4,
    ("statistics/linear-regression", "variant", "replace"): 1.4,
    ("statistics/keywords", "variant", "replace"): 1.4,
}
"""By how much the noise of cards is made less whose events are loose by design; else by NOTICED."""
LOOSE_OF_TWO = {
    "statistics/truncated-mean": 6.0,
    "statistics/extremes": 2.0,
    "statistics/quantiles": 2.0,
    "statistics/logistic-regression": 1.5,
}
"""The same for people with two rows, who can't move these cards twice as far as one row in one place."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_several_quantiles_under_replace_are_no_choices_of_half_the_range(seed, monkeypatch):
    """The event that was once claimed, two choices of half the range for each level, is too small: a replaced row moves
    the first choice by two steps."""
    name = "statistics/quantiles"
    params = parsed(name, "replace", {**STAGED[name][0], "epsilon": 1.0})
    pairs, event = Run(find_method(name), params, seed=seed).losses(*RANKED, monkeypatch)
    once = Repeated(Exponential(Fraction(1, 4)), 4)
    assert excess(pairs, once, 50, 1e-3) > 0
    assert sum(part.there.mean for part in pairs) > float(price(once).rho)
    check(pairs, event, ((1, 0.0), (10, 1e-6), (50, 1e-3)))


@pytest.mark.slow
def test_the_pairs_of_all_cards_notice_that_event_too(monkeypatch):
    """What the test of all cards asks of every pair fails with it, for one pair at least."""
    name = "statistics/quantiles"
    once = Repeated(Exponential(Fraction(1, 8)), 4)
    found = list(staged(name, "plain", "replace", monkeypatch))
    assert {unscoped(event) for _, event in found} == {Repeated(Exponential(Fraction(1, 4)), 2)}
    assert any(refuted(pairs, once, (*SHORT, (MANY, 1e-6))) for pairs, _ in found)
    assert not any(refuted(pairs, event, (*SHORT, (MANY, 1e-6))) for pairs, event in found)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("neighbours", ["add-remove", "replace"])
@pytest.mark.parametrize(("name", "form"), CASES)
def test_events_of_staged_cards_along_many_paths(name, form, neighbours, monkeypatch):
    changes, pairs = STAGED[name]
    params = parsed(name, neighbours, {**changes, **(VARIANTS[name] if form == "variant" else {})})
    for (first, second, *along), seed in product(OTHER_PAIRS.get((name, form), pairs)[neighbours], range(5)):
        found, event = Run(find_method(name), params, seed=seed).losses(first, second, monkeypatch, *along)
        check(found, event, LONG)
