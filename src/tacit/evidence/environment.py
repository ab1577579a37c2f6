"""What all pages share: escaping, style sheets, the head, and how numbers are set.

Every value passes through escaping, and texts lose the characters that could drive a terminal or turn the writing
direction. The content security policy admits inline styles and embedded pictures only.
"""

from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tacit.evidence import figures
from tacit.evidence.numerals import chosen, clean, file_size, moment, seconds, worded

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def environment(*sheets: str) -> Environment:
    """An environment for the templates of this package, with these style sheets."""
    found = Environment(
        loader=PackageLoader("tacit.evidence"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_cleaned,
        # Each template is rendered once, so that folding its constants costs more than it saves.
        optimized=False,
    )
    css = "".join(files("tacit.evidence").joinpath(sheet).read_text("utf-8") for sheet in sheets)
    found.globals.update(css=Markup(css), policy=POLICY)
    found.filters.update(
        whole=figures.whole,
        part=figures.part,
        limit=lambda value: figures.datum(value, chosen(value)),
        number=figures.plain_number,
        seconds=lambda value: figures.datum(value, seconds(value)),
        size=lambda value: figures.datum(value, file_size(value)),
        moment=moment,
        worded=worded,
    )
    return found


def _cleaned(value: object) -> object:
    return clean(value) if type(value) is str else value
