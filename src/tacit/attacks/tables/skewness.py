"""Skewness: a class raises the belief in a person's secret far above what the whole table says (W9).

Li, Li and Venkatasubramanian 2007. The belief in value v before is its share q(v) in the whole table, afterwards its
share p(v) among those who fit. A person is disclosed if p(v) ≥ factor · q(v) for the person's own v. A class with half
HIV+ is 2-diverse and still raises a belief of 1 % fifty times. Beta-likeness with factor > 1 + beta and
delta-disclosure with factor ≥ exp(delta) rule it out.

Without the release belief stays where it is, so the baseline is 0.
"""

from typing import Annotated

import numpy as np
from pydantic import Field

from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import OnColumn, beliefs, secrets
from tacit.attacks.tables._bounds import belief_stays
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.guarantees.guarantee import at_least
from tacit.release.attacks import Success


class Skewness(OnColumn):
    """From when on a belief that has grown is a disclosure."""

    factor: Annotated[float, Field(gt=1, le=1e9, description="the factor by which the belief has grown")] = 2.0


def find_skewed(view: AdversaryView, params: Skewness) -> Success:
    """The share of people in whose value the belief grows by the factor."""
    found = beliefs(view, params.column)
    prior = found.prior[found.value]
    there = (found.people > 0) & (prior > 0)
    growth = np.where(there, found.share / np.where(prior > 0, prior, 1.0), 0.0)
    hits = int(found.people[there & at_least(growth, params.factor)].sum())
    largest = float(growth.max(initial=0.0))
    belief = float(found.share[growth >= largest].max(initial=0.0)) if largest else 0.0
    return success(hits, secrets(view, params.column), 0.0, largest_growth=largest, belief_there=belief)


ATTACK = TableAttack(
    title="Skewness",
    params=Skewness,
    run=find_skewed,
    needs="a sensitive column",
    gives="the share of people for whom the belief in their secret grows by the factor",
    paper="https://doi.org/10.1109/ICDE.2007.367856",
    example=Skewness(),
    knowledge="a person's quasi-identifiers, and how the values are distributed in the whole table",
    story="The adversary compares the class with the whole table and believes a value that is far more frequent in it.",
    means="Success means that the target's true value seems far likelier than before (by default at least twice as "
    "likely); it need not become certain.",
    sees="table",
    column_parameter="column",
    bound=belief_stays,
)
