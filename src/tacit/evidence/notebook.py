"""A report inside a notebook."""

from html import escape


def framed(page: str) -> str:
    """The page inside a frame of its own, in which nothing runs and from which nothing is asked for."""
    return f'<iframe srcdoc="{escape(page, quote=True)}" style="width:100%;height:600px;border:0" sandbox=""></iframe>'
