"""A reader of HTML for the tests: tags that balance, attributes, text, and the numbers that a page shows."""

import re
from html.parser import HTMLParser

VOID = {"meta", "br", "img", "hr", "link", "input"}
NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


class Page(HTMLParser):
    """What a page consists of; a tag that does not close its partner is an error."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.style = ""
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another tag"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]

    def numbers(self) -> set[float]:
        """All numbers that stand in the text, and all that `data` elements carry."""
        written = [found.replace(",", "").replace("−", "-") for found in NUMBER.findall(" ".join(self.words))]
        carried = [value for tag, name, value in self.attributes if (tag, name) == ("data", "value")]
        return {float(number) for number in [*written, *carried]}
