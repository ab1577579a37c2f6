"""Tree: a hierarchy written out in the plan, as nested mappings of labels down to lists of leaves.

Every label stays at its distance from the root. A branch that ends early is filled by repeating its leaf downwards:
with `{Government: [State, Local], Private: null}`, Private is a leaf and its own label at level 1, so generalising to
level 1 costs it nothing. The root is `*`, unless the whole tree stands below one label, which is then the root.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, Field

from tacit.data.tables.hierarchy import MISSING, SUPPRESSED, Hierarchy
from tacit.errors import BadData
from tacit.params import Params

MOST_LEVELS = 64
MOST_LEAVES = 1_000_000


def leaf_text(value: object) -> str:
    """The text of a leaf or label as YAML gives it; null is the missing value."""
    if value is None:
        return MISSING
    if isinstance(value, bool):
        raise ValueError("an unquoted yes, no, true, false, on or off is not text in YAML: put it in quotes")
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    raise ValueError(f"a leaf or label must be text or a number, not a {type(value).__name__}: put it in quotes")


def tree_paths(tree: object) -> list[list[str]]:
    """The path `leaf, …, root` of every leaf, all equally long; a ValueError says what is no tree."""
    if not isinstance(tree, Mapping | list | tuple) or not tree:
        raise ValueError("a tree is a mapping of labels to their leaves, or a list of leaves, and not empty")
    root = SUPPRESSED
    if isinstance(tree, Mapping) and len(tree) == 1:
        (label, below), *_ = tree.items()
        if isinstance(below, Mapping | list | tuple) and below:
            root, tree = leaf_text(label), below
    paths: list[tuple[str, ...]] = []
    for path in _descend(tree, (root,)):
        paths.append(path)
        if len(paths) > MOST_LEAVES:
            raise ValueError(f"a tree has at most {MOST_LEAVES} leaves; use a file")
    deepest = max(map(len, paths), default=0)
    if not deepest:
        raise ValueError("the tree has no leaf")
    return [[*[path[-1]] * (deepest - len(path)), *reversed(path)] for path in paths]


def _descend(node: object, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if len(above) > MOST_LEVELS:
        raise ValueError(f"a tree has at most {MOST_LEVELS} levels")
    if isinstance(node, Mapping):
        for label, below in node.items():
            path = (*above, leaf_text(label))
            if below is None:
                yield path
            elif isinstance(below, Mapping | list | tuple):
                if not below:
                    raise ValueError(f"label {path[-1]!r} has nothing below it; write null if it is a leaf")
                yield from _descend(below, path)
            else:
                yield (*path, leaf_text(below))
    elif isinstance(node, list | tuple):
        for leaf in node:
            if isinstance(leaf, Mapping):
                yield from _descend(leaf, above)
            else:
                yield (*above, leaf_text(leaf))


def _spelled(node: object) -> Any:
    """The same tree as a fresh copy with nothing but text in it."""
    if isinstance(node, Mapping):
        copy = {leaf_text(label): None if below is None else _spelled(below) for label, below in node.items()}
        if len(copy) < len(node):
            raise ValueError("two labels of the same node read the same as text; rename one of them")
        return copy
    if isinstance(node, list | tuple):
        return [_spelled(leaf) if isinstance(leaf, Mapping) else leaf_text(leaf) for leaf in node]
    return [leaf_text(node)]


def _checked(tree: Any) -> Any:
    try:
        Hierarchy.from_paths("tree", tree_paths(tree))
    except BadData as error:
        raise ValueError(str(error).removeprefix("column 'tree': ")) from None
    return _spelled(tree)


Tree = Annotated[Any, AfterValidator(_checked)]


class TreeSpec(Params):
    """A tree in the plan."""

    kind: ClassVar[str] = "tree"

    tree: Tree = Field(description="labels and what is below them, down to lists of leaves")


def build_tree(column: str, spec: TreeSpec) -> Hierarchy:
    """The hierarchy of the spec."""
    return Hierarchy.from_paths(column, tree_paths(spec.tree))


def flat_tree(leaves: Sequence[str]) -> TreeSpec:
    """The tree in which every leaf stands right below the root."""
    return TreeSpec(tree=list(leaves))
