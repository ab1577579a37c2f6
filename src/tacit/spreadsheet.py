"""Formula injection: a cell that begins like a formula is run by spreadsheets when a CSV file is opened.

The full-width forms of the signs are among them, since some spreadsheets read them as the plain ones.
"""

FORMULA_STARTS = "=+-@\t\r\n＝＋－＠"


def guarded(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would run it."""
    return "'" + text if text[:1] and text[0] in FORMULA_STARTS else text
