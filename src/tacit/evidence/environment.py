"""What all pages share: escaping, style sheets, the head, and how numbers are set.

Every value passes through escaping, and characters in it that act or have no picture are written as escapes, as the
terminal shows them (`tacit.visible`). The content security policy admits inline styles and embedded pictures only.
"""

from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tacit.evidence import figures
from tacit.evidence.compiled import CompiledTemplates
from tacit.evidence.numerals import chosen, clean, file_size, moment, seconds, worded
from tacit.spelling import noun, singular

# Constants are not folded, so that what is compiled depends on the text and these options alone, not on our filters.
OPTIONS: dict[str, Any] = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True, "optimized": False}
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def environment(*sheets: str) -> Environment:
    """An environment for the templates of this package, with these style sheets."""
    found = Environment(
        loader=PackageLoader("tacit.evidence"),
        undefined=StrictUndefined,
        finalize=_cleaned,
        bytecode_cache=CompiledTemplates(repr(OPTIONS)),
        **OPTIONS,
    )
    css = "".join(files("tacit.evidence").joinpath(sheet).read_text("utf-8") for sheet in sheets)
    found.globals.update(css=Markup(css), policy=POLICY)
    found.filters.update(
        whole=figures.whole,
        many=lambda value, *nouns: figures.whole(value) + " " + noun(value, *nouns),
        part=figures.part,
        limit=lambda value: figures.datum(value, chosen(value)),
        number=figures.plain_number,
        seconds=lambda value: figures.datum(value, seconds(value)),
        size=lambda value: figures.datum(value, file_size(value)),
        moment=moment,
        worded=worded,
        singular=singular,
    )
    return found


def _cleaned(value: object) -> object:
    return clean(value) if type(value) is str else value
