"""A line on standard error that says how far the work is, how long it takes, and how long the rest may take."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import exp
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from tacit.visible import visible

if TYPE_CHECKING:
    from tacit.request import Progress

TICK_SECONDS = 0.25
LINE_SECONDS = 5.0
LONG_SECONDS = 30.0
"""Where nobody watches, the same stage is told again after so long."""
WIDEST, USUAL = 100, 80
LEAST_SPENT, LEAST_SHARE = 5.0, 0.25
"""Before so many seconds and so much of the work nobody can say how long the rest takes."""
SLOWNESS = 3.0
"""A new guess of what is left is believed over so many seconds."""


@contextmanager
def progress_line(quiet_seconds: float, rewritten: bool | None = None) -> "Iterator[Progress]":
    """A progress that shows itself once the work takes longer than the quiet seconds.

    It is one line that is `rewritten`, by default where standard error is a terminal; elsewhere now and then a line.
    """
    state, done = _LineState(), Event()
    is_one_line = sys.stderr.isatty() if rewritten is None else rewritten
    ticker = Thread(target=_tick, args=(state, done, quiet_seconds, is_one_line), daemon=True)
    ticker.start()
    try:
        yield state.tell
    finally:
        done.set()
        ticker.join()


def is_watched() -> bool:
    """Whether somebody watches: standard error is a terminal, or this is a notebook."""
    shell = sys.modules.get("IPython")
    running = shell.get_ipython() if shell is not None else None
    return type(running).__name__ == "ZMQInteractiveShell" or (sys.stderr is not None and sys.stderr.isatty())


class _LineState:
    """What is done now, and since when its share has been growing: from that follows how long the rest may take."""

    def __init__(self) -> None:
        self.words, self.share = "starting", 0.0
        self.began, self.at = monotonic(), 0.0
        self.estimate: _TimeLeft | None = None

    def tell(self, words: str) -> None:
        """The work is at these words; a share that falls is that of other work."""
        share = getattr(words, "share", 0.0)
        if share <= 0 or share < self.share:
            self.began, self.at, self.estimate = monotonic(), share, None
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
        """What the rest takes at the pace until now; None as long as nobody can say."""
        now = monotonic()
        spent, grown = now - self.began, self.share - self.at
        if spent < LEAST_SPENT or grown < LEAST_SHARE:
            return None
        left = spent * (1 - self.share) / grown
        self.estimate = _TimeLeft(left, now) if self.estimate is None else self.estimate.corrected(left, now)
        return self.estimate.left


@dataclass(frozen=True)
class _TimeLeft:
    """How many seconds were left at a time."""

    left: float
    at: float

    def corrected(self, left: float, now: float) -> "_TimeLeft":
        """The guess at a later time, a little nearer to a new one, and never further off by more than the time since.

        Work goes on unevenly, and a time that jumps about tells nobody when to come back.
        """
        passed = now - self.at
        due = self.left - passed
        nearer = due + (left - due) * (1 - exp(-passed / SLOWNESS))
        return _TimeLeft(max(min(nearer, self.left + passed), 0.0), now)


def cut(line: str, width: int) -> str:
    """The line within so many columns, with three dots after the last whole word where it is longer."""
    if len(line) <= width:
        return line
    end = line.rfind(" ", 0, width - 2)
    return f"{line[: end if end > 0 else width - 3].rstrip(' ,:')}..."


def terminal_width() -> int:
    """How many columns a line may take, so that it is not broken; the last stays empty."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError, AttributeError):
        columns = 0
    return min(columns or USUAL, WIDEST + 1) - 1


def _time(seconds: float) -> str:
    """A time that is not exact, in words that do not claim to be."""
    return f"{max(round(seconds), 1)} s" if seconds < 100 else f"{round(seconds / 60)} min"


def _tick(state: _LineState, done: Event, quiet_seconds: float, is_one_line: bool) -> None:
    """Tells the progress until the work is done, or until nobody can be told."""
    with suppress(OSError):
        _tell_on(state, done, quiet_seconds, is_one_line)


def _tell_on(state: _LineState, done: Event, quiet_seconds: float, is_one_line: bool) -> None:
    begin, shown, last = monotonic(), "", 0.0
    while not done.wait(TICK_SECONDS):
        elapsed = monotonic() - begin
        if elapsed < quiet_seconds:
            continue
        stage = state.words.split(",")[0]
        if is_one_line:
            sys.stderr.write(f"\r\x1b[K{cut(state.line(elapsed), terminal_width())}")
            sys.stderr.flush()
        elif not last or (stage != shown and elapsed - last > LINE_SECONDS) or elapsed - last > LONG_SECONDS:
            shown, last = stage, elapsed
            sys.stderr.write(f"{state.line(elapsed)}\n")
    if is_one_line and monotonic() - begin > quiet_seconds:
        sys.stderr.write("\r\x1b[K")
