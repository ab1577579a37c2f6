"""Interrupts at the terminal and SIGTERM: whether one came, and what it left behind.

Libraries turn a signal that comes while they call Python into errors of their own. So the command line remembers that
it came: whatever ends the command afterwards is its consequence, and no defect. Where Python is called by code that
can't pass an error on, such as a destructor, the signal is lost; it is sent again then.
"""

import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import click

if TYPE_CHECKING:
    from sys import UnraisableHookArgs
    from types import FrameType

Handler: TypeAlias = "Callable[[int, FrameType | None], object]"

NOTHING = "nothing was changed"
DONE = "the work was already done and stays"
AGAIN = 0.01
"""After so many seconds a signal that was lost is sent again, when the code that can't pass it on has ended."""
_RAISED = {KeyboardInterrupt: signal.SIGINT, SystemExit: signal.SIGTERM}


class Course:
    """How far a command has come: whether it was interrupted, or `ended` by SIGTERM with this exit code, whether its
    work is done, and whether JSON was printed.

    A plain class: `dataclasses` takes as long to import as all of this command line, and `--help` needs it nowhere
    else.
    """

    def __init__(self) -> None:
        self.interrupted = False
        self.ended: int | None = None
        self.is_done = False
        self.has_printed = False

    def heed_signals(self, until_now: Handler) -> None:
        """An interrupt is remembered and raised; where the system ignores them, as for jobs behind, it still does."""
        if threading.current_thread() is not threading.main_thread():
            return
        signal.signal(signal.SIGTERM, self._end)
        if signal.getsignal(signal.SIGINT) is until_now:
            signal.signal(signal.SIGINT, self._interrupt)
        sys.unraisablehook = _sending_again(sys.unraisablehook)

    def _interrupt(self, number: int, frame: object) -> None:
        self.interrupted = True
        raise KeyboardInterrupt

    def _end(self, number: int, frame: object) -> None:
        """Ends the process as an interrupt does, so that nothing half made stays behind."""
        self.ended = 128 + number
        raise SystemExit(self.ended)

    def left_behind(self, error: BaseException) -> str:
        """What the command had done when the error ended it."""
        return told(error) or (DONE if self.is_done else NOTHING)


def _sending_again(others: "Callable[[UnraisableHookArgs], object]") -> "Callable[[UnraisableHookArgs], None]":
    """A signal that can't be raised where it struck strikes again; other errors are told as they were before."""

    def send_again(lost: "UnraisableHookArgs") -> None:
        number = next((number for kind, number in _RAISED.items() if issubclass(lost.exc_type, kind)), None)
        if number is None:
            others(lost)
            return
        timer = threading.Timer(AGAIN, interrupt_main, (number,))
        timer.daemon = True
        timer.start()

    return send_again


def end_interrupts() -> None:
    """The process ends now anyway, so that one more signal has nothing to end."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def told(error: BaseException) -> str:
    """What a run noted on the error that ended it, or on the one behind it, of what stays."""
    behind = error.__cause__ or error.__context__
    notes: list[str] = getattr(error, "__notes__", [])
    return "; ".join(notes) or (told(behind) if behind is not None else "")


def mark_done() -> None:
    """The command that runs now has done its work; what is left is to tell of it."""
    course = _course()
    if course is not None:
        course.is_done = True


def mark_printed() -> None:
    """The command that runs now has printed its JSON: a second object after it would be none that a script can read."""
    course = _course()
    if course is not None:
        course.has_printed = True


def _course() -> Course | None:
    context = click.get_current_context(silent=True)
    return None if context is None else context.find_object(Course)
