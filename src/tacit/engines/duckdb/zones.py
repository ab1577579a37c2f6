"""Times with a zone, as the clock of their zone shows them.

DuckDB keeps such a time as an instant and tells it in the zone of the session: midnight on 1 January in Berlin would be
a time in December. Arrow knows the zone of a column, also that of a Parquet file if Arrow wrote it. So the column is
read as times without a zone, which is what its owner sees. Columns in UTC stay as they are.
"""

import re
from typing import TYPE_CHECKING

from tacit.data.aggregates.array_cells import UTC_NAMES
from tacit.data.sql import identifier, literal

if TYPE_CHECKING:
    import pyarrow as pa

_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


def in_own_zones(relation: str, schema: "pa.Schema") -> str:
    """The relation, with each column of times in a zone as the clock there shows them."""
    import pyarrow as pa

    zones = {field.name: field.type.tz for field in schema if pa.types.is_timestamp(field.type) and field.type.tz}
    told = [f"{_local(name, zone)} as {identifier(name)}" for name, zone in zones.items() if zone not in UTC_NAMES]
    return f"(select * replace ({', '.join(told)}) from {relation})" if told else relation


def _local(name: str, zone: str) -> str:
    """A column of instants as the time of the zone, which has a name or an offset."""
    offset = _OFFSET.fullmatch(zone)
    if offset is None:
        return f"timezone({literal(zone)}, {identifier(name)})"
    sign, hours, minutes = offset.groups()
    seconds = int(f"{sign}{int(hours) * 3600 + int(minutes) * 60}")
    return f"timezone('UTC', {identifier(name)}) + to_seconds({seconds})"
