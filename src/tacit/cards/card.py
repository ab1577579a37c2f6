"""A card: what a method, a metric or an attack says of itself.

Command line, plan file, forms, reference pages and contract tests read the card and nothing else: its title, its
parameters with their bounds, what it needs and gives in words, the paper that it follows and an example that runs.
Whatever a caller must know to use a method is a field of its card, so nobody looks at names of methods, parameters or
classes. A plug-in brings a kind of its own by subclassing `Method`, `Metric` or `Attack` with another `kind`.
"""

from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from tacit.params import Params

P = TypeVar("P", bound=Params)


@dataclass(frozen=True, kw_only=True)
class Card(Generic[P]):
    """What all cards say. `needs` and `gives` are half-sentences; `paper` is the address of the source (a DOI).

    `kind` names the kind of data, and so the folder that the card stands in.
    """

    kind: ClassVar[str] = "any"

    title: str
    params: type[P]
    needs: str
    gives: str
    paper: str
    example: P
