"""Homogeneity: all people of a class share a secret, so belonging to the class gives it away (W4).

Machanavajjhala et al. 2006. The adversary finds the classes that fit a person. If everybody in them has one value, it
is the person's: k-anonymity does not help, l-diversity does, since every class then has several values.

The baseline is what the whole table gives away: everything if it has one value, else nothing.
"""

from tacit.attacks._success import success
from tacit.attacks.tables._beliefs import OnColumn, beliefs, secrets
from tacit.attacks.tables._bounds import never_certain
from tacit.cards.attack import TableAttack
from tacit.data.tables.adversary_view import AdversaryView
from tacit.release.attacks import Success


def find_homogeneous(view: AdversaryView, params: OnColumn) -> Success:
    """The share of people whose value is certain, for all who fit share it."""
    found = beliefs(view, params.column)
    alike = found.distinct[found.group] == 1
    baseline = float((found.reference > 0).sum() == 1)
    classes = int((found.distinct == 1).sum())
    return success(int(found.people[alike].sum()), secrets(view, params.column), baseline, groups=classes)


ATTACK = TableAttack(
    title="Homogeneity",
    params=OnColumn,
    run=find_homogeneous,
    needs="a sensitive column",
    gives="the share of people whose secret is certain",
    paper="https://doi.org/10.1145/1217299.1217302",
    example=OnColumn(),
    knowledge="a person's quasi-identifiers, and that the person is in the data",
    story="The adversary finds the person's class; if all its people share one value, it is also this person's.",
    means="Success means that everybody in the target's class has the same value, so the secret is certain.",
    sees="table",
    column_parameter="column",
    bound=never_certain,
)
