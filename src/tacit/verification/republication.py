"""A second opinion on all releases together, in SQL, on the rows that were read back from each of them.

The queries are those of the guarantee, which its first check does not share. What both count must be the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacit.data.sources.arrow import from_numbers
from tacit.errors import TacitError
from tacit.guarantees.guarantee import NotInSql, RepublicationFinding, RepublicationGuarantee, RepublicationQueries
from tacit.spelling import many

if TYPE_CHECKING:
    import duckdb

    from tacit.data.tables.remembered_release import RememberedRelease


@dataclass(frozen=True)
class RepublicationOpinion:
    """The figures that the queries gave, by name, and whether none of them breaks the promise."""

    figures: Mapping[str, tuple[int, ...]]
    holds: bool


def verify_releases(
    guarantee: RepublicationGuarantee, releases: "Sequence[RememberedRelease]"
) -> RepublicationOpinion | None:
    """What the rows of all releases and the classes of all people show; None where the guarantee says why not."""
    import duckdb

    if isinstance(guarantee.republication_sql, NotInSql):
        return None
    queries = guarantee.republication_sql.define(guarantee.model_dump())
    with duckdb.connect(":memory:") as connection:
        connection.execute("set enable_progress_bar = false")
        connection.execute("set autoinstall_known_extensions = false")
        _enter(connection, releases)
        for name, query in queries.tables.items():
            connection.execute(f"create table {name} as {query}")
        return _opinion(connection, queries)


def _opinion(connection: "duckdb.DuckDBPyConnection", queries: RepublicationQueries) -> RepublicationOpinion:
    figures = {
        name: tuple(int(number) for (number,) in connection.execute(query).fetchall())
        for name, query in queries.figures.items()
    }
    return RepublicationOpinion(figures, not any(number for name in queries.breaches for number in figures[name]))


def _enter(connection: "duckdb.DuckDBPyConnection", releases: "Sequence[RememberedRelease]") -> None:
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


def require_releases_agreement(
    guarantee: RepublicationGuarantee, releases: "Sequence[RememberedRelease]", found: RepublicationFinding
) -> None:
    """The second opinion on all releases finds what the first found."""
    opinion = verify_releases(guarantee, releases)
    first = RepublicationOpinion(dict(found.figures), found.holds)
    if opinion is not None and opinion != first:
        raise TacitError(
            f"two independent checks of {many(len(releases), 'release')} together under {guarantee.name} disagree: one "
            f"finds {dict(first.figures)}, the other {dict(opinion.figures)}. This is a defect of Tacit or of the "
            "guarantee; please report it. Nothing was published"
        )
