"""From a YAML file to a plan: every complaint names the place in the file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.data.source import Source, file_source
from tacit.errors import BadData, BadParameter
from tacit.guarantees.guarantee import TableGuarantee
from tacit.plan.dataset import Dataset
from tacit.plan.schema import DataSection, PlanFile, ReleaseSection
from tacit.plan.strict_yaml import parse_yaml

LARGEST_PLAN_BYTES = 16 * 2**20
MOST_COMPLAINTS = 10
LONGEST_COMPLAINT = 400


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan that was read: its file, what it says as plain values, the dataset and the release that it describes.

    `promised` are the guarantees as objects where a caller gave such instead of names.
    """

    path: Path
    form: dict[str, Any]
    dataset: Dataset
    release: ReleaseSection
    promised: tuple[TableGuarantee, ...] = ()


def load_plan(path: Path) -> Plan:
    """The plan in the file; its data file must exist."""
    file = parse_plan(read_plan_text(path), str(path))
    folder = path.parent
    dataset = Dataset(
        source=section_source(file.data, folder),
        columns=file.columns,
        unit=file.unit,
        population=section_source(file.population, folder) if file.population else None,
        folder=folder,
        sampling=file.sampling,
    )
    return Plan(path, file.model_dump(mode="json", by_alias=True, exclude_defaults=True), dataset, file.release)


def read_plan_text(path: Path) -> str:
    """The text of a plan file."""
    try:
        if path.is_dir():
            raise BadData(f"{path} is a folder; name the plan file in it")
        if path.stat().st_size > LARGEST_PLAN_BYTES:
            raise BadData(f"{path} is too large for a plan; did you mean `tacit inspect {path}`?")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadData(f"there is no plan {path}; `tacit inspect DATA` writes a draft") from None
    except UnicodeDecodeError:
        raise BadData(f"{path} is not a text file in UTF-8; a plan is YAML") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise BadData(f"the plan {path} can't be read: {reason or 'its name is no file name'}") from None


def parse_plan(text: str, where: str) -> PlanFile:
    """The plan that the YAML text describes."""
    form = parse_yaml(text, where)
    if not isinstance(form, dict):
        raise BadParameter(f"{where}: a plan is a mapping with version, data, columns and release")
    if "version" in form and form["version"] != 1:
        raise BadParameter(f"{where}: version is {str(form['version'])[:60]!r}; this release of Tacit reads version 1")
    try:
        return PlanFile.parse(where, {str(key): value for key, value in form.items()})
    except BadParameter as error:
        raise BadParameter(_shortened(str(error))) from None


def _shortened(complaints: str) -> str:
    """The first complaints, each cut to a readable length."""
    lines = complaints.split("\n")
    cut = [line if len(line) <= LONGEST_COMPLAINT else line[: LONGEST_COMPLAINT - 1] + "…" for line in lines]
    more = [f"and {len(lines) - MOST_COMPLAINTS} more complaints"] if len(lines) > MOST_COMPLAINTS else []
    return "\n".join([*cut[:MOST_COMPLAINTS], *more])


def section_source(section: DataSection, folder: Path) -> Source:
    """The source that a data section names."""
    return file_source(folder / section.path, **section.options())
