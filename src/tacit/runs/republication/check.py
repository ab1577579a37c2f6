"""Whether a file is one of the releases, and whether all releases together keep the promise."""

from dataclasses import replace

from tacit.data.sources.source import Source, shown_names
from tacit.data.tables.counting import TallyRequest
from tacit.engines.engine import Engine
from tacit.errors import BadData
from tacit.plan.load import Plan
from tacit.release.fingerprints import sha256_of
from tacit.runs.republication.history import History
from tacit.runs.republication.plan import RepublicationPlan, history_of, republication_plan
from tacit.runs.republication.process import in_all
from tacit.runs.republication.rows import (
    case_of_release,
    read_classes,
)
from tacit.runs.tables.check import TableCheck, check_tally
from tacit.runs.tables.count import build_table, count
from tacit.verification.republication import require_releases_agreement
from tacit.verification.verify import require_agreement


def check_release(plan: Plan, data: Source, engine: Engine) -> TableCheck:
    """Whether the file is one of the releases, and keeps the promise alone and with all the others."""
    asked = republication_plan(plan)
    names = (asked.params.class_column, *plan.dataset.named("quasi-identifier"))
    reading = TallyRequest(names, plan.dataset.named("sensitive"))
    lacking = [name for name in reading.columns if name not in engine.columns(data)]
    if lacking:
        raise BadData(f"{data.name} has no column {shown_names(lacking)}, which its releases have")
    table = build_table(plan.dataset, count(plan.dataset, engine))
    back = read_classes(engine, data, reading, table)
    checked = check_tally((asked.guarantee,), back.released, None, plan.release.risk_threshold)
    require_agreement(case_of_release(back, reading.columns), (asked.guarantee,), checked.promises)
    history = history_of(asked)
    found = asked.guarantee.check_releases(history.releases)
    require_releases_agreement(asked.guarantee, history.releases, found)
    number = history.number_of(sha256_of(data.path)) if data.path else None
    (finding,) = checked.promises
    if number is None:
        says = f"{finding.says}; but {_unknown(data.name, asked, history)}"
        return replace(checked, promises=(finding.model_copy(update={"holds": False, "says": says}),))
    named = in_all(finding, found)
    says = f"{named.says}; this is release {number} of {len(history.entries)}"
    return replace(checked, promises=(named.model_copy(update={"says": says}),))


def _unknown(name: str, asked: RepublicationPlan, history: History) -> str:
    """Why the file can't be shown to be one of the releases."""
    if not asked.history.exists():
        return f"there is no history {asked.history.name}, which tells whether {name} was released; restore it"
    known = len(history.entries)
    if known == 1:
        return f"{name} is not the one release of {asked.history.name}"
    return f"{name} is none of the {known:,} releases of {asked.history.name}"
