"""Turns of phrase that readers stumbled over stay out of messages, help, reports and pages.

Covers tacit/cli, tacit/evidence.
"""

import re

import pytest
from click import Context, Option
from tests.docs.blocks import ROOT

from tacit.cli import COMMANDS, tacit

TEXTS = [
    *(ROOT / "src").rglob("*.py"),
    *(ROOT / "src").rglob("*.html"),
    ROOT / "README.md",
    *(ROOT / "docs").rglob("*.md"),
]
ODD = (
    "promised is that", "value(s)", "are no dates", "is no multiple", "they are no class", "that none dominates",
    "none dominates", "of them dominate", "he believes", "the stroke is the bound", "Seven verbs",
)  # fmt: skip


@pytest.mark.parametrize("phrase", ODD)
def test_no_text_has_an_odd_phrase(phrase: str) -> None:
    assert [str(page) for page in TEXTS if phrase in page.read_text(encoding="utf-8")] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_an_option_is_no_fragment(name: str) -> None:
    """It begins with a noun or a verb of its own, not with the word that would join it to the option's name."""
    command = tacit.get_command(Context(tacit), name)
    assert command is not None
    for option in command.params:
        if isinstance(option, Option):
            assert option.help, option.name
            assert not re.match(r"(Of|Between|For|In|At|With) ", option.help), option.help
