"""A task: what a release section asks of a table, parsed once, with every part of it found and able."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tacit.brought import faults_of
from tacit.cards.method import Method
from tacit.cards.republication import RepublicationMethod
from tacit.cards.tables import TableMethod
from tacit.catalogue import find_method
from tacit.data.dataset import Dataset
from tacit.data.tables.table import Table
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import given_by, parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee, is_given
from tacit.plan.schema import ReleaseSection
from tacit.request import Progress, TableDecision, TableRequest
from tacit.runs.tables.step import GROUP, Step, all_steps


@dataclass(frozen=True, eq=False)
class Task:
    """What is promised, the method with its parameters, and the optional steps that the plan asks for."""

    section: ReleaseSection
    guarantees: tuple[TableGuarantee, ...]
    method: Method[Any]
    params: Any
    steps: tuple[Step, ...]

    @property
    def is_seeded(self) -> bool:
        """Whether the randomness comes from a seed that somebody knows."""
        return self.section.seed is not None

    def decide(self, table: Table, progress: Progress) -> TableDecision:
        """What the method makes of the table."""
        request = TableRequest(self.guarantees, self.section.suppression, self.section.objective, progress)
        answer: TableDecision = self.method.run(table, request, self.params)
        return answer


def guarantees_of(section: ReleaseSection) -> tuple[TableGuarantee, ...]:
    """The guarantees of a release section."""
    return tuple(parse_table_guarantee(entry) for entry in section.guarantees)


def task_of(
    dataset: Dataset,
    section: ReleaseSection,
    guarantees: Sequence[TableGuarantee] | None = None,
    steps: Sequence[Step] | None = None,
) -> Task:
    """The task of a section; `guarantees` are those that the section names, where they are objects already."""
    promised = guarantees_of(section) if guarantees is None else tuple(guarantees)
    method = find_method(section.method)
    known = tuple(all_steps() if steps is None else sorted(steps, key=lambda step: step.place))
    _require_known(section, known)
    asked = tuple(step for step in known if step.is_asked(dataset, section))
    _require_asked(section, asked)
    _require_able(section, method, promised)
    if section.seed is not None and not any(step.is_random for step in asked):
        raise BadParameter("a seed is given, but no sample and no treatments that would draw from it; leave it out")
    return Task(section, promised, method, method.params.parse(section.method, section.parameters), asked)


def _require_known(section: ReleaseSection, steps: Sequence[Step]) -> None:
    names = [step.name for step in steps]
    unknown = [name for name in section.steps if name not in names]
    if unknown:
        broken = "".join(f"; {fault}" for fault in faults_of(GROUP, "steps"))
        raise BadParameter(f"there is no step {unknown[0]!r}; known are: {', '.join(names)}{broken}")


def _require_asked(section: ReleaseSection, asked: Sequence[Step]) -> None:
    """Every step below `steps` is taken; one that has a field of its own would be left out in silence."""
    names = {step.name for step in asked}
    idle = [name for name in section.steps if name not in names]
    if idle:
        raise BadParameter(
            f"the step {idle[0]!r} has a field of its own in the plan; write it there, and not under `steps`"
        )


def _require_able(section: ReleaseSection, method: Method[Any], guarantees: tuple[TableGuarantee, ...]) -> None:
    """The method works on tables and can give all guarantees."""
    if method.kind == RepublicationMethod.kind:
        raise BadParameter(f"{section.method} makes a series of releases; write a plan and run `tacit protect PLAN`")
    if method.kind != TableMethod.kind:
        raise BadParameter(f"the method {section.method} is of the kind {method.kind!r}, not {TableMethod.kind!r}")
    lacking = [guarantee.name for guarantee in guarantees if not is_given(guarantee, method.guarantees)]
    if lacking:
        able = ", ".join(given_by(method.guarantees)) or "none"
        raise BadParameter(
            f"the method {section.method} can't give {', '.join(lacking)}; it gives {able}. "
            "Take another method, such as tables/lattice, or leave the guarantee out"
        )
