"""The command line. A command's module is imported when the command runs, so that `--help` answers at once."""

import gc
import os
import signal
import sys
from contextlib import suppress

import click

from tacit import distribution
from tacit.cli.stops import DONE, Course, Handler, end_interrupts, told
from tacit.cli.streams import give_up_unwritten, open_closed
from tacit.errors import TacitError

COMMANDS = {
    "demo": "Protect an invented register, ask questions about it, and show the results.",
    "inspect": "Inspect a file's columns, roles and who stands out, and write a draft plan.",
    "protect": "Make a release under the plan's guarantees, with evidence.",
    "ask": "Answer the plan's questions with differential privacy, charged to its budget.",
    "budget": "Show what a plan's questions have spent and what is left.",
    "tabulate": "Publish a table of counts without its small cells.",
    "compare": "Compare methods and parameters by risk and loss.",
    "check": "Check whether a file keeps the promises of a plan.",
    "attack": "Attack a release, or published statistics, to see what each adversary learns.",
    "audit": "Try to disprove that a method, or a function of yours, is private.",
    "methods": "List methods, guarantees, metrics and attacks, or describe one.",
}
BAD_INPUT = 3
INTERNAL_ERROR = 70
INTERRUPTED = 130
NEW_OBJECTS = 10_000
"""After so many the collector looks for cycles. A command imports thousands of objects that stay until it ends, which
Python's own 700 would look through again and again; arrays and tables are no cycles and go at once."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and one-line helps without importing them."""

    def list_commands(self, context: click.Context) -> list[str]:
        """The commands in the order of work."""
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command, imported now."""
        if name not in COMMANDS:
            return None
        from importlib import import_module

        command: click.Command = import_module(f"tacit.cli.{name}").COMMAND
        return command

    def resolve_command(
        self, context: click.Context, words: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words begin with; of a misspelt one, which was probably meant."""
        try:
            return super().resolve_command(context, words)
        except click.UsageError as error:
            from difflib import get_close_matches

            close = get_close_matches(words[0], COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"{error.message}{hint}", context) from None

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help text, from the one-line helps."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(distribution.VERSION, prog_name="tacit")
def tacit() -> None:
    """Use data about people without betraying them.

    Exit codes: 0 done or holds; 1 a guarantee fails, a claim is refuted, or files of a release were changed; 2 usage;
    3 bad input; 4 budget refused; 5 policy refused; 70 internal error; 130 interrupted; 143 ended by SIGTERM.
    """


def main(until_now: Handler = signal.default_int_handler) -> None:
    """Runs the command line and ends the process with its exit code; `until_now` is what heeded interrupts before."""
    gc.set_threshold(NEW_OBJECTS)
    # NumPy's threads for matrices spin for a tenth of a second whether or not there is a matrix to multiply, and ours
    # are small. With one thread sums do not depend on the number of cores either.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    open_closed()
    course, out = Course(), sys.stdout
    try:
        course.heed_signals(until_now)
        code = tacit.main(prog_name="tacit", standalone_mode=False, obj=course)
    except SystemExit as end:
        # Where nobody reads the output any more, Click replaces it and ends with 1; that is no failed guarantee.
        code = 0 if sys.stdout is not out else end.code
    except BaseException as error:  # noqa: BLE001 - the last door: a traceback could show data
        if course.ended is not None:
            failure = Failure("Ended", "", course.ended)
        elif course.interrupted or isinstance(error, click.Abort | KeyboardInterrupt):
            failure = Failure("Interrupted", f"interrupted; {course.left_behind(error)}", INTERRUPTED)
        else:
            failure = _failure(error)
            if isinstance(error, OSError) and course.is_done and failure.message and not told(error):
                failure.message = f"{failure.message}; {DONE}"
        code = failure.tell(as_json=_wants_json() and not course.has_printed)
    end_interrupts()
    give_up_unwritten()
    sys.exit(code if isinstance(code, int) else 0)


class Failure:
    """Why a command ended without its result: the kind of error, what is said of it, and the exit code.

    A plain class for the reason that `Course` is one.
    """

    def __init__(self, kind: str, message: str, exit_code: int, shown: str | None = None) -> None:
        self.kind, self.message, self.exit_code = kind, message, exit_code
        self.shown = shown

    def tell(self, as_json: bool) -> int:
        """Says it on standard error and, where JSON is wanted, as JSON on standard output; gives the exit code."""
        from tacit.cli.terminal import complain, print_json, say

        if self.shown is not None:
            say(*self.shown.split("\n"), err=True)
        elif self.message:
            complain(self.message)
        if as_json and self.message:
            # What could not be written may be this very output; then standard error and the exit code tell it.
            with suppress(OSError):
                print_json({"error": {"kind": self.kind, "message": self.message, "exit_code": self.exit_code}})
        return self.exit_code


def _wants_json() -> bool:
    """Whether the command line asks for JSON, even if it can't be understood otherwise."""
    words = sys.argv[1:]
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def _failure(error: BaseException) -> Failure:
    """What went wrong, and what was spent or published before."""
    if isinstance(error, click.ClickException):
        return _usage(error)
    if isinstance(error, TacitError):
        found = Failure(type(error).__name__, str(error), error.exit_code)
    else:
        found = _system(error) if isinstance(error, OSError) else _internal(error)
    if told(error):
        found.message = f"{found.message}\n{told(error)}" if found.message else told(error)
    return found


def _usage(error: click.ClickException) -> Failure:
    """What Click says of a command line that it does not understand."""
    from io import StringIO

    shown = StringIO()
    error.show(shown)
    return Failure("Usage", error.format_message(), error.exit_code, shown.getvalue().rstrip("\n"))


def _system(error: OSError) -> Failure:
    """What the system said, and about which file."""
    if isinstance(error, BrokenPipeError):
        return Failure("System", "", 0)
    reason = error.strerror or type(error).__name__
    words = (
        f"{error.filename}: {reason}" if error.filename else f"what was to be read or written could not be: {reason}"
    )
    return Failure("System", words, BAD_INPUT)


def _internal(error: BaseException) -> Failure:
    """Where an unexpected error arose, without its message, which could hold data; TACIT_DEBUG=1 shows all."""
    if os.environ.get("TACIT_DEBUG"):
        raise error
    from traceback import walk_tb

    frames = list(walk_tb(error.__traceback__))
    names = [str(frame.f_globals.get("__name__")) for frame, _ in frames]
    where = f"{names[-1]}:{frames[-1][1]}" if frames else "unknown place"
    return Failure(
        "Internal",
        f"internal error: {type(error).__name__} in {where}. This is a defect in {_whose(names)}; please report "
        "it. TACIT_DEBUG=1 shows the traceback, which may contain data.",
        INTERNAL_ERROR,
    )


def _whose(modules: list[str]) -> str:
    """Who has to mend an error that passed through these modules: the innermost that is ours or a plug-in's."""
    from tacit.verbs.listing import distribution_of

    for module in reversed(modules):
        if module.partition(".")[0] == "tacit":
            break
        if found := distribution_of(module):
            return f"the package {found}, which extends Tacit"
    return "Tacit"
