"""Probabilistic inference: the adversary guesses the value that is most frequent among those who fit.

Machanavajjhala et al. 2006; the belief in a value is its frequency in the person's classes. Where several values are
equally frequent, one of them is taken at random. Probabilistic l-diversity keeps the rate at 1/l, (alpha, k)-anonymity
at alpha, t-closeness (equal distance) within t of the baseline, as long as each class shows all who fit it and no other
does.

The baseline guesses the most frequent value of the whole table for everybody.
"""

import numpy as np

from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import Beliefs, OnColumn, beliefs, secrets
from tacit.attacks.tables._bounds import share_in_class
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.release.attacks import Success


def guessed(found: Beliefs) -> float:
    """How many people have the value that is most frequent in their group; of several such values, on average."""
    most = np.zeros(found.groups, dtype=np.int64)
    np.maximum.at(most, found.group, found.count)
    top = found.count == most[found.group]
    tied = np.bincount(found.group[top], minlength=found.groups)
    return float((found.people[top] / tied[found.group[top]]).sum())


def infer(view: AdversaryView, params: OnColumn) -> Success:
    """The share of people whose value is guessed."""
    found = beliefs(view, params.column)
    return success(
        guessed(found),
        secrets(view, params.column),
        float(found.prior.max(initial=0.0)),
        highest_belief=float(found.share.max(initial=0.0)),
        whole_classes=view.whole,
    )


ATTACK = TableAttack(
    title="Probabilistic inference",
    params=OnColumn,
    run=infer,
    needs="a sensitive column",
    gives="the share of people whose secret is guessed",
    paper="https://doi.org/10.1145/1217299.1217302",
    example=OnColumn(),
    knowledge="a person's quasi-identifiers, and that the person is in the data",
    story="The adversary finds the person's class and guesses the value that is most frequent in it.",
    means="Success means that the guessed value is the target's own; the adversary can't tell which guesses are right.",
    sees="table",
    column_parameter="column",
    bound=share_in_class,
)
