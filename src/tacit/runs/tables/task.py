"""The task of a release section: what it asks of a table, parsed once, with every part found and checked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tacit.brought import faults_of, told_faults
from tacit.cards.method import Method
from tacit.cards.republication import RepublicationMethod
from tacit.cards.tables import TableMethod
from tacit.catalogue import find_method
from tacit.data.dataset import Dataset
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import given_by, parse_table_guarantee
from tacit.guarantees.guarantee import TableGuarantee, is_given
from tacit.plan.schema import ReleaseSection
from tacit.runs.tables.step import BY_NAME, GROUP, Step, Task, all_steps


def guarantees_of(section: ReleaseSection) -> tuple[TableGuarantee, ...]:
    """The guarantees of a release section."""
    return tuple(parse_table_guarantee(entry) for entry in section.guarantees)


def task_of(
    dataset: Dataset,
    section: ReleaseSection,
    guarantees: Sequence[TableGuarantee] | None = None,
    steps: Sequence[Step[Any]] | None = None,
) -> Task:
    """The task of a section; `guarantees` are those that the section names, where they are objects already."""
    promised = guarantees_of(section) if guarantees is None else tuple(guarantees)
    method = find_method(section.method)
    asked = asked_steps(dataset, section, steps)
    _require_able(section, method, promised)
    if section.seed is not None and not any(step.is_random for step in asked):
        raise BadParameter("a seed is given, but there is no sample or treatment that would draw from it; leave it out")
    return Task(section, promised, method, method.params.parse(section.method, section.parameters), asked)


def asked_steps(
    dataset: Dataset, section: ReleaseSection | None, steps: Sequence[Step[Any]] | None = None
) -> tuple[Step[Any], ...]:
    """The steps that a plan asks for, with their parameters; without a section, those that the dataset asks for."""
    known = tuple(all_steps() if steps is None else sorted(steps, key=lambda step: step.place))
    if section is not None:
        _require_known(section, known)
        _require_in_place(section, known)
    return tuple(one for step in known if (one := step.asked(dataset, section)) is not None)


def secret_files(dataset: Dataset, section: ReleaseSection) -> tuple[Path, ...]:
    """The files of all steps whose places no output may take."""
    return tuple(path for step in asked_steps(dataset, section) for path in step.effects(dataset).secret_files)


def _require_known(section: ReleaseSection, steps: Sequence[Step[Any]]) -> None:
    names = [step.name for step in steps]
    unknown = [name for name in section.steps if name not in names]
    if unknown:
        broken = told_faults(faults_of(GROUP, "steps"))
        raise BadParameter(f"there is no step {unknown[0]!r}; the known ones are: {', '.join(names)}{broken}")


def _require_in_place(section: ReleaseSection, steps: Sequence[Step[Any]]) -> None:
    """Every step below `steps` may be asked for there; one with its own key would be silently ignored."""
    for step in steps:
        if step.name in section.steps and step.key != BY_NAME:
            raise BadParameter(
                f"the step {step.name!r} has a field of its own in the plan; write it there, as `{step.key}`, and not "
                "under `steps`"
            )


def _require_able(section: ReleaseSection, method: Method[Any], guarantees: tuple[TableGuarantee, ...]) -> None:
    """The method works on tables and can give all guarantees."""
    if method.kind == RepublicationMethod.kind:
        raise BadParameter(f"{section.method} republishes a table; write a plan and run `tacit protect PLAN`")
    if method.kind != TableMethod.kind:
        raise BadParameter(f"the method {section.method} is of the kind {method.kind!r}, not {TableMethod.kind!r}")
    lacking = [guarantee.name for guarantee in guarantees if not is_given(guarantee, method.guarantees)]
    if lacking:
        able = ", ".join(given_by(method.guarantees)) or "none"
        raise BadParameter(
            f"the method {section.method} can't give {', '.join(lacking)}; it gives {able}. "
            "Use another method, such as tables/lattice, or leave the guarantee out"
        )
