"""How numbers are written: which mark stands before the fraction, and which between thousands.

A cell is a number of the notation as a whole or not at all, and each cell is read by itself: what one person's cell is
changes nothing for the others. 1.234,56 with a decimal comma and points between thousands is 1234.56; 08.02.1983 is no
number, since groups have three digits, and stays as it is. Digits without a mark are never changed, so that codes keep
their leading zeros. A number whose fraction follows the other mark (78.1 where a comma is stated) can't be one of the
notation: a column that has both is refused, since one of them would be misread.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from tacit.errors import BadParameter

DECIMALS = (".", ",")
THOUSANDS = {".": ".", ",": ",", " ": " \u00a0\u202f\u2009", "'": "'\u2019"}
"""The marks that a plan names, and the characters that each stands for: a space is any that doesn't break a line."""
SPACES = " \t\r\n\u00a0\u202f\u2009\u2007\ufeff"
"""What is no part of a cell that is trimmed."""
_EXPONENT = "(?:[eE][+-]?[0-9]{1,3})?"


@dataclass(frozen=True)
class NumberNotation:
    """The marks of numbers; plain numbers have a point and nothing between thousands."""

    decimal: str = "."
    thousands: str | None = None

    def __post_init__(self) -> None:
        """The marks are known, and differ."""
        if self.decimal not in DECIMALS:
            raise BadParameter(f"decimal is {self.decimal!r}; it must be '.' or ','")
        if self.thousands is not None and self.thousands not in THOUSANDS:
            marks = ", ".join(map(repr, THOUSANDS))
            raise BadParameter(f"thousands is {self.thousands!r}; it must be one of {marks}")
        if self.thousands == self.decimal:
            other = "," if self.decimal == "." else "."
            raise BadParameter(
                f"thousands and decimal are both {self.decimal!r}, so numbers can't be read: should decimal be "
                f"{other!r}?"
            )

    @property
    def is_plain(self) -> bool:
        """Whether no number needs to be rewritten."""
        return self == NumberNotation()

    @cached_property
    def marked(self) -> str:
        """The pattern of numbers that are rewritten: with a decimal comma, or with marks between thousands.

        It is one for Python and for RE2 alike, and matches whole cells.
        """
        point = "," if self.decimal == "," else "\\."
        forms = [f"[0-9]*,[0-9]+{_EXPONENT}"] if self.decimal == "," else []
        if self.thousands is not None:
            forms.append(f"[0-9]{{1,3}}(?:[{THOUSANDS[self.thousands]}][0-9]{{3}})+(?:{point}[0-9]+)?")
        return f"[+-]?(?:{'|'.join(forms)})"

    @property
    def foreign(self) -> str:
        """The pattern of numbers of the other notation; those among them that are also `marked` are none of it."""
        return "[+-]?[0-9]+\\.[0-9]+" if self.decimal == "," else "[+-]?[0-9]+,[0-9]+"

    def plain(self, text: str) -> str:
        """The cell with a point and no mark between thousands, if it is a number of this notation; else as it is."""
        if self.is_plain or re.fullmatch(self.marked, text, re.ASCII) is None:
            return text
        grouped = self.thousands is not None and any(mark in text for mark in THOUSANDS[self.thousands])
        for mark in THOUSANDS[self.thousands] if self.thousands else "":
            text = text.replace(mark, "")
        text = text.replace(",", ".") if self.decimal == "," else text
        return re.sub(r"^([+-]?)0+([0-9])", r"\1\2", text) if grouped else text
