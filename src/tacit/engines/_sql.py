"""Quoting for SQL text."""


def identifier(name: str) -> str:
    """A column or table name, quoted."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text value, quoted."""
    return "'" + text.replace("'", "''") + "'"
