"""What the commands share: lines and JSON on standard output, complaints and progress on standard error.

All that the command line prints goes through here, where the characters that act on a terminal become visible.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.stops import mark_done, mark_printed
from tacit.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.request import Progress

JSON_VERSION = 1
QUIET_SECONDS = 1.0
TICK_SECONDS = 0.25
LINE_SECONDS = 5.0
LONG_SECONDS = 30.0
"""Where nobody watches, the same stage is told again after so long."""
WIDEST = 100
LEAST_SPENT, LEAST_SHARE = 1.0, 0.05
"""Before so many seconds or so much of the work nobody can say how long the rest takes."""


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

    state = _Work()

    def tell(words: str) -> None:
        state.tell(words)
        if words == PUBLISHED:
            mark_done()

    done = Event()
    ticker = Thread(target=_tick, args=(state, done), daemon=True)
    ticker.start()
    try:
        yield tell
        mark_done()
    finally:
        done.set()
        ticker.join()


class _Work:
    """What is done now, and since when its share has been growing: from that follows how long the rest may take."""

    def __init__(self) -> None:
        self.words, self.share = "starting", 0.0
        self.began, self.at = monotonic(), 0.0

    def tell(self, words: str) -> None:
        """The work is at these words; a share that falls is that of other work."""
        share = getattr(words, "share", 0.0)
        if share <= 0 or share < self.share:
            self.began, self.at = monotonic(), share
        self.words, self.share = str(words), share

    def line(self, elapsed: float) -> str:
        """Time, share, what may be left, and what is done now."""
        parts = [f"{elapsed:.1f} s"]
        if self.share > 0:
            parts.append(f"{self.share:.0%}".replace("%", " %"))
        left = self._seconds_left()
        if left is not None:
            parts.append(f"about {_time(left)} left")
        return "  ".join([*parts, visible(self.words)])

    def _seconds_left(self) -> float | None:
        """What the rest takes at the pace until now; None as long as that would be a guess."""
        spent, grown = monotonic() - self.began, self.share - self.at
        if spent < LEAST_SPENT or grown < LEAST_SHARE:
            return None
        return spent * (1 - self.share) / grown


def _time(seconds: float) -> str:
    """A time that is not exact, in words that do not claim to be."""
    return f"{max(round(seconds), 1)} s" if seconds < 100 else f"{round(seconds / 60)} min"


def _tick(state: _Work, done: Event) -> None:
    """Tells the progress until the work is done, or until nobody can be told."""
    with suppress(OSError):
        _tell_on(state, done)


def _tell_on(state: _Work, done: Event) -> None:
    begin, shown, last = monotonic(), "", 0.0
    is_terminal = sys.stderr.isatty()
    while not done.wait(TICK_SECONDS):
        elapsed = monotonic() - begin
        if elapsed < QUIET_SECONDS:
            continue
        stage = state.words.split(",")[0]
        if is_terminal:
            sys.stderr.write(f"\r\x1b[K{state.line(elapsed):.{WIDEST}}")
            sys.stderr.flush()
        elif not last or (stage != shown and elapsed - last > LINE_SECONDS) or elapsed - last > LONG_SECONDS:
            shown, last = stage, elapsed
            sys.stderr.write(f"{state.line(elapsed)}\n")
    if is_terminal and monotonic() - begin > QUIET_SECONDS:
        sys.stderr.write("\r\x1b[K")
