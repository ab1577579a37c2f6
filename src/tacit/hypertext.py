"""Small pieces of HTML for notebooks: a heading, a line, a table; every text is escaped, and nothing is asked for."""

from collections.abc import Iterable, Sequence
from html import escape

from tacit.visible import visible

_STYLE = "text-align:left;padding:0.15em 0.9em 0.15em 0;vertical-align:top"


def safe(text: object) -> str:
    """The text as HTML shows it, whatever is in it."""
    return escape(visible(str(text)), quote=True)


def piece(title: str, *parts: str) -> str:
    """A heading and what stands below it; `parts` are HTML already."""
    return f"<div><p><strong>{safe(title)}</strong></p>{''.join(parts)}</div>"


def line(text: str) -> str:
    """A paragraph of text."""
    return f"<p>{safe(text)}</p>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a head; each row has a cell for each name in it."""
    top = "".join(f'<th scope="col" style="{_STYLE}">{safe(name)}</th>' for name in head)
    body = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: object) -> str:
    return f'<td style="{_STYLE}">{safe(cell)}</td>'
