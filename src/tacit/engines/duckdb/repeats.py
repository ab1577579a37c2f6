"""How DuckDB counts what repeats, and draws all rows of some values of a key.

A key's values are drawn by a hash: all rows of a value share it, so a group is drawn whole or not at all.
"""

from collections.abc import Mapping, Sequence

from tacit.data.sources.repeats import DerivedKey, Repeats
from tacit.data.sql import identifier, literal, unused
from tacit.engines.duckdb.reading import text_of

AT_ONCE = 200
"""A query asks about so many columns: longer ones take DuckDB longer than their parts."""


def repeats_queries(relation: str, types: Mapping[str, str], first: int | None) -> list[str]:
    """Selects that give, for each column in turn: rows with a value, distinct values, whether all may be keys."""
    names = list(types)
    queries = []
    for at in range(0, len(names), AT_ONCE):
        asked = names[at : at + AT_ONCE]
        rows = (
            relation if first is None else f"(select {', '.join(map(identifier, asked))} from {relation} limit {first})"
        )
        queries.append(f"select {', '.join(_counts(name, types[name]) for name in asked)} from {rows}")
    return queries


def _counts(name: str, kind: str) -> str:
    value = f"nullif({text_of(name, kind)}, '')"
    # A look at the text costs a fraction of a cast.
    fraction = f"contains({value}, '.') and not ends_with({value}, '.0')"
    return f"count({value}), count(distinct {value}), not coalesce(bool_or({fraction}), false)"


def found_repeats(names: Sequence[str], figures: Sequence[int], exact: bool) -> tuple[Repeats, ...]:
    """What the selects answered, one after another."""
    answers = zip(names, figures[::3], figures[1::3], figures[2::3], strict=True)
    return tuple(
        Repeats(name, present, distinct, bool(may_be_key), exact) for name, present, distinct, may_be_key in answers
    )


def groups_query(
    relation: str, types: Mapping[str, str], keys: Mapping[str | DerivedKey, int], columns: Sequence[str]
) -> str:
    """The columns as text (missing is empty), then for each key whether it was drawn; rows in which one was."""
    texts = ", ".join(f"coalesce({text_of(name, types[name])}, '') as {identifier(name)}" for name in columns)
    drawn = [unused(f"drawn_{place}", types) for place in range(len(keys))]
    flags = ", ".join(
        f"coalesce(hash({_key_text(key, types)}) % {every} = 0, false) as {identifier(flag)}"
        for (key, every), flag in zip(keys.items(), drawn, strict=True)
    )
    return f"select {texts}, {flags} from {relation} where {' or '.join(map(identifier, drawn))}"


def _key_text(key: str | DerivedKey, types: Mapping[str, str]) -> str:
    """A key as text; null where a part of it is missing, or where there is nothing to cut."""
    if isinstance(key, str):
        return text_of(key, types[key])
    parts = [f"nullif({text_of(name, types[name])}, '')" for name in key.columns]
    if key.cut:
        parts = [f"nullif(regexp_extract({part}, {literal(key.pattern)}, 1), '')" for part in parts]
    return " || chr(31) || ".join(parts)
