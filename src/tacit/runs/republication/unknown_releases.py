"""Releases of a republication that its history does not contain: the history is gone, or it is an old copy.

Nothing that is made without the whole history is safe: people would be published with other sets of values than before,
and anyone who compares the releases would be left with one value. So a run looks for the evidence of earlier releases,
beside the plan and in the folder of its own evidence, and makes nothing if one is missing from the history. Evidence
that was moved elsewhere is not found.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tacit.errors import PolicyRefused
from tacit.plan.load import Plan
from tacit.runs.files import OutcomeFiles, default_output, evidence_in
from tacit.runs.republication.history import History
from tacit.runs.republication.plan import RepublicationPlan

MOST_NAMES = 3


def require_known(asked: RepublicationPlan, history: History, files: OutcomeFiles) -> None:
    """The history contains every release of the plan that is there."""
    folders = (asked.plan.folder, default_output(asked.plan).parent, files.evidence.parent)
    unknown = sorted(set(_unknown(asked, history, folders)), key=_counting)
    if unknown:
        raise PolicyRefused(_refusal(asked, history, unknown))


def require_free(files: OutcomeFiles) -> None:
    """The place of the next release is free, unless the user named it: a number is given only once."""
    if files.release.exists():
        raise PolicyRefused(
            f"{files.release} already exists, and no release of this history has that name; if it was published, "
            "restore the history that contains it, otherwise move it away. Nothing was changed"
        )


def _refusal(asked: RepublicationPlan, history: History, unknown: list[str]) -> str:
    known = f"its last one is release {len(history.entries)}" if asked.history.exists() else "there is no such file"
    more = f" and {len(unknown) - MOST_NAMES:,} more" if len(unknown) > MOST_NAMES else ""
    return (
        f"the history {asked.history} does not contain some releases of this plan ({known}): "
        f"{', '.join(unknown[-MOST_NAMES:])}{more}. Another release made without them would expose their people; "
        "restore the latest history, or, if you start again with people who were never published, move the old "
        "releases away with their evidence. Nothing was changed"
    )


def _unknown(asked: RepublicationPlan, history: History, folders: Iterable[Path]) -> Iterator[str]:
    """The names of the releases in these folders that are of the plan and not in the history."""
    known = {entry.sha256 for entry in history.entries}
    for path in evidence_in(folders):
        release = _release_of(path, asked)
        if release is not None and release["sha256"] not in known:
            yield str(release["name"])


def _release_of(evidence: Path, asked: RepublicationPlan) -> dict[str, Any] | None:
    """The file that the evidence is about, if that is a release of the plan.

    It is one if the same history remembers it, that of a plan in this folder or of a plan that is called the same, or
    if a plan that is called the same has given it a name by itself. Another plan with another history is not meant.
    """
    try:
        found = json.loads(evidence.read_bytes())
        release: dict[str, Any] = found["outputs"][0]
        if found["kind"] != asked.method.kind or not {"name", "sha256"} <= set(release):
            return None
        same_history = found["recipe"]["parameters"]["history"] == asked.params.history
        same_plan = found["plan"]["name"] == asked.plan.path.name
        beside = evidence.parent.samefile(asked.plan.folder)
    except (OSError, ValueError, LookupError, TypeError):
        return None
    numbered = same_plan and _is_numbered(str(release["name"]), asked.plan)
    return release if numbered or (same_history and (same_plan or beside)) else None


def _is_numbered(name: str, plan: Plan) -> bool:
    """Whether the plan would give this name to one of its releases."""
    usual = default_output(plan)
    return re.fullmatch(rf"{re.escape(usual.stem)}-\d+{re.escape(usual.suffix)}", name) is not None


def _counting(name: str) -> list[Any]:
    """In the order of their numbers: 2 before 10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]
