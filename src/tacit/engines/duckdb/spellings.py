"""How DuckDB counts values that differ only in spelling once.

A value is *folded*: small letters; without a final `.0`; blanks and punctuation between a letter and a digit left out,
elsewhere written as one `-`, and none at the ends; no zeros in front of its first number. So 1-23 and 12-3 stay apart,
and so do hashes of equal length, whose zeros are digits like others. One without any punctuation left is the same as
one that has some, if letters and digits agree: 123456789 and 123-45-6789. 12007-1 is 12007 with a digit that checks it,
where 12007 is there too. In mail addresses punctuation tells people apart, so only capitals, blanks at the ends, what
stands behind a `+` and the two names of one provider are folded.
"""

from tacit.engines.duckdb.reading import text_of

_FOLDS = (
    (r"\.0+\s*$", ""),
    (r"(\p{L})[^\p{L}\p{M}\p{N}]+(\p{N})", r"\1\2"),
    (r"(\p{N})[^\p{L}\p{M}\p{N}]+(\p{L})", r"\1\2"),
    (r"[^\p{L}\p{M}\p{N}]+", "-"),
    (r"^-|-$", ""),
    (r"^(\p{L}*)0+([0-9])", r"\1\2"),
)
"""What is replaced by what, one after another."""
_SIGNED = "^([^@]*[0-9][^@]*)-[0-9a-z]$"
"""A number with one more digit or letter behind it, which checks it."""


def spellings_query(relation: str, column: str, kind: str) -> str:
    """Selects how many values the column has, those that differ only in spelling counted once."""
    folded = "lower(value)"
    for pattern, by in _FOLDS:
        folded = f"regexp_replace({folded}, '{pattern}', '{by}', 'g')"
    mail = "replace(regexp_replace(lower(trim(value)), '[+][^@]*@', '@'), '@googlemail.', '@gmail.')"
    folded = f"case when contains(value, '@') then {mail} else {folded} end"
    values = f"select distinct nullif({text_of(column, kind)}, '') as value from {relation}"
    spelt = f"select distinct {folded} as folded from ({values}) where value is not null"
    head = f"regexp_extract(longer.folded, '{_SIGNED}', 1)"
    alike = (
        f"with spelt as materialized ({spelt}) select distinct coalesce(shorter.folded, longer.folded) as folded "
        f"from spelt longer left join spelt shorter on shorter.folded = {head}"
    )
    # Of those that agree in letters and digits the ones with a `-` differ, and one without is any of them.
    apart = "case when contains(folded, '@') then folded else replace(folded, '-', '') end"
    groups = f"select greatest(count(*) filter (contains(folded, '-')), 1) as people from ({alike}) group by {apart}"
    return f"select coalesce(sum(people), 0) from ({groups})"
