"""Text from outside as it may be shown: whatever could act on a terminal or deceive a reader becomes visible.

Names of columns, files and plans come from strangers. A terminal obeys the escape sequences in them, which clear the
screen or set its title; a line break begins a line that looks like ours; marks of direction (Unicode annex 9) show
letters in another order than they have. All of these, and what has no picture at all, are written as Python writes
them in a text: `\\x1b`, `\\n`, `\\u202e`. What a reader sees is then what is there. Letters of every script stay.
"""

import unicodedata

ACTING = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Categories of characters that act or have no picture: controls, marks of direction, breaks, surrogates, unassigned"""
JOINERS = "\u200c\u200d"
"""Two such characters that spell words in Persian and Indic scripts, and join emoji."""


def visible(text: str, keep: str = "") -> str:
    """The text with every character that acts written as an escape; those in `keep` stay, such as our own breaks."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one if one in keep or not _acts(one) else escaped(one) for one in text)


def _acts(character: str) -> bool:
    return character not in JOINERS and unicodedata.category(character) in ACTING


def escaped(character: str) -> str:
    """The character as Python writes it in a text."""
    return character.encode("unicode_escape").decode("ascii")
