"""`tacit demo`."""

from pathlib import Path

import click

from tacit.cli.terminal import print_json, progress, say


@click.command("demo")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("tacit-demo"),
    show_default=True,
    help="The folder to write.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def demo(output: Path, as_json: bool) -> None:
    """Write a made-up hospital register with its plan, protect it, and answer questions about it.

    The first half shows what was promised, found and lost; the second shows the noisy answers and what they cost. In a
    folder where the demo ran before, it starts again with its whole budget. It refuses to replace files that it did not
    write or that were edited.
    """
    from tacit.cli import ask, protect
    from tacit.verbs.ask import answers_values
    from tacit.verbs.plans import demo as run_demo

    with progress() as tell:
        shown = run_demo(output, tell)
    if as_json:
        print_json({**protect.release_values(shown.release), "answers": answers_values(shown.answers)})
        return
    protect.show(shown.release, as_json=False)
    say("")
    ask.show(shown.answers, as_json=False)


COMMAND = demo
