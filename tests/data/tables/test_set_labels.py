"""What published labels can stand for. Covers data/tables/labels."""

import pytest

from tacit.data.tables.hierarchy import Hierarchy
from tacit.data.tables.labels import missing_word, read_labels

LEAVES = ["missing", "(missing)", "nurse", "cook", ""]


def hierarchy(leaves: list[str]) -> Hierarchy:
    return Hierarchy.from_levels("job", [leaves, ["*"] * len(leaves)])


def covered(tree: Hierarchy, label: str) -> list[str] | None:
    (leaves,) = read_labels(tree, [label])
    return None if leaves is None else [tree.leaves[leaf] for leaf in leaves.tolist()]


@pytest.mark.parametrize(
    ("leaves", "word"),
    [(["nurse", ""], "missing"), (["missing", ""], "(missing)"), (LEAVES, "((missing))")],
)
def test_a_missing_value_is_written_like_no_other_label(leaves: list[str], word: str) -> None:
    tree = hierarchy(leaves)
    assert missing_word(tree) == word
    assert covered(tree, "{" + word + "}") == [""]


def test_a_value_that_is_called_missing_is_that_value() -> None:
    tree = hierarchy(LEAVES)
    assert covered(tree, "{missing, cook}") == ["missing", "cook"]
    assert covered(tree, "{nurse, ((missing))}") == ["nurse", ""]
    assert covered(hierarchy(["nurse", "cook", ""]), "{nurse, missing}") == ["nurse", ""]
    assert covered(hierarchy(["nurse", "cook"]), "{nurse, missing}") is None
