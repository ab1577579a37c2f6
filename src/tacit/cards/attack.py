"""Attacks: ways to challenge what was published.

Code that runs an attack reads only its card. The names of an attack and of its parameters mean nothing to it, so an
attack from an installed package runs like a built-in one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tacit.cards.card import Card, P

if TYPE_CHECKING:
    import numpy as np

    from tacit.cards.contest import Contest
    from tacit.guarantees.guarantee import TableGuarantee
    from tacit.release.attacks import Success

Sees = Literal["table", "cells", "recipe", "releases", "numbers"]
"""What an attack on tables is given: a view of one table, the cells that it publishes exact, a release with its recipe,
views of several releases, or original and masked numbers. The board has the attacks in this order."""


@dataclass(frozen=True, kw_only=True)
class Attack(Card[P]):
    """A way to challenge what was published. A subclass for each sort of attack says what `run` takes and gives.

    `knowledge` says what the adversary has beforehand and `story`, in one sentence, what happens. `means` says, in one
    sentence, what is true of a target on whom the attack succeeds, so that a rate can be read without the paper.
    """

    run: Callable[..., Any]
    knowledge: str = ""
    story: str = ""
    means: str = ""


@dataclass(frozen=True, kw_only=True)
class ReleaseAttack(Attack[P]):
    """A way to challenge a release; a subclass names the `kind` of data.

    `run` takes what the kind shows of the raw data or of a release. `bound` gives the highest success rate that a
    guarantee of the kind allows, None if it allows any; it applies only if the guarantee holds in the release.
    """

    run: "Callable[[Any, P], Success]"
    bound: "Callable[[P, Any, Success], float | None] | None" = None


@dataclass(frozen=True, kw_only=True)
class TableAttack(ReleaseAttack[P]):
    """A way to challenge a release of tables.

    `sees` says what `run` is given. An attack on a secret says which of its parameters names the sensitive column
    (`column_parameter`), and is run once for each. An attack that treats the data as a sample says which parameter is
    the share of the population that is in it (`fraction_parameter`); a population file or a drawn share sets it. An
    attack that `needs_people` compares rows with the people themselves, so it can't run on a sample, since nothing
    records who was drawn. A bound is on an average over rows; with `bound_for_people` it also holds for an average over
    people with several rows, as long as each class shows all who fit it. Among attacks that see the same, the lowest
    `place` comes first on the board, and names break ties.
    """

    kind: ClassVar[str] = "tables"

    sees: Sees
    bound: "Callable[[P, TableGuarantee, Success], float | None] | None" = None
    column_parameter: str | None = None
    fraction_parameter: str | None = None
    needs_people: bool = False
    bound_for_people: bool = False
    place: int = 50


@dataclass(frozen=True, kw_only=True)
class StatisticsAttack(Attack[P]):
    """A way to challenge answers to statistical questions: `run` invents people and answers, and draws all its chances
    from the generator that it is given."""

    kind: ClassVar[str] = "statistics"

    run: "Callable[[P, np.random.Generator], Contest]"
