"""What a first look found, in sentences: who may be recognised, what tells people apart, what no promise covers.

The terminal and a notebook show the same sentences, so that neither hides what the other warns of.
"""

from collections.abc import Collection, Iterator, Mapping

from tacit.inspection.draft import NO_SECRET
from tacit.inspection.draft_treatments import told_of
from tacit.inspection.known_secrets import KnownSecrets
from tacit.inspection.suggestion import Suggestion
from tacit.inspection.unit import FoundUnit
from tacit.release.tables import SinglingOut
from tacit.spelling import many, noun, percent


def about_people(unit: FoundUnit) -> Iterator[str]:
    """What tells people apart, or what may."""
    if unit.column is not None:
        yield f"A person may have several rows, and {unit.column!r} tells people apart: {unit.reason}."
    suspected = unit.suspected
    if suspected is not None:
        yield (
            f"{suspected.told[0].upper()}{suspected.told[1:]}. If a person may have several rows, "
            "make one column that tells people apart and name it as `unit` in the plan; if each row is "
            "one person, write `unit: row`."
        )
    for name, doubt in unit.doubts.items():
        yield (
            f"Values of {name!r} repeat, but {doubt}. If a person may have several rows, name the column that tells "
            "people apart as `unit` in the plan; if each row is one person, write `unit: row`."
        )


def about_uniqueness(alone: SinglingOut, counted: str, quasi_identifiers: int, fewer: bool) -> str:
    """How many are unique on the quasi-identifiers together; `counted` says how many of what there are.

    Where somebody is unique on `fewer` columns, a table of these is expected below.
    """
    looked = len(alone.columns)
    where = f"the {many(quasi_identifiers, 'quasi-identifier')}"
    if looked != quasi_identifiers:
        where = f"the first {looked} of the {quasi_identifiers:,} quasi-identifiers (the others were not examined)"
    verb, end = noun(alone.unique, "is", "are"), "; on fewer columns:" if fewer else "."
    return f"{alone.unique:,} of {counted} ({percent(alone.share)}) {verb} unique on {where} together{end}"


def about_secrets(suggestions: Collection[Suggestion], secrets: KnownSecrets) -> Iterator[str]:
    """That nothing is promised about secrets, and that values which are published exact find people."""
    if not any(guess.role == "sensitive" for guess in suggestions):
        yield NO_SECRET
    told = told_of(secrets)
    if told:
        yield told


def about_reading(section: Mapping[str, object], reasons: Mapping[str, str], notes: Collection[str]) -> Iterator[str]:
    """How the data was read where that was guessed, and what else to look at."""
    yield from (f"read with {option} {section[option]!r}: {reason}" for option, reason in reasons.items())
    yield from notes
