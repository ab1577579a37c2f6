"""Pieces of HTML: every text is escaped, in a heading, a line, a head and a cell."""

from html.parser import HTMLParser

from tacit.hypertext import line, piece, table

HOSTILE = '<script>alert("x")</script>\x1b[2J'


class Tags(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_hostile_text_stays_text() -> None:
    found = Tags(piece(HOSTILE, line(HOSTILE), table([HOSTILE], [[HOSTILE], [3]])))
    assert set(found.tags) == {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert found.text == '<script>alert("x")</script>\\x1b[2J' * 4 + "3"
