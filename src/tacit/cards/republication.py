"""Methods of republication: the next state of a table that is published again and again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeVar

from pydantic import Field

from tacit.cards.method import Method
from tacit.params import Params

if TYPE_CHECKING:
    from tacit.data.tables.republication import EarlierReleases, NextRelease, RepublishedPeople
    from tacit.randomness.stream import RandomBits


class RepublicationParams(Params):
    """Parameters of every republication: where its releases are recorded, and how classes are distinguished."""

    history: Annotated[
        str, Field(min_length=1, description="the private file that remembers all releases, relative to the plan")
    ]
    class_column: Annotated[str, Field(min_length=1, description="the column of the release that numbers classes")] = (
        "class"
    )


R = TypeVar("R", bound=RepublicationParams)


@dataclass(frozen=True, kw_only=True)
class RepublicationMethod(Method[R]):
    """Decides the next release of a table, given the earlier ones.

    `run` takes the earlier releases, the people of today, the least number of different values in a class (m), the
    parameters and the random bits; it gives everybody's class and what the next release has to keep. The run that
    calls it labels the classes, writes them, and measures what was promised on all releases together, whatever the
    method says of itself.
    """

    kind: ClassVar[str] = "republication"
    data: ClassVar[str] = "tables"

    run: "Callable[[EarlierReleases, RepublishedPeople, int, R, RandomBits], NextRelease]"
