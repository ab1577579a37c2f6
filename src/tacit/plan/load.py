"""From a YAML file to a plan: every complaint names the place in the file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.data.source import Source, file_source
from tacit.errors import BadData, BadParameter
from tacit.plan.dataset import Dataset
from tacit.plan.schema import DataSection, PlanFile, ReleaseSection

LARGEST_PLAN_BYTES = 16 * 2**20


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan that was read: its file, what it says as plain values, the dataset and the release that it describes."""

    path: Path
    form: dict[str, Any]
    dataset: Dataset
    release: ReleaseSection


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
    )
    return Plan(path, file.model_dump(mode="json", by_alias=True, exclude_defaults=True), dataset, file.release)


def read_plan_text(path: Path) -> str:
    """The text of a plan file."""
    if not path.exists():
        raise BadData(f"there is no plan {path}; `tacit inspect DATA` writes a draft")
    if path.is_dir():
        raise BadData(f"{path} is a folder; name the plan file in it")
    if path.stat().st_size > LARGEST_PLAN_BYTES:
        raise BadData(f"{path} is too large for a plan; did you mean `tacit inspect {path}`?")
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadData(f"{path} is not a text file in UTF-8; a plan is YAML") from None


def parse_plan(text: str, where: str) -> PlanFile:
    """The plan that the YAML text describes."""
    form = parse_yaml(text, where)
    if not isinstance(form, dict):
        raise BadParameter(f"{where}: a plan is a mapping with version, data, columns and release")
    if "version" in form and form["version"] != 1:
        raise BadParameter(f"{where}: version is {form['version']!r}; this release of Tacit reads version 1")
    return PlanFile.parse(where, {str(key): value for key, value in form.items()})


def parse_yaml(text: str, where: str) -> Any:
    """The values in YAML text, in which no key may stand twice."""
    import yaml

    try:
        return yaml.load(text, Loader=_strict_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it can't be parsed"
        raise BadParameter(f"{where}{place}: not valid YAML: {problem}") from None
    except (ValueError, RecursionError) as error:
        raise BadParameter(f"{where}: not valid YAML: {type(error).__name__}") from None


def _strict_loader() -> type:
    import yaml

    class StrictLoader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # type: ignore[misc]
        """A safe loader that refuses a key that stands twice, where YAML would keep the last silently."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            keys = [
                key.value
                for key, _ in node.value
                if isinstance(key.value, str) and key.tag != "tag:yaml.org,2002:merge"
            ]
            double = sorted({key for key in keys if keys.count(key) > 1}) if len(keys) < 10_000 else []
            if double:
                raise yaml.constructor.ConstructorError(None, None, f"{double[0]!r} stands twice", node.start_mark)
            return super().construct_mapping(node, deep)  # type: ignore[no-any-return]

    return StrictLoader


def section_source(section: DataSection, folder: Path) -> Source:
    """The source that a data section names."""
    return file_source(folder / section.path, **section.options())
