"""Lines of totals and formulas without results are remarked, and ordinary columns are not.

Covers inspection/odd_rows, data/sources/formulas.
"""

from dataclasses import replace
from zipfile import ZipFile

import pytest
from tests.inspection.inspected_columns import profile_of

from tacit.data.sources.formulas import has_uncomputed_formulas
from tacit.data.sources.source import Source, file_source
from tacit.inspection.odd_rows import remarks_on_rows

NUMBERS = [str(number) for number in range(1000, 1060)]


def remarks(values, name="nr"):
    return list(remarks_on_rows(Source("csv"), [profile_of(name, values)]))


@pytest.mark.parametrize("last", ["Total", "Summe", "Export Ende"])
def test_a_line_of_totals_is_remarked_without_its_cell(last):
    (told,) = remarks([*NUMBERS, last])
    assert "such a line counts as a person" in told
    assert last not in told


def test_a_sum_among_texts_is_remarked():
    assert remarks([*(f"K{number}" for number in NUMBERS), "Total:"])


@pytest.mark.parametrize(
    "values", [NUMBERS, [f"K{number}" for number in NUMBERS], [*NUMBERS, *("unknown",) * 5], ["a", "total"] * 20]
)
def test_other_columns_are_not_remarked(values):
    assert not remarks(values)


@pytest.mark.parametrize(
    ("cell", "lacks"),
    [
        ("<c><f>A1*2</f><v /></c>", True),
        ("<c><f>A1*2</f><v></v></c>", True),
        ("<c><f>A1*2</f></c>", True),
        ('<c><f t="shared" si="0"/></c>', True),
        ("<c><f>A1*2</f><v>4</v></c>", False),
        ("<c><v>4</v></c>", False),
    ],
)
def test_formulas_without_results(tmp_path, cell, lacks):
    path = tmp_path / "book.xlsx"
    with ZipFile(path, "w") as book:
        book.writestr("xl/worksheets/sheet1.xml", f"<row>{cell}</row>")
    assert has_uncomputed_formulas(path) is lacks
    empty = replace(profile_of("Monthly", [None] * 30), rows=30)
    assert bool(list(remarks_on_rows(file_source(path), [empty]))) is lacks


def test_a_file_of_another_kind_has_no_formulas(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("a,b\n1,2\n")
    assert not has_uncomputed_formulas(path)
