"""From a release section to a synthetic table that can be charged."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.cards.synthesis import SynthesisMethod
from tacit.catalogue import find_method
from tacit.data.dataset import Dataset
from tacit.errors import BadParameter, TacitError
from tacit.guarantees.catalogue import parse_guarantee
from tacit.guarantees.guarantee import Guarantee, ProvenGuarantee, is_given
from tacit.ledger.ledger import Ledger
from tacit.ledger.memory import MemoryLedger
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.randomness.stream import RandomBits
from tacit.runs.answers.ask import declared_columns, opened_ledger, protection_of
from tacit.runs.answers.budget import PrivacyBudget
from tacit.runs.answers.protection import Protection
from tacit.runs.answers.question import Asker, Question
from tacit.runs.files import OutcomeFiles
from tacit.runs.release_call import ReleaseCall
from tacit.runs.synthesis.cells import require_room
from tacit.spelling import did_you_mean, many

MEANT = frozenset({"guarantees", "method", "parameters", "output", "guard_formulas", "seed"})
"""The fields of a release section that say something about a synthetic table."""


@dataclass(frozen=True, eq=False)
class PricedTable:
    """A synthetic table before it is charged: its method, what it promises, and the question that is paid for."""

    card: SynthesisMethod[Any]
    guarantee: ProvenGuarantee
    question: Question

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many cells each column has, without the cell of missing values."""
        return tuple(self.card.sizes(self.question.params))


@dataclass(frozen=True, eq=False)
class SynthesisTask:
    """What is asked, the table that was priced, who is protected, and the ledger that is charged.

    `level` is the confidence at which the error is told. `files` are those of the ledger, which no release may take the
    place of.
    """

    section: ReleaseSection
    priced: PricedTable
    protection: Protection
    ledger: Ledger | MemoryLedger
    bits: RandomBits
    files: tuple[Path, ...] = ()
    level: float = 0.95


def task_of_plan(plan: Plan, files: OutcomeFiles | None = None) -> SynthesisTask:
    """The task of `tacit protect PLAN`; `files` are those that will be written, if any."""
    who = protection_of(plan)
    table = priced(plan.dataset, plan.release, who)
    ledger, privacy = opened_ledger(plan, who, files), plan.privacy
    bits = bits_of(plan.release, privacy.seed)
    return SynthesisTask(plan.release, table, who, ledger, bits, (ledger.path,), privacy.level)


def task_of_call(call: ReleaseCall) -> SynthesisTask:
    """The task of `tacit.protect` in Python, charged to the budget of the call."""
    dataset, section, budget = call.dataset, call.section, call.budget
    if not isinstance(budget, PrivacyBudget):
        raise BadParameter(
            "a synthetic table is charged to a budget; give `budget=tacit.PrivacyBudget(epsilon=1)`, which says who is "
            "protected and what may be spent"
        )
    if dataset.unit is not None and dataset.unit != budget.column:
        raise BadParameter(
            f"people are told apart by {dataset.unit!r} in the dataset and by "
            f"{'its rows' if budget.column is None else repr(budget.column)} in the budget; name the same `unit` in "
            "both"
        )
    who = budget.protection
    table = priced(dataset, section, who, call.guarantees)
    files = () if budget.ledger is None else (Path(budget.ledger),)
    return SynthesisTask(section, table, who, budget.book, bits_of(section), files)


def bits_of(section: ReleaseSection, seed: int | None = None) -> RandomBits:
    """The randomness of the release: that of the operating system, unless the section has a seed or one is given."""
    own = seed if section.seed is None else section.seed
    return RandomBits.from_os() if own is None else RandomBits.from_seed(own)


def priced(
    dataset: Dataset,
    section: ReleaseSection,
    who: Protection,
    guarantees: "tuple[Guarantee | dict[str, Any], ...] | None" = None,
) -> PricedTable:
    """The table that is asked for, with its price; BadParameter says what to write if something is missing."""
    card = _method(section)
    guarantee = _promise(section, card, section.guarantees if guarantees is None else guarantees)
    terms = _terms(section, card, guarantee)
    stated = guarantee.stated_neighbours
    if stated not in (None, who.neighbours):
        raise BadParameter(
            f"the guarantee {guarantee.name} has neighbours {stated}, but the section `privacy` has {who.neighbours}; "
            "write the same in both"
        )
    fixed = [name for name in ("of", "by", "keys", *card.stated) if name in section.parameters]
    if fixed:
        raise BadParameter(f"{section.method}: `{fixed[0]}` is not a parameter here; the guarantee says what is spent")
    for name in section.parameters:
        if name not in card.params.model_fields:
            raise BadParameter(f"{section.method}: {name}: there is no such key; {did_you_mean(name, card.written)}")
    of = published_columns(dataset)
    _require_declared(dataset, of)
    asker = Asker(declared_columns(dataset), who)
    question = asker.question_of(section.method, card, {"of": list(of), **terms, **section.parameters})
    table = PricedTable(card, guarantee, question)
    if len(table.sizes) != len(of):
        raise TacitError(f"{section.method} has `sizes` of {many(len(table.sizes), 'column')} for {len(of):,}")
    for name, size in zip(of, table.sizes, strict=True):
        require_room(name, dataset.columns[name], size)
    return table


def published_columns(dataset: Dataset) -> tuple[str, ...]:
    """The columns that invented rows have: all but identifiers, which would be nobody's."""
    kept = tuple(
        name for name, column in dataset.columns.items() if column.role != "identifier" and name != dataset.unit
    )
    if not kept:
        raise BadParameter("every column is an identifier, so nothing is left to publish")
    return kept


def _method(section: ReleaseSection) -> SynthesisMethod[Any]:
    card = find_method(section.method)
    assert isinstance(card, SynthesisMethod)
    return card


def _promise(section: ReleaseSection, card: SynthesisMethod[Any], entries: Any) -> ProvenGuarantee:
    """The one guarantee of the section, which must be one that the method proves."""
    found = [parse_guarantee(entry) for entry in entries]
    other = next((one for one in found if not is_given(one, card.guarantees)), None)
    if other is not None:
        raise BadParameter(
            f"the method {section.method} can't give {other.name}: it invents rows, so it gives only guarantees "
            "that are proven for the way rows are made. Leave this one out, or take a method of tables/"
        )
    if len(found) != 1:
        raise BadParameter(f"{section.method} gives one guarantee, and {len(found)} are named; name one")
    (guarantee,) = found
    if not isinstance(guarantee, ProvenGuarantee):
        raise BadParameter(
            f"{guarantee.name} is not a ProvenGuarantee, so {section.method} can't prove it of its rows; leave it out "
            "here"
        )
    return guarantee


def _terms(section: ReleaseSection, card: SynthesisMethod[Any], guarantee: ProvenGuarantee) -> dict[str, float]:
    """What the guarantee says is spent, under the names that the method's parameters have."""
    loss, *deltas = card.stated
    if guarantee.failure and not deltas:
        raise BadParameter(f"{section.method} takes no delta; leave the delta of {guarantee.name} out")
    return {loss: guarantee.epsilon, **(dict.fromkeys(deltas, guarantee.failure) if guarantee.failure else {})}


def _require_declared(dataset: Dataset, of: tuple[str, ...]) -> None:
    """Every column declares its values: a range that is read from the data would break the promise."""
    lacking = [name for name in of if dataset.columns[name].categories is None and dataset.columns[name].bounds is None]
    if lacking:
        raise BadParameter(
            f"{many(len(lacking), 'column declares', 'columns declare')} neither bounds nor categories: "
            f"{', '.join(lacking)}. The possible values may not be read from the data, since that would reveal who is "
            "in it; write what is publicly known under `columns` of the plan, or in `columns` of `tacit.read`, as in "
            f"`{lacking[0]}: {{bounds: [0, 120]}}` or `{lacking[0]}: {{categories: [FIRST, SECOND]}}`, or make it an "
            "identifier, which is left out"
        )
