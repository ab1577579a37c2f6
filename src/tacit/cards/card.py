"""A card: what a method, a metric or an attack says about itself.

Command line, plan file, forms, reference pages and contract tests read the card and nothing else: its title, its
parameters with their bounds, what it needs and gives in words, the paper that it follows and an example that runs.
Everything a caller must know to use a method is a field of its card, so no code depends on the names of methods,
parameters or classes. A plug-in adds its own kind by subclassing `Method`, `Metric` or `Attack` with another `kind`.
"""

from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from tacit.params import Params

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class Card(Generic[P]):
    """What all cards say. `needs` and `gives` are half-sentences; `paper` is the address of the source (a DOI).

    `kind` decides which run uses the card: the run of a kind of data (`tables`), or of a kind of release (`synthesis`),
    whose kind of data is then `data`. The folder is only part of the card's name. Metrics and attacks are in the folder
    of their kind, so that a plan may leave it out; methods may be in any folder.
    """

    kind: ClassVar[str] = "any"
    data: ClassVar[str] = ""

    title: str
    params: type[P]
    needs: str
    gives: str
    paper: str
    example: P

    @property
    def about(self) -> str:
        """The kind of data that it is about."""
        return self.data or self.kind
