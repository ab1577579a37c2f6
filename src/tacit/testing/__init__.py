"""Contract tests: what every card, guarantee, step and kind of data must satisfy, whichever package provides it.

Plain functions with plain asserts, so that any test runner will do. Tacit's own tests call them for all that Tacit
brings; the tests of a package that brings more are a few lines:

    @pytest.mark.parametrize("entry", installed("my_package"), ids=str)
    def test_entry(entry):
        check(entry)

    def test_kind():
        check_kind("my-kind", Path("example.data"))

`check` looks at a part without data of its own. It runs methods on tables and on columns with generated ones,
statistics and other private methods on their neighbours, and attacks on statistics, and measures guarantees about
classes where it can guess their parameters. `check_table_method` runs a method under guarantees that you name,
`check_table_guarantee` measures a guarantee that you give. `check_kind` runs what a kind brings. Other methods, metrics
and attacks by themselves are run by `check_method`, `check_metric` and `check_attack`.
"""

from tacit.testing.cards import check_attack as check_attack
from tacit.testing.cards import check_card as check_card
from tacit.testing.cards import check_method as check_method
from tacit.testing.cards import check_metric as check_metric
from tacit.testing.cards import check_statistics_attack as check_statistics_attack
from tacit.testing.columns import check_column_method as check_column_method
from tacit.testing.guarantees import check_guarantee as check_guarantee
from tacit.testing.installed import InstalledPart as InstalledPart
from tacit.testing.installed import check as check
from tacit.testing.installed import installed as installed
from tacit.testing.kinds import check_kind as check_kind
from tacit.testing.measures import check_table_guarantee as check_table_guarantee
from tacit.testing.private import check_private_method as check_private_method
from tacit.testing.steps import check_step as check_step
from tacit.testing.tables import check_table_method as check_table_method
