"""The files of the demo: the register, its hierarchies and its plan, the same bytes whenever they are written.

A file of such a name with other content is somebody's own, also if it is the demo's plan, edited. It is never replaced.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from tacit.demo.hospital import register
from tacit.errors import BadParameter, PolicyRefused
from tacit.publication import publication, repair

DATA_FILE = "hospital.csv"
PLAN_FILE = "hospital.plan.yaml"
LEDGER_FILE = "hospital.ledger"
HIERARCHIES = ("sex", "marital_status", "occupation", "education", "country_of_birth", "diagnosis")


def write_demo(folder: Path) -> Path:
    """`folder` holds the register, its hierarchies and its plan; the path of the plan.

    Refused, with nothing changed, where a file of such a name is there and holds something else.
    """
    content = demo_content()
    refuse_foreign(folder, foreign_files(folder, content))
    write_missing(folder, content)
    return folder / PLAN_FILE


def demo_content() -> dict[str, bytes]:
    """What each file holds, by its path below the folder."""
    source = files("tacit.demo")
    names = (*(f"hierarchies/{column}.csv" for column in HIERARCHIES), PLAN_FILE)
    return {**{name: source.joinpath(*name.split("/")).read_bytes() for name in names}, DATA_FILE: _register_bytes()}


def foreign_files(folder: Path, content: Mapping[str, bytes]) -> list[str]:
    """The files that are there under these names and hold something else."""
    if folder.exists() and not folder.is_dir():
        raise BadParameter(f"{folder} is a file; name a folder for the demo with -o")
    return [name for name, expected in content.items() if _is_foreign(folder / name, expected)]


def refuse_foreign(folder: Path, names: Iterable[str]) -> None:
    """Raises an error where there are such files."""
    found = ", ".join(names)
    if found:
        raise PolicyRefused(
            f"{folder} has files that the demo would replace, but did not write or that were edited: {found}; choose "
            "another folder with -o. Nothing was changed"
        )


def write_missing(folder: Path, content: Mapping[str, bytes]) -> None:
    """All files are there; those that are missing take their places as one, also where a kill left some of them."""
    repair(*(folder / name for name in content))
    missing = {folder / name: name for name in content if not (folder / name).exists()}
    if not missing:
        return
    with publication(tuple(missing)) as staged:
        for place, name in missing.items():
            staged[place].write_bytes(content[name])


def _is_foreign(path: Path, expected: bytes) -> bool:
    """Whether something else is there; a link that leads nowhere is, too."""
    try:
        return path.read_bytes() != expected
    except FileNotFoundError:
        return path.is_symlink()
    except OSError:
        return True


def _register_bytes() -> bytes:
    """The register as CSV; the header by hand, since older versions of pyarrow can't leave its quotes out."""
    import pyarrow.csv

    table, written = register(), BytesIO()
    written.write((",".join(table.column_names) + "\n").encode())
    pyarrow.csv.write_csv(table, written, pyarrow.csv.WriteOptions(quoting_style="none", include_header=False))
    return written.getvalue()
