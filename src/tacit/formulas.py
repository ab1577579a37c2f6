"""Formula injection: a cell that begins like a formula is run by spreadsheets when a CSV file is opened."""

FORMULA_STARTS = "=+-@\t\r"


def guarded(text: str) -> str:
    """The text with an apostrophe in front where a spreadsheet would run it."""
    return "'" + text if text[:1] and text[0] in FORMULA_STARTS else text
