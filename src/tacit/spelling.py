"""Words: what a misspelt name probably meant, and nouns as their number asks for."""

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], otherwise: str | None = None) -> str:
    """`did you mean 'loss'?` where a known name is close; else `otherwise`, which by default lists the known ones.

    Of a name that differs only in how its letters are composed (ö, or o and two dots) a reader would see no difference.
    """
    # Only a misspelt name pays for these imports.
    from difflib import get_close_matches
    from unicodedata import normalize

    names = tuple(known)
    twin = next((each for each in names if normalize("NFC", each) == normalize("NFC", name)), None)
    if twin not in (None, name):
        return f"{twin!r} looks alike but is composed of different characters: copy the name from the file"
    alike = [each for each in names if each.lower() == name.lower()]
    close = alike or get_close_matches(name, names, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"the known ones are: {', '.join(names) or 'none'}" if otherwise is None else otherwise


def meant(names: Iterable[str], known: Iterable[str]) -> str:
    """`; did you mean 'loss'?` for the first of the names that is close to a known one; empty where none is."""
    there = tuple(known)
    hints = (did_you_mean(name, there, otherwise="") for name in names)
    return next((f"; {hint}" for hint in hints if hint), "")


def many(number: int, one: str, several: str = "") -> str:
    """The number with its noun: `1 row`, `1,000 rows`, `2 people have`; `several` is by default `one` with an s."""
    return f"{number:,} {noun(number, one, several)}"


def noun(number: float, one: str, several: str = "") -> str:
    """The noun, or a verb, that goes with the number."""
    return one if number == 1 else several or f"{one}s"


def percent(share: float) -> str:
    """A finite share in percent: `12.5 %`; `0 %` and `100 %` only where it is exactly that."""
    value = 100 * share
    if value in (0, 100):
        return f"{value:.0f} %"
    for digits in (1, 2, 3, 4):
        text = f"{value:,.{digits}f}"
        if text.replace("-", "").strip("0.,") and text != f"{100:.{digits}f}":
            return f"{text} %"
    return f"{value:.1e} %" if value < 50 else f"{value!r} %"


def singular(several: str) -> str:
    """One of what a word in the plural names: `class` for `classes`, `person` for `people`, `group` for `groups`."""
    first, *rest = several.split(" ")
    if first == "people":
        first = "person"
    elif first.endswith("ies"):
        first = f"{first[:-3]}y"
    else:
        first = first.removesuffix("es") if first.endswith("sses") else first.removesuffix("s")
    return " ".join([first, *rest])
