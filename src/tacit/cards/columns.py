"""Methods on columns: some columns of a table in, the same columns with other cells out.

Such a card tells a plan what the treatment may be used for: whether it may treat an identifier, whether different
people stay distinct under it, which files of its parameters are secret, and which other columns it reads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tacit.cards.card import P
from tacit.cards.method import Method

if TYPE_CHECKING:
    from tacit.arrays import FloatArray
    from tacit.data.columns import Columns
    from tacit.randomness.stream import RandomBits

CellValues = Literal["any", "numbers", "texts"]
"""What the cells of a treated column are read as; `any` takes numbers where all of them are."""


def no_others(params: Any) -> tuple[str, ...]:
    """No columns are read but those that are treated."""
    return ()


@dataclass(frozen=True, kw_only=True)
class ColumnMethod(Method[P]):
    """Treats the cells of columns.

    `cells` says what they must hold, `reads` which other columns the parameters name. An identifier stays in a release
    only under a method that is `for_identifiers`; the column that names a person only where it `keeps_people_apart`.
    `looks_alike` says that new values may look like old ones, so that a check can't tell whether cells were treated.
    `conceals` says that cells are drawn at random or made with a secret, so that somebody who knows a value does not
    know the cell that it became. `proposed` gives parameters for a column whose numbers identify people, from mild to
    strong, for a draft to propose; none where the method has none for these numbers.
    `secret_files` are parameters that name files nobody else may see; `writes_secrets` says that a run changes one.
    `keeps_rows` is false for a method that leaves rows out (`SamplingMethod`). `about_rows` is what a release must say
    where people have several rows.
    """

    kind: ClassVar[str] = "columns"
    data: ClassVar[str] = "tables"

    run: "Callable[[Columns, P, RandomBits], Columns]"
    cells: CellValues = "any"
    reads: Callable[[P], tuple[str, ...]] = no_others
    for_identifiers: bool = False
    keeps_people_apart: bool = True
    looks_alike: bool = False
    conceals: bool = False
    proposed: "Callable[[FloatArray], tuple[P, ...]] | None" = None
    secret_files: tuple[str, ...] = ()
    writes_secrets: bool = False
    keeps_rows: bool = True
    about_rows: str = ""


@dataclass(frozen=True, kw_only=True)
class SamplingMethod(ColumnMethod[P]):
    """Keeps some of the rows as they are, drawn at random; a plan asks for it as `sample`.

    `size` says how many of a number of rows, or people, are drawn, and refuses what is impossible; it takes the
    parameters, the number, and the word for what is drawn. Each is drawn with the same probability, `size` divided by
    that number, since readers are told to scale totals up by one weight; `chances` says in words what else is known.
    """

    kind: ClassVar[str] = "sampling"

    size: Callable[[P, int, str], int]
    chances: str
    keeps_rows: bool = False
