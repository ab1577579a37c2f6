"""What the commands share: JSON on standard output, progress on standard error."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.stops import mark_done

if TYPE_CHECKING:
    from tacit.request import Progress

JSON_VERSION = 1
QUIET_SECONDS = 1.0
TICK_SECONDS = 0.25
LINE_SECONDS = 5.0


def print_json(values: dict[str, Any]) -> None:
    """One JSON object with the version of its form; infinities are strings."""
    from pydantic_core import to_json

    text = to_json({"json": JSON_VERSION, **values}, indent=2, inf_nan_mode="strings", fallback=str)
    click.echo(text.decode("utf-8"))


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

    state = {"now": "starting"}

    def tell(words: str) -> None:
        state["now"] = words
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


def _tick(state: dict[str, str], done: Event) -> None:
    begin, shown, last = monotonic(), "", 0.0
    is_terminal = sys.stderr.isatty()
    while not done.wait(TICK_SECONDS):
        elapsed = monotonic() - begin
        if elapsed < QUIET_SECONDS:
            continue
        if is_terminal:
            sys.stderr.write(f"\r\x1b[K{elapsed:5.1f} s  {state['now']}"[:110])
            sys.stderr.flush()
        elif (state["now"].split(",")[0] != shown and elapsed - last > LINE_SECONDS) or not last:
            shown, last = state["now"].split(",")[0], elapsed
            sys.stderr.write(f"{elapsed:.1f} s  {state['now']}\n")
    if is_terminal and monotonic() - begin > QUIET_SECONDS:
        sys.stderr.write("\r\x1b[K")
