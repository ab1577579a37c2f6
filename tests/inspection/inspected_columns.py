"""Profiles of columns made in Python, for tests of the guesses."""

from collections import Counter
from collections.abc import Sequence

from tacit.data.sources.profile import MOST_EXAMPLES, ColumnProfile


def profile_of(name: str, values: Sequence[str | None], type_: str = "VARCHAR") -> ColumnProfile:
    """What the engine would report of these values."""
    present = [value for value in values if value]
    counts = Counter(present)
    numbers = [float(value) for value in present if _is_number(value)]
    all_numbers = bool(present) and len(numbers) == len(present)
    lengths = [len(value) for value in present]
    return ColumnProfile(
        name=name,
        type=type_,
        rows=len(values),
        missing=len(values) - len(present),
        distinct=len(counts),
        unique=sum(count == 1 for count in counts.values()),
        shortest=min(lengths, default=0),
        longest=max(lengths, default=0),
        numeric=len(numbers) / len(present) if present else 0.0,
        minimum=str(min(numbers)) if all_numbers else min(present, default=None),
        maximum=str(max(numbers)) if all_numbers else max(present, default=None),
        examples=tuple(counts)[:MOST_EXAMPLES],
    )


def _is_number(text: str) -> bool:
    try:
        return float(text) - float(text) == 0
    except ValueError:
        return False
