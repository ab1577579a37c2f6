"""The examples of the reference page on hierarchies are true, and there is one for each kind.

Covers hierarchies/spec.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tacit.data.tables.hierarchies import build_hierarchy, parse_spec
from tacit.data.tables.hierarchies.spec import KINDS

PAGE = (Path(__file__).parents[4] / "docs" / "reference" / "hierarchies.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n# values: (.*?)\n(.*?)```\n```text\n(.*?)```", PAGE, flags=re.DOTALL)


def test_every_kind_has_an_example() -> None:
    assert {next(iter(yaml.safe_load(form))) for _, form, _ in EXAMPLES} == set(KINDS)
    assert PAGE.count("```yaml") == len(EXAMPLES)


@pytest.mark.parametrize(("values", "form", "expected"), EXAMPLES)
def test_the_examples_are_true(values: str, form: str, expected: str, tmp_path: Path) -> None:
    declared: dict[str, Any] = yaml.safe_load(form)
    if "file" in declared:
        (tmp_path / declared["file"]).write_text(expected, encoding="utf-8")
    hierarchy = build_hierarchy("x", parse_spec("x", declared), values.split(", "), tmp_path)
    paths = zip(*map(hierarchy.labels_at, range(hierarchy.height + 1)), strict=True)
    assert [";".join(path) for path in paths] == expected.splitlines()
