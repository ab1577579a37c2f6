"""Prefixes against brute force: every way to publish the voters of a small election, and none loses less.

Covers errors.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.plugin.brought import PACKAGE

Ranking = tuple[str, ...]
RANKINGS = [one for length in (1, 2, 3) for one in permutations("ABC", length)]
LARGEST = 7


@pytest.fixture(scope="module", autouse=True)
def on_the_path() -> Iterator[None]:
    """The package on the search path, for as long as these tests run."""
    sys.path.insert(0, str(PACKAGE))
    yield
    sys.path.remove(str(PACKAGE))
    for name in [name for name in sys.modules if name.startswith("tacit_ballots")]:
        del sys.modules[name]


def most_positions(rankings: list[Ranking], k: int) -> int:
    """The most positions that any assignment of prefixes keeps, where each prefix has no voter or at least k."""
    reached: set[tuple[tuple[Ranking, int], ...]] = {()}
    for ranking in rankings:
        choices = [ranking[:length] for length in range(len(ranking) + 1)]
        reached = {_with(counts, choice) for counts in reached for choice in choices}
    kept = [dict(counts) for counts in reached]
    good = [one for one in kept if all(voters >= k for prefix, voters in one.items() if prefix)]
    return max(sum(len(prefix) * voters for prefix, voters in one.items()) for one in good)


def _with(counts: tuple[tuple[Ranking, int], ...], choice: Ranking) -> tuple[tuple[Ranking, int], ...]:
    return tuple(sorted((Counter(dict(counts)) + Counter([choice])).items()))


def shortened(rankings: list[Ranking], k: int, longest: int | None = None) -> Any:
    """What the method publishes."""
    from tacit_ballots.ballots import Ballots
    from tacit_ballots.methods.ballots.prefixes import Prefixes, shorten

    return shorten(Ballots(Counter(rankings)), k, Prefixes(longest=longest))


@pytest.mark.slow
@examples(150)
@given(st.lists(st.sampled_from(RANKINGS), max_size=LARGEST), st.integers(2, 4))
def test_no_other_way_keeps_more_positions(rankings: list[Ranking], k: int) -> None:
    made = shortened(rankings, k)
    assert all(voters >= k for voters in made.counts.values())
    assert made.positions == most_positions(rankings, k)
    assert comes_from(made.counts, rankings)


def comes_from(published: Counter[Ranking], rankings: list[Ranking]) -> bool:
    """Whether each published ranking can be given to a voter of its own who began so: by Hall's theorem on a tree, no
    prefix has more published rankings at and below it than voters who began with it."""
    for prefix in {one[:length] for one in published for length in range(1, len(one) + 1)}:
        below = sum(voters for one, voters in published.items() if one[: len(prefix)] == prefix)
        if below > sum(one[: len(prefix)] == prefix for one in rankings):
            return False
    return True


def test_merging_the_rarest_first_would_lose_more() -> None:
    """Three voters agree on three choices and one leaves after two: alone that one goes up to the root."""
    rankings = [("A", "B", "C")] * 3 + [("A", "B", "D")]
    # Either the three keep 9 positions, or two of them keep 6 and two voters meet at `A > B` with 4.
    assert shortened(rankings, 2).counts == Counter({("A", "B", "C"): 2, ("A", "B"): 2})
    assert most_positions(rankings, 2) == 10


def test_rankings_end_where_the_parameter_says() -> None:
    rankings = [("A", "B", "C")] * 3 + [("B", "A")] * 2
    assert shortened(rankings, 2, longest=1).counts == Counter({("A",): 3, ("B",): 2})
    assert shortened([], 2).counts == Counter()


def test_many_voters_take_little_time() -> None:
    """The bound on how many move on keeps the tables small: a square of the voters would be 10,000 times as many."""
    several = [one for one in permutations("ABCDE") for _ in range(100)]
    made = shortened([*several, ("A", "B", "C"), ("E",)], 2)
    # One of those below joins the voter of three choices and loses 2 positions, where leaving out would lose 3. Whoever
    # joined the voter of one choice would lose 4, so that voter is left out.
    assert made.counts["A", "B", "C"] == 2
    assert made.voters == 12_001


@pytest.mark.parametrize(
    "text",
    ["a: A > > B", "a: A > A", "a: A\na: B", ": A", "a:", "a: > B", "\ufffda: A >"],
)
def test_what_is_no_ballot_is_refused_without_showing_it(text: str, tmp_path: Path) -> None:
    from tacit_ballots.ballots import read_ballots

    from tacit.errors import BadData

    (tmp_path / "x.ballots").write_text(text, encoding="utf-8")
    with pytest.raises(BadData, match=r"line \d") as caught:
        read_ballots(tmp_path / "x.ballots")
    assert " A" not in str(caught.value).replace("`voter: A > C > B`", "")


def test_the_two_measures_agree_and_both_can_fail(tmp_path: Path) -> None:
    from tacit_ballots.ballots import read_ballots
    from tacit_ballots.guarantees.ballot_anonymity import BallotAnonymity, shortest_run

    (tmp_path / "x.ballots").write_text("A > B\nB\nA > B\nB\nA > B\n", encoding="utf-8")
    text = (tmp_path / "x.ballots").read_text(encoding="utf-8")
    found = BallotAnonymity(k=2).measure(read_ballots(tmp_path / "x.ballots"))
    assert (found.measured, found.holds, shortest_run(text)) == (2, True, 2)
    assert not BallotAnonymity(k=3).measure(read_ballots(tmp_path / "x.ballots")).holds
    assert shortest_run("") == float("inf")
