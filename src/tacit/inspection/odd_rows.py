"""Remarks on rows and columns that are not what they seem: lines of totals, and formulas without results.

A line of totals at the end of a file counts as a person. It shows where all cells of a column but one or two are
numbers, or where a column with many values has a word for a sum. Nothing is left out: a person must look.
"""

from collections.abc import Iterator, Sequence

from tacit.data.sources.formulas import has_uncomputed_formulas
from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.source import Source, shown_names
from tacit.inspection import shapes
from tacit.spelling import noun

_SUMS_LIST = (
    "total totals subtotal sum summe gesamt gesamtsumme zwischensumme insgesamt totale somma totaal som totaux somme "
    "suma razem summa yhteensä 合計 总计 合计"
)
SUMS = frozenset(_SUMS_LIST.split()) | {"grand total"}
FEWEST_ROWS, MOST_ODD = 20, 2
MANY_VALUES = 12


def remarks_on_rows(source: Source, profiles: Sequence[ColumnProfile]) -> Iterator[str]:
    """What a person should look at before relying on the draft."""
    odd = [profile.name for profile in profiles if _may_have_totals(profile)]
    if odd:
        yield (
            f"{shown_names(odd)}: one or two cells are unlike all others, as in a line of totals or a note below the "
            "data; such a line counts as a person, so take it out of the file"
        )
    empty = [profile.name for profile in profiles if profile.present == 0]
    if empty and source.format == "excel" and source.path is not None and has_uncomputed_formulas(source.path):
        yield (
            f"{shown_names(empty)}: no values, and the workbook has formulas whose results were never stored; if "
            f"{noun(len(empty), 'this column holds', 'these columns hold')} formulas, open the workbook in a "
            "spreadsheet and save it, so that the results can be read"
        )


def _may_have_totals(profile: ColumnProfile) -> bool:
    if profile.present < FEWEST_ROWS or profile.distinct <= MANY_VALUES:
        return False
    if any(value.strip(" :.").casefold() in SUMS for value in profile.examples):
        return True
    texts = sum(shapes.NUMERAL.fullmatch(value.strip()) is None for value in profile.examples)
    odd = round((1 - profile.numeric) * profile.present)
    return 1 <= odd <= MOST_ODD and 1 <= texts <= MOST_ODD
