"""Hierarchies: read from files, declared in a plan, or inferred from the values of a column."""

from tacit.data.tables.hierarchies.files import read_hierarchy, write_hierarchy
from tacit.data.tables.hierarchies.infer import HierarchyProposal, infer_hierarchy
from tacit.data.tables.hierarchies.spec import HierarchySpec, build_hierarchy, parse_spec, spec_form

__all__ = [
    "HierarchyProposal",
    "HierarchySpec",
    "build_hierarchy",
    "infer_hierarchy",
    "parse_spec",
    "read_hierarchy",
    "spec_form",
    "write_hierarchy",
]
