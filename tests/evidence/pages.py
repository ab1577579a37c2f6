"""Every sort of page that Tacit writes, as text, for tests that hold for all of them."""

from functools import cache

from tests.attacks.test_attack_board import attacked
from tests.evidence.example_release import broken_release, example_release
from tests.evidence.test_comparison import example as example_comparison
from tests.evidence.test_report import many_columns

from tacit.evidence.comparison.page import render_comparison
from tacit.evidence.tables.public import render_public
from tacit.evidence.tables.report import render_report
from tacit.release.codebook import Codebook, CodebookColumn, CodeCount


def example_codebook() -> Codebook:
    """The codebook of a file with two columns."""
    values = (CodeCount(value="[20, 40)", rows=7), CodeCount(value="", rows=2))
    age = CodebookColumn(name="age", distinct=2, values=values, hidden=1)
    pay = CodebookColumn(name="occupation", distinct=90, values=values[:1], least=1.0, greatest=90.0)
    return Codebook(rows=10, suppressed=1, columns=(age, pay))


@cache
def all_pages() -> dict[str, str]:
    """The pages by name."""
    return {
        "report": render_report(example_release()),
        "broken": render_report(broken_release()),
        "attacked": render_report(attacked()),
        "twenty": render_report(many_columns(20)),
        "public": render_public(example_release(), example_codebook()),
        "comparison": render_comparison(example_comparison()),
    }
