"""Checks that a release promises what was asked for: every guarantee of the plan, none in a weaker form.

A process measures its own promises. Without this check a promise that it leaves out, or measures with parameters other
than the plan's, would still be published, so the plan is compared with the promises once more, by name and parameter.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from tacit.errors import CannotGuarantee
from tacit.promise import Measured, Promise

AskedGuarantee = Mapping[str, Mapping[str, Any]]
"""A guarantee as a plan names it: its name with its parameters."""

ALMOST = 1 + 1e-9
"""An account may round its last digits up."""


def require_promised(asked: Iterable[AskedGuarantee], promises: tuple[Promise, ...]) -> None:
    """Every guarantee that was asked for is among the promises, with the parameters that were given."""
    for name, given in ((name, given) for entry in asked for name, given in entry.items()):
        if not any(promise.name == name and _keeps(promise, given) for promise in promises):
            raise CannotGuarantee(
                f"{name} was asked for, but the release does not say that it keeps it with these parameters; nothing "
                "is published. This is a defect of the kind of data or of its method"
            )


def _keeps(promise: Promise, given: Mapping[str, Any]) -> bool:
    """Whether the promise has the parameters that were given or, if it was proven, none that is larger."""
    if isinstance(promise, Measured):
        return all(_plain(promise.parameters.get(name)) == _plain(value) for name, value in given.items())
    return all(_is_within(_plain(getattr(promise, name, None)), _plain(value)) for name, value in given.items())


def _is_within(proven: object, asked: object) -> bool:
    if isinstance(proven, float) and isinstance(asked, float):
        return proven <= asked * ALMOST
    return proven == asked


def _plain(value: object) -> object:
    """The value as a number if it is one; in YAML `1e-6` is a text."""
    try:
        return float(str(value))
    except ValueError:
        return value
