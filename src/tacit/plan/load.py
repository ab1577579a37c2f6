"""From a YAML file to a plan: every error names the place in the file."""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from tacit.data.dataset import ROW, Dataset, unit_column, unit_is_exact
from tacit.data.sources.source import Source, bare_name, file_source, known_format
from tacit.errors import BadData, BadParameter
from tacit.plan.privacy import PrivacySection
from tacit.plan.schema import DataSection, OtherData, PlanFile, ReleaseSection
from tacit.plan.strict_yaml import parse_yaml

LARGEST_PLAN_BYTES = 16 * 2**20
MOST_COMPLAINTS = 10
LONGEST_COMPLAINT = 400
VERSION = re.compile(r"""\bversion["']?\s*:""")
"""What every plan has, whatever its file is called."""
NAMELESS = ("", "plan", ".plan")


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan that was read: its file, what it says as plain values, and the same as sections."""

    path: Path
    form: dict[str, Any]
    file: PlanFile

    @property
    def folder(self) -> Path:
        """Where the files that the plan names are looked for."""
        return self.path.parent

    @property
    def name(self) -> str:
        """What its files are named after: the plan, or the data if the plan is just called `plan`.

        Two plans for one data file thus keep their releases apart.
        """
        own = self.path.stem.removesuffix(".plan")
        return bare_name(Path(self.file.data.path)) if own in NAMELESS else own

    @property
    def release(self) -> ReleaseSection:
        """What is promised; refused if the plan does not say."""
        if self.file.release is None:
            raise BadParameter(
                f"{self.path}: the plan has no `release`; write under it which guarantees are promised, as in "
                "`release: {guarantees: [k-anonymity: {k: 5}]}`"
            )
        return self.file.release

    def with_public(self) -> "Plan":
        """The plan that asks for a page for recipients too."""
        section = self.release.model_copy(update={"public": True})
        return replace(self, file=self.file.model_copy(update={"release": section}))

    @property
    def privacy(self) -> PrivacySection:
        """Who is protected by differential privacy; refused if the plan does not say."""
        if self.file.privacy is None:
            raise BadParameter(
                f"{self.path}: the plan has no `privacy`; write under it what may be spent, as in "
                "`privacy: {budget: {epsilon: 1}}`"
            )
        return self.file.privacy

    def with_release(self, section: ReleaseSection) -> "Plan":
        """The same plan with another release section."""
        file = self.file.model_copy(update={"release": section})
        return Plan(self.path, _form(file), file)

    @cached_property
    def dataset(self) -> Dataset:
        """The table that the plan describes; its file must exist."""
        file = self.file
        if isinstance(file.data, OtherData):
            raise BadParameter(f"{self.path}: the data is of kind {file.data.kind}, but this works only on tables")
        if not file.columns:
            raise BadParameter(f"{self.path}: the plan has no `columns`; give each column of the data a role")
        return Dataset(
            source=section_source(file.data, self.folder),
            columns=file.columns,
            unit=unit_column(file.unit),
            population=section_source(file.population, self.folder) if file.population else None,
            folder=self.folder,
            survey=file.survey,
            each_row_is_a_person=file.unit == ROW,
            unit_is_exact=unit_is_exact(file.unit),
        )


def load_plan(path: Path) -> Plan:
    """The plan in the file; the file of its table must exist."""
    file = parse_plan(read_plan_text(path), str(path))
    plan = Plan(path, _form(file), file)
    if not isinstance(file.data, OtherData):
        section_source(file.data, plan.folder)
    return plan


def _form(file: PlanFile) -> dict[str, Any]:
    """The plan as plain values, without fields that have their default."""
    return file.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def read_plan_text(path: Path) -> str:
    """The text of a plan file."""
    try:
        if path.is_dir():
            raise BadData(f"{path} is a folder; name the plan file in it")
        if path.stat().st_size > LARGEST_PLAN_BYTES:
            raise BadData(f"{path} is too large for a plan; did you mean `tacit inspect {path}`?")
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadData(f"there is no plan {path}; `tacit inspect DATA` writes a draft") from None
    except UnicodeDecodeError:
        told = _data_told(path) if known_format(path) else f"{path} is not a text file in UTF-8; a plan is YAML"
        raise BadData(told) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise BadData(f"the plan {path} can't be read: {reason or 'its name is not a file name'}") from None
    if known_format(path) and not VERSION.search(text):
        raise BadData(_data_told(path))
    return text


def _data_told(path: Path) -> str:
    """That a file holds data, by its name, and how to come to a plan for it."""
    return (
        f"{path} is a data file, and a plan is wanted here, which says what its columns are and what to do with them; "
        f"`tacit inspect {path}` drafts one"
    )


def parse_plan(text: str, where: str) -> PlanFile:
    """The plan that the YAML text describes."""
    form = parse_yaml(text, where)
    if not isinstance(form, dict):
        raise BadParameter(
            f"{where}: a plan is a mapping with version, data and what to do with it, such as columns and release"
        )
    if "version" in form and form["version"] != 1:
        raise BadParameter(f"{where}: {_other_version(form['version'])}")
    if "sampling" in form:
        raise BadParameter(
            f"{where}: sampling is called survey now; write `survey:` with the same weight and household. To publish a "
            "sample, write `sample` under `release`"
        )
    try:
        return PlanFile.parse(where, {str(key): value for key, value in form.items()})
    except BadParameter as error:
        raise BadParameter(_shortened(str(error))) from None


def _other_version(found: Any) -> str:
    """What is wrong with the version that a plan names."""
    if isinstance(found, str) and found.strip() in ("1", "1.0"):
        return f"version is the text '{found.strip()}'; write the number, without quotes: `version: 1`"
    return f"version is {str(found)[:60]!r}; this release of Tacit reads version 1"


def _shortened(complaints: str) -> str:
    """The first complaints, each cut to a readable length."""
    lines = complaints.split("\n")
    cut = [line if len(line) <= LONGEST_COMPLAINT else line[: LONGEST_COMPLAINT - 1] + "…" for line in lines]
    more = [f"and {len(lines) - MOST_COMPLAINTS} more errors"] if len(lines) > MOST_COMPLAINTS else []
    return "\n".join([*cut[:MOST_COMPLAINTS], *more])


def section_source(section: DataSection, folder: Path) -> Source:
    """The source that a data section names."""
    return file_source(folder / section.path, **section.options())
