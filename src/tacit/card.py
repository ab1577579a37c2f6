"""Cards: what a method, a metric or an attack says of itself; every face of it is derived from its card.

Command line, plan file, forms, reference pages and contract tests read the card and nothing else: its title, its
parameters with their bounds, what it needs and gives in words, the paper that it follows and an example that runs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from tacit.params import Params

if TYPE_CHECKING:
    from tacit.data.view import Comparison
    from tacit.guarantees.guarantee import TableGuarantee
    from tacit.release.attacks import Success

P = TypeVar("P", bound=Params)

Kind = Literal["table", "answer", "columns", "series", "frequencies"]
"""What a method works on: a table of rows about people, the exact answer to one query, some columns of a table, the
next state of a table that is published again and again, or a table of counts with its totals."""

Cells = Literal["any", "numbers", "texts"]
"""What the cells of a treated column are read as; `any` takes numbers where all of them are."""

Sees = Literal["table", "releases", "recipe", "numbers"]
"""What an attack on tables is given."""


@dataclass(frozen=True, kw_only=True)
class Card(Generic[P]):
    """What all cards say. `needs` and `gives` are half-sentences; `paper` is the address of the source (a DOI)."""

    title: str
    params: type[P]
    needs: str
    gives: str
    paper: str
    example: P


@dataclass(frozen=True, kw_only=True)
class Method(Card[P]):
    """A way to protect data. `guarantees` names those that it can give; what `run` takes depends on the `kind`.

    `cells` says what columns must hold that it treats. `neighbours` names pairs of inputs that differ by one unit of
    privacy, on which the auditor may try to tell outputs apart; where it is absent the auditor takes some that the
    parameters call for.
    """

    run: Callable[..., Any]
    guarantees: tuple[str, ...] | Literal["any"]
    kind: Kind = "table"
    cells: Cells = "any"
    neighbours: "Callable[[P], Sequence[tuple[Any, Any]]] | None" = None


@dataclass(frozen=True)
class MetricValue:
    """What a metric found: the number it is known by, its columns' own numbers, and other forms of it by name.

    `per_column` is empty where the metric is about rows.
    """

    value: float
    per_column: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Metric(Card[P]):
    """A measure of what a table after cost, beside the table before, or still reveals.

    `better` says in which direction to hope. A metric that `needs_pairs` follows rows, so it measures nothing but a
    table whose rows are those before: a recoded one. All others also compare tables that were drawn or made up.
    """

    run: "Callable[[Comparison, P], MetricValue]"
    needs_pairs: bool = False
    better: Literal["lower", "higher"] = "lower"


@dataclass(frozen=True, kw_only=True)
class Attack(Card[P]):
    """A way to challenge a release; what `run` takes depends on the `kind` of data.

    `knowledge` says what the adversary has beforehand and `story`, in one sentence, what happens. On tables `sees` says
    what `run` takes: one table, several releases, a release with its recipe, or original and masked numbers; and
    `bound` gives the highest success rate that a guarantee allows, where it allows none higher.
    """

    run: Callable[..., Any]
    kind: Kind = "table"
    knowledge: str = ""
    story: str = ""
    sees: Sees | None = None
    bound: "Callable[[P, TableGuarantee, Success], float | None] | None" = None
