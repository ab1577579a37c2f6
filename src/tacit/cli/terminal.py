"""What the commands share: lines and JSON on standard output, complaints and progress on standard error.

All that the command line prints goes through here, where the characters that act on a terminal become visible.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.stops import mark_done, mark_printed
from tacit.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.request import Progress

JSON_VERSION = 1
QUIET_SECONDS = 1.0


def print_json(values: "Mapping[str, Any]") -> None:
    """One JSON object with the version of its form; infinities are strings, and characters that act are escaped."""
    from pydantic_core import to_json

    text = to_json({"json": JSON_VERSION, **values}, indent=2, inf_nan_mode="strings", fallback=str).decode("utf-8")
    shown = text if text.isascii() else "".join(map(_in_json, text))
    _echo(shown)
    mark_printed()


def _in_json(character: str) -> str:
    """The character, as an escape of JSON where a terminal would act on it."""
    return character if character == "\n" or visible(character) == character else json.dumps(character)[1:-1]


def say(*lines: str, err: bool = False) -> None:
    """Prints the lines; what names from outside bring along, and would act on the terminal, is made visible.

    Every line break inside a line comes from outside; those at its ends are ours.
    """
    for line in lines:
        inside = line.strip("\n")
        before, _, after = line.partition(inside) if inside else (line, "", "")
        _echo(f"{before}{visible(inside)}{after}", err)


def _echo(text: str, err: bool = False) -> None:
    """Prints the text; what standard error can't take is lost, because the work does not depend on it."""
    try:
        click.echo(text, err=err)
    except BrokenPipeError:
        if not err:
            raise
    except OSError as error:
        if not err:
            error.filename = "standard output"
            raise


def complain(message: str) -> None:
    """Prints a message to standard error, of several lines where there are several complaints.

    A line that is not the first is indented, so that none which came with a name looks like ours.
    """
    first, *others = _own_words_visible(message).split("\n")
    say(f"tacit: {first}", *(f"  {line}" for line in others), err=True)


def _own_words_visible(message: str) -> str:
    """The message, in which the words of the command line are visible wherever they stand."""
    for word in sys.argv[1:]:
        for part in (word, word.rpartition("/")[2]):
            if visible(part) != part:
                message = message.replace(part, visible(part))
    return message


def setting(text: str) -> tuple[str, Any]:
    """The name and the value in `NAME=VALUE`; the value is JSON, or else text."""
    name, sign, value = text.partition("=")
    if not sign:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="--set")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


@contextmanager
def progress() -> "Iterator[Progress]":
    """A progress that shows itself on standard error once the work takes more than a second."""
    from tacit.request import PUBLISHED
    from tacit.verbs.progress_line import progress_line

    with progress_line(QUIET_SECONDS) as line:

        def tell(words: str) -> None:
            line(words)
            if words == PUBLISHED:
                mark_done()

        yield tell
        mark_done()
