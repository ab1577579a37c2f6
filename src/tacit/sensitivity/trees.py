"""Sensitivities of questions about trees (W18): records that are trees, such as a library account with its loans.

By a vertex (whose children move up to its parent), a count of vertices moves by 1; by a tree, by the most vertices that
a tree may have; by a person, by that times the trees that a person may have. A count of trees moves by 1, 1 and the
trees of a person.
"""

from fractions import Fraction
from typing import Literal

from tacit.accounting.exact import whole
from tacit.errors import BadParameter
from tacit.sensitivity.sensitivity import Sensitivity, scalar

TreeLevel = Literal["vertex", "tree", "person"]


def vertices(level: TreeLevel, most_vertices: int = 1, most_trees: int = 1) -> Sensitivity:
    """The number of vertices with a label."""
    in_tree, trees_of = whole("most_vertices", most_vertices), whole("most_trees", most_trees)
    if level == "vertex":
        return scalar("vertices", Fraction(1), "one vertex more or less")
    if level == "tree":
        return scalar("vertices", Fraction(in_tree), f"a tree has at most {in_tree} vertices")
    if level == "person":
        return scalar("vertices", Fraction(in_tree * trees_of), f"a person has at most {trees_of} trees of {in_tree}")
    raise BadParameter(f"level is {level!r}; it must be 'vertex', 'tree' or 'person'")


def trees_with(level: TreeLevel, most_trees: int = 1) -> Sensitivity:
    """The number of trees with a property."""
    trees_of = whole("most_trees", most_trees)
    if level in ("vertex", "tree"):
        return scalar("trees", Fraction(1), "one tree has the property or not")
    if level == "person":
        return scalar("trees", Fraction(trees_of), f"a person has at most {trees_of} trees")
    raise BadParameter(f"level is {level!r}; it must be 'vertex', 'tree' or 'person'")
