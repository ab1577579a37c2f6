"""The second definition of each guarantee about republication: what all releases show together, in SQL.

Like the definitions of one release (`_sql`) it is written from the papers and shares no code with the first: this file
imports nothing from the guarantees, sees the parameters as they stand in the evidence, and says for itself what breaks
the promise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

GivenParameters = Mapping[str, Any]


@dataclass(frozen=True)
class RepublicationQueries:
    """Queries over all releases, numbered from 1, and the figures of which any but 0 breaks the promise.

    `published` has release, class and value of each row, `homes` release and class of each person. `tables` are made
    first, in this order; each of `figures` gives a column of whole numbers, which the first definition must find too.
    """

    figures: Mapping[str, str]
    breaches: tuple[str, ...]
    tables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RepublicationInSql:
    """A definition in SQL, from the parameters of the guarantee."""

    define: Callable[[GivenParameters], RepublicationQueries]


def signatures(given: GivenParameters) -> RepublicationQueries:
    """m-invariance: classes of m rows with different values, and one set of values for everybody who stays."""
    return RepublicationQueries(
        tables={
            "signatures": """select release, class, count(*) as number, count(distinct value) as different,
                    list_sort(list(distinct value)) as shown
                from published group by release, class""",
            "people": """select person, count(distinct coalesce(shown, [])) as signatures,
                    sum((shown is null)::int) as astray
                from homes left join signatures using (release, class) group by person""",
        },
        figures={
            "smallest": "select coalesce(min(if(different = number, number, 0)), 0) from signatures",
            "not_unique": f"""select distinct release from signatures
                where different < number or number < {given["m"]} order by release""",
            "people": "select count(*) from people",
            "changed": "select count(*) from people where signatures > 1",
            "astray": "select coalesce(sum(astray), 0) from people",
        },
        breaches=("not_unique", "changed", "astray"),
    )


SIGNATURES = RepublicationInSql(signatures)
