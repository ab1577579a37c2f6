"""The k commonest keywords of a log (W34): a limited number from each user, then the exponential mechanism k times.

Neighbours differ by a user with all of their rows. From each user at most `most` keywords are kept, by a fair sample of
their own. Where these are distinct the score of a keyword, the number of its users, moves by 1; where the same one may
be kept several times the score, its number of rows, moves by `most`. Each of k choices, without replacement, takes
epsilon / k. The vocabulary is declared: a list of what occurs would tell who is there. Words outside are not counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from tacit.accounting.events import Event, in_scope
from tacit.accounting.scope import Scope
from tacit.arrays import IntArray
from tacit.cards.asked import any_rows
from tacit.cards.statistics import Statistic
from tacit.cards.takes import PersonAndKey
from tacit.data.aggregates.array_cells import has_owner, owner_codes
from tacit.data.aggregates.keys import KeyCounts, Keys
from tacit.data.aggregates.scale import require_columns
from tacit.errors import BadData
from tacit.methods.mechanisms.top_k import TopK, choose, loss
from tacit.methods.mechanisms.top_k import spends as choice_spends
from tacit.noise.axes import NOWHERE, Categories
from tacit.noise.fields import Epsilon
from tacit.noise.private_answer import Publishable, scoped
from tacit.noise.statistic_params import NameList, NeighboursField
from tacit.noise.values import two_columns
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.contributions import keep_sampled
from tacit.sensitivity.neighbouring_datasets import of_baskets, of_logs
from tacit.sensitivity.pair import Pair


class Keywords(Params):
    """The commonest of declared keywords."""

    epsilon: Epsilon
    neighbours: NeighboursField = "add-remove"
    vocabulary: NameList
    k: Annotated[int, Field(ge=1, le=100_000, description="how many keywords are named")]
    most: Annotated[int, Field(ge=1, le=1_000_000, description="the largest number of keywords kept for one user")]
    score: Annotated[
        Literal["users", "rows"],
        Field(description="whether a keyword scores by its number of users or by its number of rows"),
    ] = "users"

    @property
    def scope(self) -> Scope:
        """Between which datasets answers are alike: a user with any number of rows."""
        return Scope(self.neighbours, contributions=None)

    @model_validator(mode="after")
    def _enough(self) -> Self:
        if len(set(self.vocabulary)) != len(self.vocabulary):
            raise ValueError("a keyword is declared twice")
        if self.k > len(self.vocabulary):
            raise ValueError(f"k is {self.k}; only {len(self.vocabulary)} keywords are declared")
        return self


@dataclass(frozen=True)
class KeywordsAnswer(Publishable):
    """The keywords in the order in which they were chosen, and what they cost."""

    names: tuple[str, ...]
    event: Event
    seeded: bool = False

    def told(self) -> Mapping[str, Any]:
        """The keywords, in order."""
        return {"values": self.names}


def selection(params: Keywords) -> TopK:
    """How keywords are chosen: a user more moves all scores in one direction."""
    move = 1 if params.score == "users" else params.most
    together = params.neighbours == "add-remove"
    return TopK(epsilon=params.epsilon, sensitivity=float(move), monotonic=together, k=params.k, grid=0)


def keyword_scores(log: Sequence[ArrayLike], params: Keywords, bits: RandomBits) -> IntArray:
    """The score of each declared keyword after the users' contributions were bounded; secret."""
    users, words = two_columns(log, "a log is two columns of one length: the user and the keyword of each row")
    codes = Categories(names=params.vocabulary).codes(words)
    there = (codes != NOWHERE) & has_owner(users)
    people, codes = owner_codes(users)[there], codes[there]
    if params.score == "users":
        pairs = np.unique(people * len(params.vocabulary) + codes)
        people, codes = pairs // len(params.vocabulary), pairs % len(params.vocabulary)
    kept = keep_sampled(people, params.most, bits)
    return np.bincount(codes[kept], minlength=len(params.vocabulary)).astype(np.int64)


def keywords(log: Sequence[ArrayLike], params: Keywords, bits: RandomBits) -> KeywordsAnswer:
    """The k commonest keywords, or nearly the commonest."""
    return from_counts(keyword_scores(log, params, bits), params, bits)


def wanted(columns: Sequence[str], params: Keywords, first: Sequence[str] = ()) -> Keys:
    """What an engine must count: the users, or rows, of each declared keyword, given by the columns of the user and of
    the keyword; of a user the first ones by the columns in `first` count."""
    require_columns(columns, 2)
    each: Literal["person", "row"] = "person" if params.score == "users" else "row"
    return Keys(columns[0], columns[1], params.most, tuple(first), params.vocabulary, each)


def from_aggregates(found: KeyCounts, params: Keywords, bits: RandomBits) -> KeywordsAnswer:
    """The private answer, computed from the aggregates that an engine found."""
    return from_counts(found.like(wanted(["user", "keyword"], params)).of(params.vocabulary), params, bits)


@scoped
def from_counts(scores: IntArray, params: Keywords, bits: RandomBits) -> KeywordsAnswer:
    """The same, from the score of each declared keyword after the users' contributions were bounded."""
    if np.shape(scores) != (len(params.vocabulary),):
        raise BadData(f"there are {np.size(scores)} scores; give one for each of {len(params.vocabulary)} keywords")
    choice = choose(scores, selection(params), bits)
    return KeywordsAnswer(tuple(params.vocabulary[place] for place in choice.chosen), choice.event)


def spends(params: Keywords) -> Event:
    """What all choices cost."""
    return in_scope(choice_spends(selection(params)), params.scope)


def neighbours(params: Keywords) -> tuple[Pair, ...]:
    """A user more, or another one, with as many keywords as count; where rows count, with twice as many too."""
    if params.score == "rows":
        return of_logs(params.vocabulary, params.most, params.neighbours)
    return of_baskets(params.vocabulary, params.most, params.neighbours)


def error(params: Keywords, level: float = 0.95) -> float:
    """How far any chosen score stays behind the k-th best, at most, with probability `level`."""
    return float(loss(selection(params), len(params.vocabulary), level))


METHOD = Statistic(
    title="Top keywords",
    params=Keywords,
    run=keywords,
    takes=PersonAndKey(parameter="vocabulary", kept="most"),
    wanted=wanted,
    answer=from_aggregates,
    spends=spends,
    error=any_rows(error),
    neighbours=neighbours,
    needs="the user and the keyword of each row of a log; the vocabulary is declared",
    gives="the k most common keywords, in order, or nearly the most common",
    paper="https://arxiv.org/abs/1905.04273",
    example=Keywords(epsilon=1.0, vocabulary=("rain", "sun", "snow", "fog"), k=2, most=3),
)
