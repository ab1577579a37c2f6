"""A question: a statistic, the columns that it reads, its parameters, and what it spends, known before it is asked.

Bounds and categories come from the plan, never from the data. The groups of a question are the declared categories of
its columns, or they are chosen by differentially private partition selection, for which `keys` names the price.

The noise of a group is made for one row, at a price at which all rows of a person cost what the question says. Where
that is an epsilon it is divided by their number. Gaussian noise costs a person with r rows r squared times the rho of
one row, so that a row is given the epsilon at which it has 1/r squared of the rho.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from itertools import product
from typing import Any

from tacit.accounting.events import Composed, Event, Group, in_scope
from tacit.accounting.exact import exact, root_down, rounded_down
from tacit.accounting.price import Price, price
from tacit.accounting.scoping import unscoped
from tacit.cards.asked import AskedMethod
from tacit.cards.statistics import KeySelection, Statistic
from tacit.cards.takes import Declared
from tacit.catalogue import find_method, methods
from tacit.errors import BadParameter
from tacit.params import Params
from tacit.runs.answers.protection import Protection

SELECTION = "statistics/partition-selection"
"""The method that chooses groups where the price of choosing them names no other."""
STATISTICS = "statistics/"
MOST_GROUPS = 10_000
_ROUNDS = 12
_NEAR = Fraction(1, 10**6)
_NOTHING = Fraction(0)


@dataclass(frozen=True, eq=False)
class GroupSelection:
    """How groups are chosen that nobody declared: the method and its parameters."""

    card: KeySelection[Any]
    params: Params


@dataclass(frozen=True, eq=False)
class Grouping:
    """The columns that rows are grouped by, and the groups; `selection` chooses them where none are declared."""

    columns: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...] | None
    selection: GroupSelection | None = None

    @property
    def number(self) -> int | None:
        """How many groups there are; None where that is not known before they are chosen."""
        return None if self.keys is None else len(self.keys)


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked, ready to be charged: `given` is what somebody wrote, `params` are those of one group.

    `rows` is for how many rows of a person the event holds, for each of which the noise of `params` is made.
    """

    name: str
    card: AskedMethod[Any]
    of: tuple[str, ...]
    params: Params
    event: Event
    given: Mapping[str, Any]
    grouping: Grouping | None = None
    rows: int = 1

    @property
    def says(self) -> str:
        """The question in words."""
        of = f" of {', '.join(self.of)}" if self.of else ""
        by = f" by {', '.join(self.grouping.columns)}" if self.grouping else ""
        what = self.card.title if self.card.asks is None else self.card.asks(self.params)
        return f"{what}{of}{by}"


@dataclass(frozen=True, eq=False)
class Draft:
    """A question as it was written, its parts told apart."""

    name: str
    card: AskedMethod[Any]
    of: tuple[Declared, ...]
    by: tuple[Declared, ...]
    keys: Any
    own: Mapping[str, Any]
    given: Mapping[str, Any]

    def parameters(self, filled: Mapping[str, Any]) -> Params:
        """The card's parameters: what the plan declares, and what the question says itself."""
        _refuse_fixed(self.name, self.own)
        parsed: Params = self.card.params.parse(self.name, {**filled, **self.own})
        return parsed

    def part(self, share: Fraction, filled: Mapping[str, Any], delta: bool = True) -> Params:
        """The card's parameters at a share of the price, of its delta too if it is to be shared."""
        whole = self.parameters(filled)
        loss, *deltas = self.card.prices(whole)
        prices = {name: getattr(whole, name) for name in (loss, *(deltas if delta else ()))}
        own = {**self.own, **{name: rounded_down(exact(price) * share) for name, price in prices.items()}}
        return replace(self, own=own).parameters(filled)

    def for_row(self, rows: int, filled: Mapping[str, Any]) -> Params | None:
        """The card's parameters for one row, at which so many rows cost no more than the question says.

        None where nothing such is known, since the event has a delta of its own, or where it spends nothing.
        """
        whole = self.cost(self.parameters(filled))
        if whole.delta or not whole.rho:
            return None
        share, best = Fraction(1, rows), None
        for _ in range(1 if whole.epsilon is not None else _ROUNDS):
            params = self.part(share, filled, delta=False)
            together = self.cost(params, rows)
            used = max(together.rho / whole.rho, (together.epsilon or _NOTHING) / (whole.epsilon or 1))
            best = params if used <= 1 else best
            if 1 - _NEAR <= used <= 1:
                break
            share = Fraction(rounded_down(share * root_down(1 / used) * (1 - _NEAR / 4)))
        return best

    def cost(self, params: Params, rows: int = 1) -> Price:
        """What the card spends on so many rows with these parameters."""
        return price(Group(unscoped(self.card.spends(params)), rows))

    def question(self, params: Params, event: Event, grouping: Grouping | None = None) -> Question:
        """The question with its price."""
        of = tuple(column.name for column in self.of)
        return Question(self.name, self.card, of, params, event, self.given, grouping)


@dataclass(frozen=True, eq=False)
class Asker:
    """What is declared of the columns and who is protected: all that turns a mapping into a question."""

    columns: Mapping[str, Declared]
    protection: Protection

    def question(self, name: str, given: Mapping[str, Any]) -> Question:
        """The question that the mapping describes; refused where something is missing, with what to write."""
        return self.question_of(name, _statistic(name), given)

    def question_of(self, name: str, card: AskedMethod[Any], given: Mapping[str, Any]) -> Question:
        """The same of a card that is known already, a statistic or another method that is asked of an engine."""
        own = dict(given)
        parts = {
            what: tuple(self._declared(name, column) for column in _names(name, what, own)) for what in ("of", "by")
        }
        draft = Draft(name, card, parts["of"], parts["by"], own.pop("keys", None), own, given)
        _require_columns(draft)
        return self._grouped(draft) if draft.by else self._plain(draft)

    def _plain(self, draft: Draft) -> Question:
        if draft.keys is not None:
            raise BadParameter(f"{draft.name}: `keys` is the price of choosing groups, but there is no `by`")
        who = self.protection
        if who.neighbours == "replace" and who.rows > 1:
            # Somebody who is replaced may have another number of rows, so one person goes and another comes.
            params = draft.part(Fraction(1, 2), draft.card.takes.parameters(draft.of, "add-remove", who.rows))
            return draft.question(params, in_scope(Group(unscoped(draft.card.spends(params)), 2), who.scope))
        params = draft.parameters(draft.card.takes.parameters(draft.of, who.neighbours, who.rows))
        return draft.question(params, in_scope(unscoped(draft.card.spends(params)), who.scope))

    def _grouped(self, draft: Draft) -> Question:
        grouping, who, takes = self._grouping(draft), self.protection, draft.card.takes
        row = takes.parameters(draft.of, "add-remove", 1)
        params, rows = draft.for_row(who.changed_rows, row) if takes.by_row else None, who.rows
        if params is not None:
            event = who.over_rows(draft.card.spends(params), grouping.number)
        else:
            filled = takes.parameters(draft.of, "add-remove", who.rows)
            params, rows = draft.part(who.share(grouping.number), filled), 1
            event = who.over_groups(draft.card.spends(params), grouping.number)
        if grouping.selection is not None:
            chosen = grouping.selection
            event = Composed((unscoped(chosen.card.spends(chosen.params)), event))
        return replace(draft.question(params, in_scope(event, who.scope), grouping), rows=rows)

    def _grouping(self, draft: Draft) -> Grouping:
        """The groups that the columns declare, or the parameters of choosing them privately."""
        if draft.card.takes.by_person:
            raise BadParameter(f"{draft.name} counts by a key itself; leave `by` out and name the key as `of`")
        names = tuple(column.name for column in draft.by)
        if draft.keys is not None:
            return Grouping(names, None, self._selection(draft))
        keys = tuple(product(*(_categories(draft.name, column) for column in draft.by)))
        if len(keys) > MOST_GROUPS:
            raise BadParameter(f"{draft.name}: `by` makes {len(keys)} groups; at most {MOST_GROUPS} can be asked for")
        return Grouping(names, keys)

    def _selection(self, draft: Draft) -> GroupSelection:
        if len(draft.by) > 1:
            raise BadParameter(f"{draft.name}: groups of several columns can't be chosen; declare their categories")
        if not isinstance(draft.keys, Mapping):
            raise BadParameter(f"{draft.name}: `keys` must be a price, as in {{epsilon: 0.1, delta: 1.0e-6}}")
        _refuse_fixed(f"{draft.name}, keys", draft.keys)
        who, given = self.protection, dict(draft.keys)
        card = _selection_method(str(given.pop("method", SELECTION)))
        filled = {"neighbours": who.neighbours, "most": who.groups_of_one(None)}
        return GroupSelection(card, card.params.parse(f"{draft.name}, keys", {**filled, **given}))

    def _declared(self, name: str, column: str) -> Declared:
        if column not in self.columns:
            raise BadParameter(f"{name}: {column!r} is no column of the data")
        return self.columns[column]


def _require_columns(draft: Draft) -> None:
    """The question names as many columns as its card takes; otherwise it is told which question does not."""
    try:
        draft.card.takes.columns([column.name for column in draft.of], "")
    except BadParameter as wrong:
        raise BadParameter(f"{draft.name}: {wrong}") from None


def _categories(name: str, column: Declared) -> tuple[str, ...]:
    if column.categories is None:
        raise BadParameter(
            f"{name}: the column {column.name!r} declares no categories, and groups may not be read from the data; "
            f"write `{column.name}: {{categories: [FIRST, SECOND, ...]}}` under `columns` of the plan, or pass "
            "`categories=` in the call, or let the groups be chosen privately with `keys: {epsilon: ..., delta: ...}`"
        )
    named = column.categories
    if not named or len(set(named)) < len(named):
        # A group that is named twice would be answered twice, with other noise, at the price of one answer.
        raise BadParameter(f"{name}: the categories of {column.name!r} must be different, and at least one")
    return named


def _refuse_fixed(name: str, own: Mapping[str, Any]) -> None:
    """Refuse parameters that the section `privacy` states for all questions."""
    for fixed in ("neighbours", "contributions"):
        if fixed in own:
            raise BadParameter(f"{name}: `{fixed}` is stated once for all questions, under `privacy`")


def _statistic(name: str) -> Statistic[Any]:
    if name not in methods():
        known = [full for full in methods() if full.startswith(STATISTICS)]
        close = get_close_matches(name if "/" in name else f"{STATISTICS}{name}", known, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else f"known are: {', '.join(known)}"
        raise BadParameter(f"there is no statistic {name!r}; {hint}")
    card = find_method(name)
    if not isinstance(card, Statistic):
        raise BadParameter(f"{name} is no statistic; `tacit methods` lists those that answer questions")
    return card


def _selection_method(name: str) -> KeySelection[Any]:
    card = find_method(name)
    if not isinstance(card, KeySelection):
        raise BadParameter(f"{name} chooses no groups; leave `method` out of `keys`, or name one that does")
    return card


def _names(name: str, what: str, own: dict[str, Any]) -> tuple[str, ...]:
    """Takes `of` or `by` out of the question: one column, or a list of different ones."""
    given = own.pop(what, None)
    listed = () if given is None else (given,) if isinstance(given, str) else given
    good = isinstance(listed, list | tuple) and all(isinstance(column, str) for column in listed)
    if not good or len(set(listed)) < len(listed):
        raise BadParameter(f"{name}: `{what}` must be the name of a column, or a list of different names")
    return tuple(listed)
