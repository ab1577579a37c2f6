"""What a draft says of columns that are published exact and find people: a warning, and treatments as comments."""

from collections.abc import Iterator, Mapping
from textwrap import wrap

from tacit.inspection.draft import comment, flow
from tacit.inspection.known_secrets import KnownSecrets, TreatmentProposal
from tacit.inspection.suggestion import Suggestion
from tacit.release.tables import KnownValues
from tacit.spelling import many, noun, percent

WIDTH = 116
MANY_VALUES = 20
"""From so many values on, a number counts as continuous."""
CONTINUOUS = ("number", "money", "age", "coordinate")


def told_of(secrets: KnownSecrets) -> str:
    """Whom exact values find, in a sentence; nothing where they find few."""
    most = secrets.most
    if most is None:
        return ""
    names = " and ".join(most.columns)
    verb, value = ("they are", "these two values") if len(most.columns) > 1 else ("it is", "this value")
    return (
        f"{_found(secrets, most)} on {names} alone, published as {verb}: anyone who knows {value} of a person finds "
        "the row. The draft proposes what to do about it."
    )


def _found(secrets: KnownSecrets, known: KnownValues) -> str:
    whole = known.people
    all_of_them = many(whole, "person", "people") if secrets.counted == "person" else many(whole, "row")
    return f"{known.unique:,} of {all_of_them} ({percent(known.share)}) {noun(known.unique, 'is', 'are')} unique"


def treatment_lines(secrets: KnownSecrets) -> tuple[str, ...]:
    """The lines of a draft's release section, all of them comments; none where exact values find few."""
    if secrets.most is None:
        return ()
    return tuple(f"  # {line}".rstrip() for line in _lines(secrets))


def lines_on_numbers(suggestions: Mapping[str, Suggestion]) -> tuple[str, ...]:
    """What to do where all quasi-identifiers are continuous, of which intervals lose much; nothing elsewhere."""
    known = [one for one in suggestions.values() if one.role == "quasi-identifier"]
    if len(known) < 2 or any(one.kind not in CONTINUOUS or one.distinct < MANY_VALUES for one in known):
        return ()
    told = (
        "All quasi-identifiers are continuous numbers, and intervals lose much of their detail. Microaggregation, "
        "available in Python, publishes every row as the mean of a group of at least k similar rows, so numbers stay "
        "numbers: see docs/how-to/perturb-numbers.md."
    )
    return tuple(f"  # {line}" for line in wrap(told, WIDTH))


def _lines(secrets: KnownSecrets) -> Iterator[str]:
    most = secrets.most
    assert most is not None
    names = comment(" and ".join(most.columns))
    yield from wrap(
        f"{_found(secrets, most)} on {names} alone. No promise above covers that. Give such a column the role "
        "quasi-identifier if others may know it, the role identifier to leave it out, or publish it less exactly.",
        WIDTH,
    )
    if secrets.texts:
        texts = comment(", ".join(secrets.texts))
        yield from wrap(
            f"These are not read as numbers: {texts}. If they are amounts, say which mark stands between thousands "
            "(`thousands`) and remove currency signs from the data; otherwise only a role helps.",
            WIDTH,
        )
    if secrets.proposals:
        yield "To publish numbers less exactly, uncomment one of these blocks:"
    for proposal in secrets.proposals:
        yield from _block(proposal)


def _block(proposal: TreatmentProposal) -> Iterator[str]:
    yield f"treatments:  # {proposal.title.lower()}: {_left(proposal)}"
    yield from (f"  - {flow(dict(entry))}" for entry in proposal.entries)


def _left(proposal: TreatmentProposal) -> str:
    """What the treatment leaves, as far as it is known."""
    left = proposal.left
    if left is None:
        return "who stays unique was not counted, since grouping so many rows takes long; `tacit protect` counts it"
    if not left.unique:
        return "nobody stays unique on one or two values"
    return f"{left.unique:,} ({percent(left.share)}) stay unique, on {comment(' and '.join(left.columns))}"
