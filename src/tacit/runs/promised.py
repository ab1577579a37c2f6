"""That a release promises what was asked for: every guarantee of the plan, and none of them in a weaker form.

A process measures its own promises. What it leaves out, or measures with other parameters than the plan has, would be
published all the same, so the plan is held against the promises once more, by name and parameter.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tacit.errors import CannotGuarantee
from tacit.promise import Measured, Promise

Asked = Mapping[str, Mapping[str, Any]]
"""A guarantee as a plan names it: its name with its parameters."""

ALMOST = 1 + 1e-9
"""An account may round its last digits up."""


def require_promised(asked: Iterable[Asked], promises: tuple[Promise, ...]) -> None:
    """Every guarantee that was asked for is among the promises, with the parameters that were given."""
    for name, given in ((name, given) for entry in asked for name, given in entry.items()):
        if not any(promise.name == name and _keeps(promise, given) for promise in promises):
            raise CannotGuarantee(
                f"{name} was asked for, and the release does not say that it keeps it as it was asked; nothing is "
                "published. This is a defect of the kind of data or of its method"
            )


def _keeps(promise: Promise, given: Mapping[str, Any]) -> bool:
    """Whether the promise is about the parameters that were given, or, where it was proven, is at most as large."""
    if isinstance(promise, Measured):
        said = promise.parameters
        return all(said.get(name) == value or str(said.get(name)) == str(value) for name, value in given.items())
    return all(_is_within(getattr(promise, name, None), value) for name, value in given.items())


def _is_within(proven: object, asked: object) -> bool:
    """Whether the one is the other, or a number that is no larger; YAML reads 1e-6, without a point, as text."""
    if not isinstance(proven, int | float):
        return proven == asked
    try:
        return proven <= float(str(asked)) * ALMOST
    except ValueError:
        return False
