"""Formulas of an Excel workbook whose results are not stored.

A spreadsheet stores the result of a formula beside it (ECMA-376, part 1, 18.3.1.4: `v` after `f`). A program that only
writes formulas stores none, and such a cell reads as empty until a spreadsheet has opened and saved the workbook.
"""

import re
from pathlib import Path
from zipfile import BadZipFile, ZipFile

_UNCOMPUTED = re.compile(rb"</f>\s*(?:<v\s*/>|<v>\s*</v>|</c>)|<f\b[^>]*/>\s*(?:<v\s*/>|<v>\s*</v>|</c>)")
_SHEET = "xl/worksheets/"
MOST_BYTES = 1 << 26
"""So much of each sheet is looked at."""


def has_uncomputed_formulas(path: Path) -> bool:
    """Whether a sheet of the workbook has a formula without a result; never for a file of another kind."""
    try:
        with ZipFile(path) as book:
            return any(_lacks_results(book, name) for name in book.namelist() if name.startswith(_SHEET))
    except (BadZipFile, OSError):
        return False


def _lacks_results(book: ZipFile, name: str) -> bool:
    with book.open(name) as sheet:
        return _UNCOMPUTED.search(sheet.read(MOST_BYTES)) is not None
