"""Known secrets: whether the columns that a draft publishes exact find people, and what treatments would leave.

A draft calls amounts and laboratory values sensitive, and a release publishes them as they are. Where one or two such
values find more than `MOST_FOUND` of the people, the draft says so and proposes treatments, as comments: they change
the very values that the data is wanted for, no promise depends on them, and which loss is bearable nobody can see in
the data. Each proposal is tried on these rows, its columns treated together as a release would, and has the figure of
what it leaves, counted as that of the release will be: over all exact columns, in people where a unit tells them apart.
Those that leave fewest come first. A method that groups rows may leave many alone, since a group may hold the rows of
one person, and other columns tell its rows apart. Grouping takes long, so on more than `MOST_GROUPED` rows the draft
proposes it without a figure, and says so.

Treated are all columns that find too many by themselves, and both columns of every pair of others that do.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tacit.arrays import FloatArray
from tacit.cards.columns import ColumnMethod
from tacit.catalogue import methods
from tacit.data.columns import Columns, Numbers
from tacit.data.sources.arrow import to_numbers
from tacit.data.sources.profile import ColumnProfile
from tacit.data.sources.source import Source
from tacit.data.tables.exact_cells import MOST_CELLS, NO_VALUE, ExactCells, exact_cells, most_telling, paired_columns
from tacit.engines.engine import Engine
from tacit.errors import TacitError
from tacit.inspection.suggestion import Suggestion
from tacit.randomness.stream import RandomBits
from tacit.release.tables import FEWEST_PEOPLE, MOST_FOUND, KnownValues

if TYPE_CHECKING:
    import pyarrow as pa

MOST_READ = 30_000_000
"""So many cells are read at most; of more columns, those with the most values."""
MOST_TRIED = 1_500_000
"""Rows × pairs that are counted to choose a treatment's strength; the strength that is proposed is counted in full."""
MOST_GROUPED = 3_000
"""Rows that are grouped at most to count what that leaves."""


@dataclass(frozen=True)
class TreatmentProposal:
    """Entries of a plan's `treatments`, and whom the most telling values would find then.

    `left` has no columns where nobody would be found, and is None where that was not counted.
    """

    method: str
    title: str
    entries: tuple[Mapping[str, Any], ...]
    left: KnownValues | None


@dataclass(frozen=True)
class KnownSecrets:
    """The values that find most people, and what could be done about it where they find too many.

    `texts` are columns that find too many and are no numbers. `counted` says what is found: people, if a unit tells
    them apart, else rows.
    """

    found: tuple[KnownValues, ...] = ()
    proposals: tuple[TreatmentProposal, ...] = ()
    texts: tuple[str, ...] = ()
    counted: Literal["row", "person"] = "row"

    @property
    def most(self) -> KnownValues | None:
        """The values that find too many people; None if none do."""
        return max((one for one in self.found if one.share > MOST_FOUND), key=lambda one: one.share, default=None)


def find_secrets(
    engine: Engine,
    source: Source,
    profiles: Sequence[ColumnProfile],
    suggestions: Mapping[str, Suggestion],
    unit: str | None = None,
) -> KnownSecrets:
    """What the columns that the suggestions publish exact tell."""
    chosen = _exact(profiles, suggestions)
    if not chosen or profiles[0].rows < FEWEST_PEOPLE:
        return KnownSecrets()
    names = tuple(profile.name for profile in chosen)
    table = engine.cells(source, (*names, *([] if unit is None else [unit])))
    cells = exact_cells(table, names, (), unit)
    found = _told(cells)
    secrets = KnownSecrets(found, counted="row" if unit is None else "person")
    if secrets.most is None:
        return secrets
    telling = telling_columns(cells)
    numbers = {c: read for c in telling if (read := _numbers(table, chosen[c])) is not None}
    texts = tuple(names[c] for c in telling if c not in numbers)
    proposals = sorted(_proposals(cells, numbers), key=_rank) if numbers else []
    return replace(secrets, proposals=tuple(proposals), texts=texts)


def _rank(proposal: TreatmentProposal) -> float:
    """What leaves fewest comes first, and last what was not counted."""
    return math.inf if proposal.left is None else proposal.left.unique


def _exact(profiles: Sequence[ColumnProfile], suggestions: Mapping[str, Suggestion]) -> list[ColumnProfile]:
    """The columns that would be published as they are, in their order, as many as may be read."""
    shown = [one for one in profiles if suggestions[one.name].role in ("sensitive", "insensitive") and one.distinct > 1]
    room = max(MOST_READ // max(profiles[0].rows, 1), 2)
    kept = {one.name for one in sorted(shown, key=lambda one: -one.distinct)[:room]}
    return [one for one in shown if one.name in kept]


def _told(cells: ExactCells, limit: int = MOST_CELLS) -> tuple[KnownValues, ...]:
    found = most_telling(cells, limit=limit)
    sets = ((one, tuple(cells.columns[c] for c in one.columns)) for one in found)
    return tuple(KnownValues(columns=n, unique=one.found, share=one.found / max(cells.people, 1)) for one, n in sets)


def telling_columns(cells: ExactCells) -> tuple[int, ...]:
    """The columns that find too many people alone, and both of each pair of others that does."""
    bound = MOST_FOUND * cells.people
    singles = [cells.found((c,)) for c in range(len(cells.columns))]
    telling = {c for c, found in enumerate(singles) if found > bound}
    rest = sorted((c for c in range(len(singles)) if c not in telling), key=lambda c: (-singles[c], -cells.sizes[c], c))
    for pair in combinations(sorted(rest[: paired_columns(cells.rows, len(rest))]), 2):
        if cells.found(pair) > bound:
            telling |= set(pair)
    return tuple(sorted(telling))


def _numbers(table: "pa.Table", profile: ColumnProfile) -> FloatArray | None:
    """The column as numbers, a missing one NaN; None if it holds others."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if profile.numeric < 1.0:
        return None
    texts = pc.utf8_trim_whitespace(table.column(profile.name).cast(pa.large_string()))
    try:
        numbers = pc.cast(pc.if_else(pc.equal(texts, ""), None, texts), pa.float64())
    except pa.ArrowInvalid:
        return None
    return to_numbers(pc.fill_null(numbers, float("nan")), np.float64)


def _proposals(cells: ExactCells, numbers: Mapping[int, FloatArray]) -> Iterator[TreatmentProposal]:
    """What each method that has a proposal for such columns would leave."""
    for name, card in methods().items():
        if isinstance(card, ColumnMethod) and card.proposed is not None:
            try:
                found = _proposal(name, card, cells, numbers)
            except TacitError:
                # What the method refuses on these rows is no proposal for them.
                continue
            if found is not None:
                yield found


def _proposal(
    name: str, card: ColumnMethod[Any], cells: ExactCells, numbers: Mapping[int, FloatArray]
) -> TreatmentProposal | None:
    """The mildest parameters that leave few, else the strongest; None if the method has none."""
    options = {c: card.proposed(values) for c, values in numbers.items()} if card.proposed is not None else {}
    options = {c: params for c, params in options.items() if params}
    found, countable = None, not card.guarantees or cells.rows <= MOST_GROUPED
    for strength in range(max(map(len, options.values()), default=0)):
        given = {c: params[min(strength, len(params) - 1)] for c, params in options.items()}
        found = TreatmentProposal(name, card.title, tuple(_entries(name, cells, given)), None)
        if not countable:
            break
        treated = _treated(card, cells, numbers, given)
        if _most_found(treated, MOST_TRIED).share <= MOST_FOUND:
            break
    return replace(found, left=_most_found(treated)) if found is not None and countable else found


def _treated(
    card: ColumnMethod[Any], cells: ExactCells, numbers: Mapping[int, FloatArray], given: Mapping[int, Any]
) -> ExactCells:
    """The cells that somebody may know once the columns are treated, those of one entry together."""
    treated = cells
    for params, columns in _together(given):
        before = Columns({cells.columns[c]: Numbers(numbers[c]) for c in columns})
        after = card.run(before, params, RandomBits.from_os())
        for c in columns:
            column = after[cells.columns[c]]
            assert isinstance(column, Numbers)
            treated = _with(treated, c, column.values)
    return treated.with_columns([c for c in range(len(cells.columns)) if c not in given]) if card.conceals else treated


def _most_found(cells: ExactCells, limit: int = MOST_CELLS) -> KnownValues:
    """Whom the most telling values find."""
    nobody = KnownValues(columns=(), unique=0, share=0.0)
    return max(_told(cells, limit), key=lambda one: one.share, default=nobody)


def _together(given: Mapping[int, Any]) -> Iterator[tuple[Any, list[int]]]:
    """Columns with the same parameters share an entry, and are treated together."""
    for params in dict.fromkeys(given.values()):
        yield params, [c for c, other in given.items() if other == params]


def _entries(name: str, cells: ExactCells, given: Mapping[int, Any]) -> Iterator[Mapping[str, Any]]:
    """The entries of a plan."""
    for params, columns in _together(given):
        named = [cells.columns[c] for c in columns]
        yield {"method": name, "columns": named, "parameters": _written(params)}


def _written(params: Any) -> dict[str, Any]:
    """The parameters as a person writes them: those that were given, whole numbers without a point."""
    given: dict[str, Any] = params.model_dump(exclude_unset=True)
    return {k: int(v) if isinstance(v, float) and v.is_integer() else v for k, v in given.items()}


def _with(cells: ExactCells, column: int, numbers: FloatArray) -> ExactCells:
    """The cells with other numbers in a column."""
    distinct, codes = np.unique(numbers, return_inverse=True)
    coded = np.where(np.isnan(numbers), NO_VALUE, codes).astype(np.int32)
    sizes = tuple(distinct.size if c == column else size for c, size in enumerate(cells.sizes))
    return replace(cells, codes=np.concatenate([cells.codes[:column], [coded], cells.codes[column + 1 :]]), sizes=sizes)
