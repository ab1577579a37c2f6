"""The two stations of a run that must detect a false release, tried one by one: reading back and the second measure.

In a whole run either may hide that the other does nothing. So the run is held after its release was written aside, and
each station is given something that it alone must find out. A file that is not what was decided is for `read_back`,
whether it compares or the promise is measured on what it read. A first measure that is wrong is for `measure_again`: a
defect is planted in each function of the first measure, and where it changes what was found, the second must disagree.
One that shares the function, or repeats what the first found, agrees and is caught.

What this can't see: a `read_back` that compares a hash and then returns what is in memory, and a second measure that is
a copy of the first.
"""

import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.errors import TacitError
from tacit.promise import Measured, Promise
from tacit.runs.run import Place, Process, require_holding
from tacit.testing.planting import PlantableFunction, functions_of, planted, spoilt

Promises = tuple[Promise, ...]
FOUNDATIONS = frozenset({"tacit", "abc", "builtins", "pydantic", "typing"})
"""What classes of other packages are built on."""


@dataclass(frozen=True, eq=False)
class HeldRun:
    """A run that was held when its release was written aside."""

    process: Process[Any, Any, Any, Any]
    place: Place | None
    prepared: Any
    made: Any

    def read_back(self) -> Any:
        """The release as its process reads it."""
        return self.process.read_back(self.prepared, self.made)

    def promises(self, back: Any) -> Promises:
        """What its process finds."""
        return tuple(self.process.promises(self.prepared, self.made, back))

    def is_disputed(self, back: Any, promises: Promises) -> bool:
        """Whether the second measure disagrees; it may do so by any error."""
        try:
            self.process.measure_again(self.prepared, self.made, back, promises)
        except Exception:  # noqa: BLE001 - the process is somebody else's
            return True
        return False


def held(process: Process[Any, Any, Any, Any], place: Place | None = None) -> HeldRun:
    """The run, held when its release is written, or stands in memory where there is no place."""
    process.refuse()
    process.rehearse(place)
    prepared = process.prepare()
    return HeldRun(process, place, prepared, process.make(prepared, place))


def check_read_back(where: str, run: HeldRun, raw: Path) -> None:
    """Once the raw file stands where the release was written, it is refused before the second measure."""
    assert run.place is not None, f"{where}: the release was not written to a file"
    shutil.copyfile(raw, run.place.aside)
    try:
        require_holding(run.promises(run.read_back()))
    except TacitError:
        return
    raise AssertionError(
        f"{where}: the release was replaced by the raw file, and `read_back` and `promises` noticed nothing; read the "
        "file that was written, not what is in memory, and measure that"
    )


def check_second_measure(where: str, run: HeldRun, packages: Collection[str]) -> None:
    """The second measure agrees with the first, and disagrees wherever the first is made wrong."""
    back = run.read_back()
    honest = run.promises(back)
    assert not run.is_disputed(back, honest), f"{where}: the second measure disagrees with the first"
    if not _numbers(honest):
        return
    assert run.is_disputed(back, spoilt(honest)), (
        f"{where}: `measure_again` does not notice that the first measure found another number; measure by code that "
        "shares nothing with it, and compare"
    )
    for function in functions_of(lambda: run.promises(back), packages):
        assert _is_noticed(run, function, packages, honest), (
            f"{where}: a defect in {function} makes the first measure wrong, and `measure_again` agrees with it; "
            "measure by code that shares nothing with the first"
        )


def _is_noticed(run: HeldRun, function: PlantableFunction, packages: Collection[str], honest: Promises) -> bool:
    """Whether a defect in the function changes nothing, breaks the first measure, or is found by the second."""
    back = run.read_back()
    with planted(function, packages):
        try:
            found = run.promises(back)
        except Exception:  # noqa: BLE001 - where the first measure breaks, nothing is published
            return True
        return _numbers(found) == _numbers(honest) or run.is_disputed(back, found)


def _numbers(promises: Promises) -> list[float]:
    return [promise.measured for promise in promises if isinstance(promise, Measured)]


def packages_behind(*objects: Any) -> frozenset[str]:
    """The top packages in which the classes of these objects are written; ours only where one of them is ours."""
    own = {type(one).__module__.partition(".")[0] for one in objects}
    all_of_them = {kind.__module__.partition(".")[0] for one in objects for kind in type(one).__mro__}
    return frozenset(own | (all_of_them - FOUNDATIONS))
