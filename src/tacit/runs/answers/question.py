"""A question: a statistic, the columns that it reads, its parameters, and what it spends, known before it is asked.

Bounds and categories come from the plan, never from the data. The groups of a question are the declared categories of
its columns, or they are chosen by differentially private partition selection, for which `keys` names the price.

The noise of a group is made for one row, at a price at which all rows of a person cost what the question says
(`shares`). If a person with several rows is replaced, one person goes and another comes; the noise is made for each of
them, at a price at which both together cost what the question says.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from fractions import Fraction
from itertools import product
from typing import Any

from tacit.accounting.account import account
from tacit.accounting.events import Composed, Event, Group, in_scope
from tacit.accounting.exact import exact, rounded_down
from tacit.accounting.price import price
from tacit.accounting.scoping import unscoped
from tacit.cards.asked import AskedMethod
from tacit.cards.statistics import KeySelection, Statistic
from tacit.cards.takes import STATED, Declaration
from tacit.catalogue import find_method, methods
from tacit.data.aggregates.scale import Form
from tacit.data.sources.source import shown_names
from tacit.errors import BadParameter, CannotGuarantee
from tacit.params import Params
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.shares import AskedPrice, delta_share, greatest_share
from tacit.spelling import did_you_mean
from tacit.usual import KEYS

STATISTICS = "statistics/"
MOST_GROUPS = 10_000
ALL = Fraction(1)


@dataclass(frozen=True, eq=False)
class GroupSelection:
    """How undeclared groups are chosen: the method, by name and by card, and its parameters."""

    name: str
    card: KeySelection[Any]
    params: Params


@dataclass(frozen=True, eq=False)
class Grouping:
    """The columns that rows are grouped by, and the groups; `selection` chooses them if none are declared."""

    columns: tuple[str, ...]
    keys: tuple[tuple[str, ...], ...] | None
    selection: GroupSelection | None = None

    @property
    def number(self) -> int | None:
        """How many groups there are; None if that is not known before they are chosen."""
        return None if self.keys is None else len(self.keys)


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked, ready to be charged: `given` is what somebody wrote, `params` are those of one group.

    `forms` say what the cells of the columns are read as. The event holds for `rows` rows of a person; the noise of
    `params` is made for each of them. `categories` are the declared ones of all columns that have any.
    """

    name: str
    card: AskedMethod[Any]
    forms: tuple[Form, ...]
    params: Params
    event: Event
    given: Mapping[str, Any]
    grouping: Grouping | None = None
    rows: int = 1
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def of(self) -> tuple[str, ...]:
        """The columns that the question is about."""
        return tuple(form.column for form in self.forms)

    @property
    def told_by_text(self) -> tuple[str, ...]:
        """The columns whose cells are distinguished by their text: those of categories and of groups."""
        groups = () if self.grouping is None else self.grouping.columns
        return (*(form.column for form in self.forms if form.read_as == "text"), *groups)

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the methods that answer: the statistic, and what chooses the groups, if they are chosen."""
        selection = None if self.grouping is None else self.grouping.selection
        return (self.name,) if selection is None else (self.name, selection.name)

    @property
    def says(self) -> str:
        """The question in words."""
        of = f" of {', '.join(self.of)}" if self.of else ""
        by = f" by {', '.join(self.grouping.columns)}" if self.grouping else ""
        what = self.card.title if self.card.asks is None else self.card.asks(self.params)
        return f"{what}{of}{by}"


@dataclass(frozen=True, eq=False)
class Draft:
    """A question as it was written, split into its parts."""

    name: str
    card: AskedMethod[Any]
    of: tuple[Declaration, ...]
    by: tuple[Declaration, ...]
    keys: Any
    own: Mapping[str, Any]
    given: Mapping[str, Any]
    beside: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[str, ...]:
        """What may be written in the question; `beside` are names that a call takes and a plan does not."""
        takes = self.card.takes
        of, by = () if takes.most == 0 else ("of",), () if takes.by_person else ("by", "keys")
        return (*of, *by, *self.card.written, *self.beside)

    def parameters(self, filled: Mapping[str, Any]) -> Params:
        """The card's parameters: what the plan declares, and what the question says itself."""
        _refuse_fixed(self.name, self.own)
        parsed: Params = self.card.params.parse(self.name, {**filled, **self.own}, self.known)
        return parsed

    def part(self, share: Fraction, filled: Mapping[str, Any], of_delta: Fraction = ALL) -> Params:
        """The card's parameters at one share of the price and another share of its delta."""
        whole = self.parameters(filled)
        loss, *deltas = self.card.prices(whole)
        shares = {loss: share, **dict.fromkeys(deltas, of_delta)}
        lowered = {name: rounded_down(exact(getattr(whole, name)) * part) for name, part in shares.items()}
        return replace(self, own={**self.own, **lowered}).parameters(filled)

    def calibrated(self, parts: int, whole: Callable[[Event], Event], filled: Mapping[str, Any]) -> Params | None:
        """The parameters of one part, such that all parts together cost what the question says, and hardly less.

        `whole` makes the event of the question from that of a part. None if the event has its own delta, which grows
        with the number of parts in another way.
        """
        asked = self.asked(filled)
        if price(self.spends(self.parameters(filled))).delta:
            return None
        share = greatest_share(lambda share: asked.used(whole(self.spends(self.part(share, filled)))), parts)
        if share is None:
            raise CannotGuarantee(
                f"{self.name}: no noise was found at which all rows of a person cost no more than epsilon "
                f"{float(asked.epsilon):g} and delta {float(asked.delta):g}; ask with more of both, or with fewer rows"
            )
        return self.part(share, filled)

    def asked(self, filled: Mapping[str, Any]) -> AskedPrice:
        """The price that the question states; if it states no epsilon, the one that its event amounts to."""
        params = self.parameters(filled)
        delta, dial = exact(self.card.promised_delta(params)), self.card.dial(params)
        if dial.is_epsilon:
            return AskedPrice(exact(getattr(params, dial.name)), delta)
        return AskedPrice(exact(account(self.spends(params), delta).epsilon), delta)

    def spends(self, params: Params) -> Event:
        """The event of the card with these parameters, whoever is protected."""
        return unscoped(self.card.spends(params))

    def question(self, params: Params, event: Event, grouping: Grouping | None = None) -> Question:
        """The question with its price."""
        forms = tuple(Form(column.name, self.card.takes.read_as(column)) for column in self.of)
        named = {column.name: column.categories for column in (*self.of, *self.by) if column.categories is not None}
        return Question(self.name, self.card, forms, params, event, self.given, grouping, categories=named)


@dataclass(frozen=True, eq=False)
class Asker:
    """What the columns declare and who is protected: all that turns a mapping into a question.

    `beside` are the names that a call takes beside those of a plan, to suggest one if a name is misspelt. With
    `planned` the columns are those that a plan declares, and the data may have more.
    """

    columns: Mapping[str, Declaration]
    protection: Protection
    beside: tuple[str, ...] = ()
    planned: bool = False

    def question(self, name: str, given: Mapping[str, Any]) -> Question:
        """The question that the mapping describes; if something is missing, the error says what to write."""
        return self.question_of(name, _statistic(name), given)

    def question_of(self, name: str, card: AskedMethod[Any], given: Mapping[str, Any]) -> Question:
        """The same for a card that is already known, a statistic or another method that is asked of an engine."""
        own = dict(given)
        parts = {
            what: tuple(self._declared(name, column) for column in _names(name, what, own)) for what in ("of", "by")
        }
        draft = Draft(name, card, parts["of"], parts["by"], own.pop("keys", None), own, given, self.beside)
        _require_columns(draft)
        question = self._grouped(draft) if draft.by else self._plain(draft)
        _require_columns(draft, self.protection.unit)
        return question

    def _plain(self, draft: Draft) -> Question:
        if draft.keys is not None:
            raise BadParameter(f"{draft.name}: `keys` is the price of choosing groups, but there is no `by`")
        who = self.protection
        if who.neighbours == "replace" and who.rows > 1 and not draft.card.takes.by_person:
            # Somebody who is replaced may have another number of rows, so one person goes and another comes.
            params = self._for_two(draft, draft.card.takes.parameters(draft.of, "add-remove", who.rows))
            return draft.question(params, in_scope(_two(draft.spends(params)), who.scope))
        params = draft.parameters(draft.card.takes.parameters(draft.of, who.neighbours, who.rows))
        return draft.question(params, in_scope(draft.spends(params), who.scope))

    def _for_two(self, draft: Draft, filled: Mapping[str, Any]) -> Params:
        """The parameters for one person, at which two cost what the question says."""
        params = draft.calibrated(2, _two, filled)
        if params is not None:
            return params
        return draft.part(Fraction(1, 2), filled, delta_share(draft.asked(filled).epsilon, 1, 2))

    def _grouped(self, draft: Draft) -> Question:
        grouping, who, takes = self._grouping(draft), self.protection, draft.card.takes
        row = takes.parameters(draft.of, "add-remove", 1)
        params, rows = self._for_row(draft, grouping, row) if takes.by_row else None, who.rows
        if params is not None:
            event = who.over_rows(draft.spends(params), grouping.number)
        else:
            params, rows = self._for_group(draft, grouping), 1
            event = who.over_groups(draft.spends(params), grouping.number)
        if grouping.selection is not None:
            chosen = grouping.selection
            event = Composed((unscoped(chosen.card.spends(chosen.params)), event))
        return replace(draft.question(params, in_scope(event, who.scope), grouping), rows=rows)

    def _for_row(self, draft: Draft, grouping: Grouping, filled: Mapping[str, Any]) -> Params | None:
        """The parameters for one row, at which all rows of a person cost what the question says."""
        who = self.protection
        return draft.calibrated(who.changed_rows, lambda event: who.over_rows(event, grouping.number), filled)

    def _for_group(self, draft: Draft, grouping: Grouping) -> Params:
        """The parameters for one group, at which all groups of a person cost what the question says."""
        who = self.protection
        filled = draft.card.takes.parameters(draft.of, "add-remove", who.rows)
        answers = who.groups_of_one(grouping.number)
        of_delta = delta_share(draft.asked(filled).epsilon, answers, who.steps)
        return draft.part(Fraction(1, who.steps * answers), filled, of_delta)

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
        name = str(given.pop("method", KEYS))
        card = _selection_method(name)
        filled = card.filled(draft.by[0], who.neighbours, who.groups_of_one(None))
        known = ("method", *(each for each in card.written if each not in filled))
        return GroupSelection(name, card, card.params.parse(f"{draft.name}, keys", {**filled, **given}, known))

    def _declared(self, name: str, column: str) -> Declaration:
        if column not in self.columns:
            it_has = f"it has {shown_names(list(self.columns))}"
            add = f"; to declare a column of the data, write `{column}: {{role: ...}}` under `columns`"
            raise BadParameter(
                f"{name}: {column!r} is not a column of the {'plan' if self.planned else 'data'}; "
                f"{did_you_mean(column, self.columns, it_has)}{add if self.planned else ''}"
            )
        return self.columns[column]


def _two(event: Event) -> Event:
    """The cost of an event for a person who goes and another who comes."""
    return Group(event, 2)


def _require_columns(draft: Draft, unit: str | None = "") -> None:
    """Refuse a question that names too few or too many columns, or that needs a `unit`, and say which question."""
    try:
        draft.card.takes.columns([column.name for column in draft.of], unit)
    except BadParameter as wrong:
        raise BadParameter(f"{draft.name}: {wrong}") from None


def _categories(name: str, column: Declaration) -> tuple[str, ...]:
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
    for fixed in STATED:
        if fixed in own:
            raise BadParameter(f"{name}: `{fixed}` is stated once for all questions, under `privacy`")


def _statistic(name: str) -> Statistic[Any]:
    if name not in methods():
        known = [full for full in methods() if full.startswith(STATISTICS)]
        close = get_close_matches(name if "/" in name else f"{STATISTICS}{name}", known, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}?" if close else f"the known ones are: {', '.join(known)}"
        raise BadParameter(f"there is no statistic {name!r}; {hint}")
    card = find_method(name)
    if not isinstance(card, Statistic):
        raise BadParameter(f"{name} is not a statistic; `tacit methods` lists the statistics")
    return card


def _selection_method(name: str) -> KeySelection[Any]:
    card = find_method(name)
    if not isinstance(card, KeySelection):
        raise BadParameter(f"{name} does not choose groups; leave `method` out of `keys`, or name one that does")
    return card


def _names(name: str, what: str, own: dict[str, Any]) -> tuple[str, ...]:
    """Takes `of` or `by` out of the question: one column, or a list of different ones."""
    given = own.pop(what, None)
    listed = () if given is None else (given,) if isinstance(given, str) else given
    good = isinstance(listed, list | tuple) and all(isinstance(column, str) for column in listed)
    if not good or len(set(listed)) < len(listed):
        raise BadParameter(f"{name}: `{what}` must be the name of a column, or a list of different names")
    return tuple(listed)
