"""A second opinion on a whole series of releases, in SQL, on the rows that were read back from each of them.

The signature of a person in a release is the set of values of the person's class. Every class must have at least m
rows with different values, and everybody who appears in several releases must have one signature in all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.data.sources.arrow import from_numbers
from tacit.errors import TacitError

if TYPE_CHECKING:
    import duckdb

    from tacit.guarantees._series import SeriesFinding, SeriesRelease

SIGNATURES = """create table signatures as
    select release, class, count(*) as number, count(distinct value) as different,
        list_sort(list(distinct value)) as shown
    from published group by release, class"""

SMALLEST = "select min(if(different = number, number, 0)) from signatures"

NOT_UNIQUE = "select distinct release from signatures where different < number or number < ? order by release"

PEOPLE = """select count(*), coalesce(sum((signatures > 1)::int), 0), coalesce(sum(astray), 0) from (
    select person, count(distinct coalesce(shown, [])) as signatures, sum((shown is null)::int) as astray
    from homes left join signatures using (release, class) group by person)"""


@dataclass(frozen=True)
class SeriesOpinion:
    """The fewest rows of a class, the releases with a class that fails, and whose signature changed or is unknown."""

    smallest: int
    not_unique: tuple[int, ...]
    people: int
    changed: int
    astray: int


def verify_series(m: int, releases: "Sequence[SeriesRelease]") -> SeriesOpinion:
    """What the rows of all releases and the classes of all people show."""
    import duckdb

    with duckdb.connect(":memory:") as connection:
        connection.execute("set enable_progress_bar = false")
        connection.execute("set autoinstall_known_extensions = false")
        _enter(connection, releases)
        connection.execute(SIGNATURES)
        ((smallest,),) = connection.execute(SMALLEST).fetchall()
        failing = connection.execute(NOT_UNIQUE, [m]).fetchall()
        ((people, changed, astray),) = connection.execute(PEOPLE).fetchall()
    return SeriesOpinion(smallest or 0, tuple(release for (release,) in failing), people, int(changed), int(astray))


def _enter(connection: "duckdb.DuckDBPyConnection", releases: "Sequence[SeriesRelease]") -> None:
    import pyarrow as pa

    published = [(i, one.class_, one.value) for i, one in enumerate(releases, start=1)]
    homes = [(i, one.home, one.person) for i, one in enumerate(releases, start=1)]
    for name, last, parts in (("published", "value", published), ("homes", "person", homes)):
        nothing = np.empty(0, dtype=np.int64)
        columns = {
            "release": np.concatenate([nothing, *(np.full(class_.size, i) for i, class_, _ in parts)]),
            "class": np.concatenate([nothing, *(class_ for _, class_, _ in parts)]),
            last: np.concatenate([nothing, *(about for _, _, about in parts)]),
        }
        connection.register(name, pa.table({title: from_numbers(column) for title, column in columns.items()}))


def require_series_agreement(m: int, releases: "Sequence[SeriesRelease]", found: "SeriesFinding") -> None:
    """The second opinion on the series finds what the first found."""
    opinion = verify_series(m, releases)
    first = SeriesOpinion(found.smallest, found.not_unique, found.people, found.changed, found.astray)
    if opinion != first:
        raise TacitError(
            f"two independent checks of a series of {len(releases)} release(s) disagree: one finds {first}, the other "
            f"{opinion}. This is a defect of Tacit; please report it. Nothing was published"
        )
