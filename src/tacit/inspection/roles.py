"""Roles: a guess for each column, with its kind, a reason in plain words and how it might generalise.

Rules are asked in order, the surest first: what the values look like, then what the column's name says, then what the
counts say. The first that has an opinion decides. A guess errs on the side of people: a column that nothing is known
about is a quasi-identifier, never insensitive, and what may name a person is an identifier. Reasons show shares and
counts, never a value.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tacit.data.sources.profile import ColumnProfile
from tacit.inspection import words
from tacit.inspection.attribute_rules import (
    by_category,
    by_constant,
    by_date,
    by_number,
    by_person_word,
    by_secret_word,
    by_text,
)
from tacit.inspection.health_words import may_be_clinical, speaks_of_trial
from tacit.inspection.identifying_rules import (
    by_identifier_word,
    by_pattern,
    by_person_key,
    by_person_name,
    by_phone,
    by_record_key,
    by_sentence,
)
from tacit.inspection.proposals import propose
from tacit.inspection.suggestion import INFER, KNOWN_BY_DEFAULT, ProfiledColumn, Suggestion, count_of_values

COMPANY = 2
"""Columns that speak of health or of a trial, from which on a file is about health."""


def suggest_all(profiles: Sequence[ColumnProfile]) -> dict[str, Suggestion]:
    """The guess for every column; in a file about health, words that may be clinical are."""
    guesses = {profile.name: suggest(profile) for profile in profiles}
    sure = sum(guess.kind in ("health", "diagnosis") for guess in guesses.values())
    if sure + sum(speaks_of_trial(words.parts(name)) for name in guesses) < COMPANY:
        return guesses
    for name, guess in guesses.items():
        if guess.kind in ("number", "boolean", "category", "code") and may_be_clinical(words.parts(name)):
            reason = "beside columns about health, its name suggests a finding or a treatment"
            guesses[name] = replace(guess, role="sensitive", kind="health", reason=reason, hierarchy=None)
    return guesses


def suggest(profile: ColumnProfile) -> Suggestion:
    """The guess for one column by itself."""
    column = ProfiledColumn(profile, tuple(value.strip() for value in profile.examples if value.strip()))
    if not column.values:
        return column.guess("insensitive", "empty", "has no values")
    found = next((guess for rule in RULES if (guess := rule(column)) is not None), None) or column.guess(
        "quasi-identifier", "category", f"a category with {count_of_values(profile)}; {KNOWN_BY_DEFAULT}", INFER
    )
    return replace(found, hierarchy=propose(found.kind, profile, column.values, found.hierarchy))


RULES: tuple[Callable[[ProfiledColumn], Suggestion | None], ...] = (
    by_pattern,
    by_date,
    by_phone,
    by_person_name,
    by_identifier_word,
    by_sentence,
    by_person_key,
    by_person_word,
    by_secret_word,
    by_record_key,
    by_constant,
    by_category,
    by_number,
    by_text,
)
