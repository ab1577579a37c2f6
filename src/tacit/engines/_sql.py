"""SQL text: quoting, and names that nothing else has."""

from collections.abc import Iterable


def identifier(name: str) -> str:
    """A column or table name, quoted."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text value, quoted."""
    return "'" + text.replace("'", "''") + "'"


def unused(name: str, taken: Iterable[str]) -> str:
    """The name, lengthened until none of those taken is the same but for capitals."""
    lowered = {other.lower() for other in taken}
    while name.lower() in lowered:
        name += "_"
    return name
