"""Methods on tables of counts with their totals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Self, TypeVar

from pydantic import Field, model_validator

from tacit.cards.method import Method
from tacit.params import Params

if TYPE_CHECKING:
    from tacit.data.counts.margins import Margins
    from tacit.data.counts.suppressed import SuppressedTable

LEAST_WITH_ZEROS = 3


class HiddenCounts(Params):
    """What a table of counts promises: which counts are small, and how little a reader can deduce about them.

    The run checks the written table against this, whatever method chose the cells that are left out.
    """

    threshold: Annotated[int, Field(ge=2, description="counts above 0 and below this are not published")] = 5
    protection: Annotated[
        int,
        Field(
            ge=1,
            description="how far beyond a small count, on both sides, a reader's interval must reach "
            "(below, at least to 1; with zeros, to 0)",
        ),
    ] = 1
    zeros: Annotated[
        bool,
        Field(
            description="whether empty cells may be left out too; safe only if readers do not know that they are empty"
        ),
    ] = False

    @model_validator(mode="after")
    def _leaves_doubt(self) -> Self:
        if self.zeros and self.threshold < LEAST_WITH_ZEROS:
            raise ValueError(
                f"zeros needs a threshold of at least {LEAST_WITH_ZEROS}, found {self.threshold}: where only 1 is "
                "small, anyone who knows that some suppressed count is small can tell which; publish zeros, or raise it"
            )
        return self


H = TypeVar("H", bound=HiddenCounts)


@dataclass(frozen=True, kw_only=True)
class CountsMethod(Method[H]):
    """Decides which counts of a table are published; the counts themselves stay as they are."""

    kind: ClassVar[str] = "counts"
    data: ClassVar[str] = "tables"

    run: "Callable[[Margins, H], SuppressedTable]"
