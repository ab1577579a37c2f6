"""The command line. A command's module is imported when the command runs, so that `--help` answers at once."""

import gc
import os
import signal
import sys
import threading

import click

from tacit.cli.stops import Course, end_interrupts, told
from tacit.errors import TacitError

COMMANDS = {
    "demo": "Protect an invented register, ask questions about it, and show the results.",
    "inspect": "Inspect a file: its columns, roles and who stands out; write a draft plan.",
    "protect": "Make a release under the plan's guarantees, with evidence.",
    "ask": "Answer the plan's questions with differential privacy, charged to its budget.",
    "budget": "Show what a plan's questions have spent and what is left.",
    "tabulate": "Publish a table of counts without its small cells.",
    "compare": "Compare methods and parameters by risk and loss.",
    "check": "Check whether a file keeps the promises of a plan.",
    "attack": "Attack a release, or published statistics: what each adversary learns.",
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

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help text, from the one-line helps."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tacit", prog_name="tacit")
def tacit() -> None:
    """Use data about people without betraying them.

    Exit codes: 0 done or holds; 1 a guarantee fails, a claim is refuted, or files of a release were changed; 2 usage;
    3 bad input; 4 budget refused; 5 policy refused; 70 internal error; 130 interrupted.
    """


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    gc.set_threshold(NEW_OBJECTS)
    # NumPy's threads for matrices spin for a tenth of a second whether or not there is a matrix to multiply, and ours
    # are small. With one thread sums do not depend on the number of cores either.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _end)
    course, out = Course(), sys.stdout
    try:
        course.heed_interrupts()
        code = tacit.main(prog_name="tacit", standalone_mode=False, obj=course)
        sys.stdout.flush()
    except SystemExit as end:
        # Where nobody reads the output any more, Click replaces it and ends with 1; that is no failed guarantee.
        code = 0 if sys.stdout is not out else end.code
    except BaseException as error:  # noqa: BLE001 - the last door: a traceback could show data
        if course.interrupted or isinstance(error, click.Abort | KeyboardInterrupt):
            click.echo(f"tacit: interrupted; {course.left_behind(error)}", err=True)
            code = INTERRUPTED
        else:
            code = _failed(error)
    end_interrupts()
    sys.exit(code if isinstance(code, int) else 0)


def _failed(error: BaseException) -> int:
    """Says what went wrong, and what was spent or published before; gives the exit code."""
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, TacitError):
        click.echo(f"tacit: {error}", err=True)
        code = error.exit_code
    else:
        code = _system(error) if isinstance(error, OSError) else _internal(error)
    if told(error):
        click.echo(f"tacit: {told(error)}", err=True)
    return code


def _system(error: OSError) -> int:
    """Says what the system said, and about which file."""
    if isinstance(error, BrokenPipeError):
        # What is left in the buffer must not complain at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    click.echo(f"tacit: {error.filename or 'a file'}: {error.strerror or type(error).__name__}", err=True)
    return BAD_INPUT


def _end(number: int, frame: object) -> None:
    """Ends the process as an interrupt does, so that nothing half made stays behind."""
    sys.exit(128 + number)


def _internal(error: BaseException) -> int:
    """Says where an unexpected error arose, without its message, which could hold data; TACIT_DEBUG=1 shows all."""
    if os.environ.get("TACIT_DEBUG"):
        raise error
    from traceback import walk_tb

    frames = list(walk_tb(error.__traceback__))
    names = [str(frame.f_globals.get("__name__")) for frame, _ in frames]
    where = f"{names[-1]}:{frames[-1][1]}" if frames else "unknown place"
    click.echo(
        f"tacit: internal error: {type(error).__name__} in {where}. This is a defect of {_whose(names)}; please report "
        "it. TACIT_DEBUG=1 shows the traceback, which may contain data.",
        err=True,
    )
    return INTERNAL_ERROR


def _whose(modules: list[str]) -> str:
    """Who has to mend an error that passed through these modules: the innermost that is ours or a plug-in's."""
    from tacit.verbs.listing import distribution_of

    for module in reversed(modules):
        if module.partition(".")[0] == "tacit":
            break
        if found := distribution_of(module):
            return f"the package {found}, which extends Tacit"
    return "Tacit"
