"""Sensitivities of questions about a graph (W18), by what neighbours differ in: an edge, or a node with all its edges.

`nodes` is the greatest number of nodes besides the one that comes or goes, written |V|: a new node can have an
edge to each of them (Hay et al. 2009; Kasiviswanathan et al. 2013).
"""

import math
from fractions import Fraction
from typing import Literal, get_args

from tacit.accounting.exact import whole
from tacit.errors import BadParameter
from tacit.sensitivity.sensitivity import Sensitivity, scalar, vector

GraphLevel = Literal["edge", "node"]


def edges(level: GraphLevel, nodes: int) -> Sensitivity:
    """The number of edges: 1, or |V|."""
    if _is_edge(level):
        return scalar("edges", Fraction(1), "one edge adds one edge")
    return scalar("edges", Fraction(whole("nodes", nodes)), "a node has at most one edge to each other node")


def nodes_of_degree(level: GraphLevel, nodes: int) -> Sensitivity:
    """The number of nodes of degree at least n: 2, or |V| + 1."""
    if _is_edge(level):
        return scalar("nodes of degree", Fraction(2), "an edge changes the degree of its two ends")
    why = "a node changes the degree of all its neighbours and counts itself"
    return scalar("nodes of degree", Fraction(whole("nodes", nodes) + 1), why)


def triangles(level: GraphLevel, nodes: int) -> Sensitivity:
    """The number of triangles: |V| − 2 (|V| all nodes), or |V| (|V| − 1)/2."""
    number = whole("nodes", nodes, least=3)
    if _is_edge(level):
        return scalar("triangles", Fraction(number - 2), "an edge closes a triangle with each node beside its two ends")
    return scalar("triangles", Fraction(math.comb(number, 2)), "a node closes a triangle with each edge of the others")


def degrees(level: GraphLevel, nodes: int) -> Sensitivity:
    """The vector of all degrees: 2 in L1 for an edge; 2 |V| for a node, whose own degree is |V| of it."""
    if _is_edge(level):
        return vector("degrees", [Fraction(1)] * 2, "an edge changes the degree of its two ends by one")
    others = whole("nodes", nodes)
    return vector("degrees", [Fraction(1)] * others + [Fraction(others)], "a node adds one to each other and its own")


def _is_edge(level: GraphLevel) -> bool:
    if level not in get_args(GraphLevel):
        raise BadParameter(f"level is {level!r}; neighbours of graphs differ by an 'edge' or a 'node'")
    return level == "edge"
