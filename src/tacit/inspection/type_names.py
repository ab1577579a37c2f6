"""Types of columns in words, for readers who know no SQL."""

from tacit.data.sources.profile import ColumnProfile

WORDS = {
    "VARCHAR": "text",
    "BOOLEAN": "yes or no",
    "DATE": "date",
    "TIME": "time",
    "DECIMAL": "number",
    "DOUBLE": "number",
    "FLOAT": "number",
}


def held_in_words(profile: ColumnProfile) -> str:
    """What a column holds; text that is numbers throughout, as in a CSV file, is called numbers."""
    words = type_in_words(profile.type)
    return "number" if words == "text" and profile.numeric == 1 else words


def type_in_words(type_: str) -> str:
    """What a column of the engine's type holds: `text`, `whole number`; another type by its own name."""
    bare = type_.partition("(")[0]
    if bare.startswith("TIMESTAMP"):
        return "date and time"
    if bare.endswith(("INT", "INTEGER")):
        return "whole number"
    return WORDS.get(bare, bare.lower())
