"""What a pandas frame has and Arrow has not: an index, and columns of intervals and periods.

The index may tell people apart, and a key that is dropped is a key that nobody sees repeat. So every level of the index
that has a name is a column. An index without a name that is different in each row can't link rows, and is left out; any
other is refused, because only its owner knows what it means. Intervals, such as those of `pandas.cut`, and periods
become the texts that pandas shows.
"""

from typing import Any

from tacit.errors import BadData

TOLD_AS_TEXT = ("IntervalDtype", "PeriodDtype")


def index_names(frame: Any) -> list[str]:
    """The names of the index, where it has names."""
    return [str(name) for name in frame.index.names if name is not None]


def with_index(frame: Any) -> Any:
    """The frame with each named level of its index as a column, before the others."""
    _require_single_names(frame)
    named, levels = index_names(frame), frame.index.nlevels
    if len(named) < levels and (levels > 1 or not frame.index.is_unique):
        found = "has a level without a name" if levels > 1 else "has no name, and its labels repeat"
        raise BadData(
            f"the index of the data frame {found}; if it tells people or groups apart, name it, as in "
            "frame.rename_axis('person'), and it is read as a column; if it means nothing, drop it with "
            "frame.reset_index(drop=True)"
        )
    there = [str(name) for name in frame.columns]
    double = next((name for name in named if name in there or named.count(name) > 1), None)
    if double is not None:
        raise BadData(
            f"the index of the data frame has the name {double!r}, which is also the name of a column; rename it with "
            "frame.rename_axis, or drop it with frame.reset_index(drop=True)"
        )
    return frame.reset_index() if named else frame.reset_index(drop=True)


def _require_single_names(frame: Any) -> None:
    """Every column has one name, not one for each of several levels."""
    if frame.columns.nlevels > 1:
        raise BadData(
            f"the columns of the data frame have names of {frame.columns.nlevels} levels; give each a single name, as "
            "in frame.columns = ['_'.join(map(str, name)) for name in frame.columns]"
        )


def with_texts(frame: Any) -> Any:
    """The frame with intervals and periods, and categories that are either, as text; missing cells stay missing."""
    names = [name for name in frame.columns if _is_told_as_text(frame[name].dtype)]
    if not names:
        return frame
    told = frame.copy(deep=False)
    for name in names:
        told[name] = frame[name].astype(object).map(str, na_action="ignore")
    return told


def _is_told_as_text(kind: Any) -> bool:
    categories = getattr(kind, "categories", None)
    return type(kind if categories is None else categories.dtype).__name__ in TOLD_AS_TEXT
