"""What every step keeps."""

import re

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source
from tacit.plan.schema import ReleaseSection
from tacit.runs.tables.step import Step, all_steps

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SAYS = ("name", "place", "is_random", "leaves_rows_out")
PLAIN = {"guarantees": ["some-promise"]}


def check_step(name: str) -> None:
    """The step says what it is, does something, and does nothing for a plan that does not ask for it."""
    where = f"steps/{name}"
    step = {found.name: found for found in all_steps()}[name]
    kind = type(step)
    assert NAME.fullmatch(name), f"{where}: a plan names it in small letters, with hyphens between words"
    assert (kind.__doc__ or "").strip() != (Step.__doc__ or "").strip(), f"{where}: its docstring says what it does"
    assert (kind.__doc__ or "").strip(), f"{where}: its docstring says what it does; write one"
    assert type(step.place) is int, f"{where}: `place` must be a whole number; steps come in the order of their places"
    parts = [part for part in vars(Step) if part not in (*SAYS, "is_asked") and part[0] != "_"]
    changed = [part for part in parts if getattr(kind, part) is not getattr(Step, part)]
    assert changed, f"{where}: it does nothing; override one of {', '.join(parts)}"
    nobody, plain = Dataset(Source("frame"), {}), ReleaseSection.parse(where, PLAIN)
    assert not step.is_asked(nobody, plain), f"{where}: a plan that does not ask for it gets it; see `is_asked`"
