"""Advice where a release is of little use: what would bring its loss down, computed on the counted table.

Above a loss of one half a cell stands, on average, for more than half of the values of its column: telling
which half a value is in would tell more. So above that threshold some changes of the plan are tried
in memory: leaving out the columns that cost most (one by one; of many columns first one half of them, then three
quarters and so on, until the rest is below the threshold), publishing these coarser, half the strength of the first
promise that has one, and a few more suppressed rows. All are decided by one method, the quickest of those that were
tried for the release, and compared with what that method loses now. Nothing of it is published, and it ends with what
was found after a quarter of the time that the decision itself took, but not before one second, and not after ten.

The loss is a mean over columns, so leaving out the worst of them lowers it even where every other cell stays as it is.
Therefore a change is judged by the columns that it leaves alone: what these lose now, and what they would lose then. A
column whose absence helps no other column is not worth leaving out, such as one that is wholly generalised already. A
column is made coarser by as little as its hierarchy allows: to its finest level that loses more than the column does
now. What the column itself loses then is told beside what the others gain; where that is all, it is left out instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter
from typing import Any

import numpy as np

from tacit.cards.metric import MetricValue
from tacit.cards.tables import TableMethod
from tacit.catalogue import find_method, find_metric
from tacit.data.tables.grouping import group_by, pack
from tacit.data.tables.published import PublishedTable, publish
from tacit.data.tables.table import Table
from tacit.errors import BadParameter, TacitError
from tacit.guarantees.guarantee import TableGuarantee
from tacit.release.tables import Advice, AdvisedChange, CostlyColumn, Entrant
from tacit.request import Progress, TableRequest
from tacit.runs.tables.competition import within
from tacit.runs.tables.stations import Decision
from tacit.runs.tables.step import Task

THRESHOLD = 0.5
LEAST_SECONDS, MOST_SECONDS = 1.0, 10.0
SHARE = 0.25
"""How long it may take to find advice, and which part of the time that the decision took."""
SHOWN = 3
"""How many of the costliest columns are named, and how many that still tell something are left out one by one."""
MORE_ROWS = 0.05
LEAST_GAIN = 0.005
NEARLY = 1e-9
"""What a change must bring to be told, and by how much two losses must differ not to be the same figure."""
"""A change that brings less is not told."""


@dataclass(frozen=True, eq=False)
class _Change:
    """A changed task: what to write into the plan, of which columns, and what is then decided about which table."""

    what: str
    table: Table
    request: TableRequest
    left_out: tuple[str, ...] = ()
    coarser: str | None = None

    def advised(self, now: MetricValue, decided: MetricValue) -> AdvisedChange:
        """What the change brings, in words and figures."""
        own = None if self.coarser is None else float(decided.per_column[self.coarser])
        return AdvisedChange(
            what=self.what,
            left_out=self.left_out,
            coarser=self.coarser,
            own=own,
            now=self.lost(now),
            loss=self.lost(decided),
        )

    def lost(self, measured: MetricValue) -> float:
        """The loss of the columns that the change leaves alone."""
        left = [c for c, name in enumerate(self.table.tally.columns) if name != self.coarser]
        losses = [measured.per_column[self.table.tally.columns[c]] for c in left]
        return float(np.average(losses, weights=self.table.weights[left]))


@dataclass(frozen=True, eq=False)
class _Adviser:
    """The method that decides about changes, what it loses without any, and when it must be done."""

    card: TableMethod[Any]
    name: str
    now: MetricValue
    deadline: float

    def loss(self, table: Table, request: TableRequest) -> MetricValue | None:
        """The loss of what the method decides; None where there is no release."""
        left = max(self.deadline - perf_counter(), 0.1)
        try:
            answer = self.card.run(table, request, within(self.card.example, left / 2))
        except TacitError:
            return None
        return _loss(publish(table, answer.recoding))


def time_for(decided: float) -> float:
    """How many seconds the advice may take after a decision that took so many."""
    return min(max(SHARE * decided, LEAST_SECONDS), MOST_SECONDS)


def advise(task: Task, table: Table, decision: Decision, seconds: float, progress: Progress) -> Advice | None:
    """What would bring the loss down, where it is high, as far as it is found in time; None where it is not."""
    begin = perf_counter()
    measured = _loss(decision.published)
    if measured.value <= THRESHOLD:
        return None
    progress("looking for what would bring the loss down")
    request = TableRequest(task.guarantees, task.section.suppression, task.section.objective)
    adviser = _adviser(task, table, request, decision, begin + seconds)
    costly = sorted(measured.per_column.items(), key=lambda entry: -entry[1])
    found = list[AdvisedChange]()
    for change in _changes(table, request, dict(costly)):
        if perf_counter() > adviser.deadline:
            break
        if _is_settled(change, found):
            continue
        decided = adviser.loss(change.table, change.request)
        brought = None if decided is None else change.advised(adviser.now, decided)
        if brought is not None and brought.loss < brought.now - LEAST_GAIN and brought.own != 1:
            found.append(brought)
    return Advice(
        threshold=THRESHOLD,
        method=adviser.name,
        loss=float(adviser.now.value),
        columns=tuple(CostlyColumn(name=name, loss=loss) for name, loss in costly[:SHOWN]),
        changes=tuple(found),
    )


def _adviser(task: Task, table: Table, request: TableRequest, decision: Decision, deadline: float) -> _Adviser:
    """The quickest of the methods that have a release, or the one whose release it is."""
    measured, competition = _loss(decision.published), decision.competition
    if competition is None:
        own = task.method
        assert isinstance(own, TableMethod)
        return _Adviser(replace(own, example=task.params), task.section.method, measured, deadline)
    made = [entrant for entrant in competition.entrants if entrant.failed is None]
    winner = _Adviser(_card(competition.winner), competition.winner.method, measured, deadline)
    quickest = min(made, key=lambda entrant: entrant.seconds)
    if quickest.won:
        return winner
    other = replace(winner, card=_card(quickest), name=quickest.method)
    # The competition kept only the figure of its release; columns are compared one by one.
    now = other.loss(table, request)
    return winner if now is None else replace(other, now=now)


def _card(entrant: Entrant) -> TableMethod[Any]:
    card = find_method(entrant.method)
    assert isinstance(card, TableMethod)
    return card


def _loss(published: PublishedTable) -> MetricValue:
    card = find_metric("loss")
    found: MetricValue = card.run(published, card.example)
    return found


def _changes(table: Table, request: TableRequest, costly: Mapping[str, float]) -> Iterator[_Change]:
    """What may be changed; of many columns many at once first, which is quick to try and brings most."""
    names, kept = tuple(costly), len(costly)
    while kept // 2 >= 1 and len(costly) > SHOWN:
        kept //= 2
        yield _without(table, request, names[: len(names) - kept])
    told = [name for name in names if costly[name] < 1][:SHOWN] if len(names) > 1 else []
    yield from (_without(table, request, (name,)) for name in told)
    for name in told:
        yield from _coarser(table, request, name, costly[name])
    yield from _weaker(table, request)
    if request.suppression < 1:
        share = min(request.suppression + MORE_ROWS, 1.0)
        yield _Change(f"suppression: {share:.3g}", table, replace(request, suppression=share))


def _is_settled(change: _Change, found: list[AdvisedChange]) -> bool:
    """Whether fewer columns than these were left out already with a release that is of use."""
    several = [one for one in found if len(one.left_out) > 1 and one.loss <= THRESHOLD]
    return len(change.left_out) > 1 and bool(several)


def _weaker(table: Table, request: TableRequest) -> Iterator[_Change]:
    """Half the strength of the first guarantee that has one whole number as its strength."""
    for place, guarantee in enumerate(request.guarantees):
        whole = [name for name, field in type(guarantee).model_fields.items() if field.annotation is int]
        if len(whole) != 1:
            continue
        half = (int(getattr(guarantee, whole[0])) + 1) // 2
        weaker = _with(guarantee, whole[0], half)
        if weaker is not None and half < getattr(guarantee, whole[0]):
            promised = (*request.guarantees[:place], weaker, *request.guarantees[place + 1 :])
            what = f"{guarantee.name}: {{{whole[0]}: {half}}}"
            yield _Change(what, table, replace(request, guarantees=promised))
        return


def _with(guarantee: TableGuarantee, name: str, value: int) -> TableGuarantee | None:
    """The guarantee with another strength; None where there is none of that strength."""
    try:
        return type(guarantee).parse(guarantee.name, {**guarantee.model_dump(exclude_unset=True), name: value})
    except BadParameter:
        return None


def _without(table: Table, request: TableRequest, names: tuple[str, ...]) -> _Change:
    """The table without these columns, counted by the others."""
    tally = table.tally
    kept = [c for c, name in enumerate(tally.columns) if name not in names]
    codes = tally.codes[kept]
    keys = pack(list(codes), [len(tally.values[c]) for c in kept], tally.combinations)
    grouping = group_by(keys.key, keys.span)
    merged = replace(
        tally.merged(grouping),
        columns=tuple(tally.columns[c] for c in kept),
        values=tuple(tally.values[c] for c in kept),
        codes=codes[:, grouping.first],
    )
    weights = table.weights[kept]
    left = Table(
        merged,
        tuple(table.hierarchies[c] for c in kept),
        weights / weights.sum() if weights.sum() > 0 else np.full(len(kept), 1 / len(kept)),
        tuple(table.least[c] for c in kept),
        tuple(table.most[c] for c in kept),
    )
    return _Change("role: identifier", left, request, left_out=names)


def _coarser(table: Table, request: TableRequest, name: str, lost: float) -> Iterator[_Change]:
    """The column at its finest level that loses more than it loses now, if that level still tells something of it."""
    place = table.tally.columns.index(name)
    of_level = table.hierarchies[place].cell_loss[:, table.leaves[place]] @ table.tally.rows / table.number_of_rows
    top = min(table.most[place], table.hierarchies[place].height - 1)
    more = (level for level in range(table.least[place] + 1, top + 1) if of_level[level] > lost + NEARLY)
    for level in islice(more, 1):
        least = (*table.least[:place], level, *table.least[place + 1 :])
        yield _Change(f"minimum: {level}", replace(table, least=least), request, coarser=name)
