"""Common prefixes: rankings are cut from the end until at least k voters share each, as little as can be.

The rankings form a tree in which the parent of a ranking is the ranking without its last choice. Every voter is
published somewhere on the way from the voter's own ranking up to the root, the ranking without a choice; whoever comes
to the root is left out. A step upwards costs one position. Let L(v, c) be the least number of positions that the voters
at and below v can lose if c of them move on from v to its parent. The m voters who gather at v are its own and those
who come from its children, and of these m - c stay, which must be none or at least k:

    L(v, c) = c + min over m of G(v, m), where m = c or m >= c + k,

and G(v, m) is the least sum of L over the children of v if m gather at v in all. This is optimal: no release of
prefixes that keeps the promise has more positions. (Dynamic programming on a tree, as Hansen and Mukherjee 2003 did for
microaggregation on a line.)

No more than (k - 1) * depth(v) voters need to move on from v. Above v there are depth(v) - 1 rankings and the root.
Leave to each of these rankings only those voters from below v without whom it would have fewer than k: at most k - 1.
If k or more others moved on, they could stay at v together, and fewer positions would be lost.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from tacit.params import Params
from tacit_ballots.ballots import Ballots, Ranking
from tacit_ballots.cards import BallotsMethod


class Prefixes(Params):
    """How far rankings may reach."""

    longest: Annotated[int | None, Field(ge=1, description="the most choices of a ranking; by default all")] = None


@dataclass
class _Node:
    """A ranking in the tree; `taken` says for each number that gathers how many came from each child."""

    taken: dict[int, tuple[int, ...]]
    cost: dict[int, int]
    children: list[Ranking] = field(default_factory=list)
    moved: dict[int, tuple[int, int]] = field(default_factory=dict)

    def gather(self, child: Ranking, moved: dict[int, tuple[int, int]]) -> None:
        """Adds what may come from one more child."""
        cost: dict[int, int] = {}
        taken: dict[int, tuple[int, ...]] = {}
        for here, spent in self.cost.items():
            for more, (lost, _) in moved.items():
                if spent + lost < cost.get(here + more, spent + lost + 1):
                    cost[here + more], taken[here + more] = spent + lost, (*self.taken[here], more)
        self.cost, self.taken, self.children = cost, taken, [*self.children, child]

    def move_on(self, k: int, most: int) -> None:
        """For each number that moves on: the least cost, and how many had gathered."""
        for leaving in range(min(max(self.cost), most) + 1):
            able = [(cost + leaving, m) for m, cost in self.cost.items() if m == leaving or m >= leaving + k]
            if able:
                self.moved[leaving] = min(able)


def shorten(ballots: Ballots, k: int, params: Prefixes) -> Ballots:
    """The ballots under prefixes that at least k voters share each; no way to do so loses fewer positions."""
    nodes: dict[Ranking, _Node] = {}
    for ranking, voters in _cut(ballots, params.longest).items():
        for length in range(len(ranking) + 1):
            nodes.setdefault(ranking[:length], _Node({0: ()}, {0: 0}))
        nodes[ranking] = _Node({voters: ()}, {voters: 0})
    for ranking in sorted(nodes, key=lambda one: (-len(one), one)):
        if ranking:
            nodes[ranking].move_on(k, (k - 1) * len(ranking))
            nodes[ranking[:-1]].gather(ranking, nodes[ranking].moved)
    return Ballots(_published(nodes))


def _cut(ballots: Ballots, longest: int | None) -> Counter[Ranking]:
    cut: Counter[Ranking] = Counter()
    for ranking, voters in ballots.counts.items():
        cut[ranking[:longest]] += voters
    return cut


def _published(nodes: dict[Ranking, _Node]) -> Counter[Ranking]:
    """How many voters stay at each ranking, found from the root downwards."""
    found: Counter[Ranking] = Counter()
    root = nodes.get((), _Node({0: ()}, {0: 0}))
    gathered: dict[Ranking, int] = {(): min(root.cost, key=lambda m: (root.cost[m], m))}
    for ranking in sorted(nodes, key=lambda one: (len(one), one)):
        node = nodes[ranking]
        for child, leaving in zip(node.children, node.taken[gathered[ranking]], strict=True):
            _, gathered[child] = nodes[child].moved[leaving]
            if gathered[child] > leaving:
                found[child] = gathered[child] - leaving
    return found


METHOD = BallotsMethod(
    title="Common prefixes",
    params=Prefixes,
    run=shorten,
    needs="rankings of which the first choices matter most",
    gives="rankings cut from the end as little as can be, each shared by at least k voters; others are left out",
    guarantees=("ballot-anonymity",),
    paper="https://doi.org/10.1109/TKDE.2003.1209020",
    example=Prefixes(),
)
