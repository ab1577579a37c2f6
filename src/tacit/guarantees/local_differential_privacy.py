"""Local differential privacy (Warner 1965; Kasiviswanathan and others 2011): each value is randomised by itself.

For all values v and v' of one cell and every published value w, Pr[w | v] <= e**epsilon Pr[w | v']. Whoever sees what
was published, even the holder of the file, learns no more than that about the cell. Cells of a person add up.
"""

from typing import TYPE_CHECKING, ClassVar

from tacit.guarantees._likelihood import likelier
from tacit.guarantees.guarantee import PeopleOrRows, ProvenGuarantee


class LocalDifferentialPrivacy(ProvenGuarantee):
    """No published value becomes more than e**epsilon times as likely with another true value of its cell."""

    name: ClassVar[str] = "local-differential-privacy"
    title: ClassVar[str] = "local differential privacy"
    paper: ClassVar[str] = "https://doi.org/10.1080/01621459.1965.10480775"
    about: ClassVar[str] = "columns"
    open: ClassVar[tuple[str, ...]] = (
        "It is about one cell: the losses of all cells of a person add up, in one release and in several.",
        "Columns that are published as they are may still reveal what a randomised one hides.",
    )

    if TYPE_CHECKING:
        # What an editor and a type checker see; `Guarantee` reads the values.
        def __init__(self, epsilon: float) -> None: ...

    def promise(self, of: PeopleOrRows | None = None) -> str:
        """What is promised, as a clause."""
        return f"{likelier('published value', self.epsilon)} with another true value of its cell"


PROVEN: type[ProvenGuarantee] = LocalDifferentialPrivacy
