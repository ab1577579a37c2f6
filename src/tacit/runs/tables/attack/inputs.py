"""What each kind of attack is given: a view of a table, its exact cells, a recipe, several views, or numbers."""

from typing import Any

import numpy as np

from tacit.arrays import FloatArray
from tacit.cards.attack import TableAttack
from tacit.cards.full_domain_release import FullDomainRelease
from tacit.data.sources.arrow import to_numbers
from tacit.data.sources.source import Source
from tacit.data.tables.known_cells import KnownCells
from tacit.data.tables.masked_numbers import MaskedNumbers
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.release.fingerprints import sha256_of
from tacit.runs.tables.attack.sample import NOBODY_KNOWN
from tacit.runs.tables.attack.setting import AttackSetting
from tacit.runs.tables.known_values import cells_of, exact_columns


def inputs_for(setting: AttackSetting, card: TableAttack[Any]) -> dict[str, Any]:
    """What `run` takes, for each side of the board; a BadParameter that says why there is nothing."""
    if card.sees == "numbers":
        return {"release": _numbers(setting)}
    if card.sees == "cells":
        return _exact(setting)
    if setting.is_sampled and card.sees in ("releases", "recipe"):
        raise BadParameter(NOBODY_KNOWN)
    if not setting.views and card.sees != "table":
        raise BadParameter(_why_unread(setting))
    if card.sees == "releases":
        if len(setting.views) < min(len(setting.releases), 2):
            raise BadParameter(_why_unread(setting))
        if len(setting.views) < 2:
            raise BadParameter("it needs several releases of the same people, and one was given")
        return {"release": setting.views}
    if card.sees == "recipe":
        return {"release": _generalised(setting)}
    return {**setting.before, **({"release": setting.views[0]} if setting.views else {})}


def _exact(setting: AttackSetting) -> dict[str, Any]:
    """The exact cells of the raw file, with which its identifiers have nothing to do, and of the release."""
    dataset, engine, release = setting.dataset, setting.engine, setting.releases[0]
    shown = exact_columns(dataset, setting.steps, engine.columns(release.source))
    if not shown:
        raise BadParameter("no sensitive or insensitive column is published as it is")
    records = int(setting.known.rows.sum())
    left = int(release.read.tally.rows.sum()) + release.read.suppressed_rows
    raw = KnownCells(cells_of(dataset, dataset.source, shown, engine, people=False), records)
    cells = cells_of(dataset, release.source, shown, engine, people=False)
    # Of a sample only the drawn people are targets.
    found = KnownCells(cells, records if release.share is None else left)
    return {"raw": raw, "pseudonymised": raw, "release": found}


def _why_unread(setting: AttackSetting) -> str:
    """Why labels of a release stand for no value of the data."""
    unread = [release for release in setting.releases if release.unread]
    path = setting.dataset.source.path
    now = None if path is None else sha256_of(path)
    for release in unread:
        made = None if release.evidence is None else release.evidence.input
        if now is not None and made is not None and made.sha256 != now:
            return (
                f"{release.source.name} was made from an earlier state of the data, and some of its labels stand for "
                "values that nobody has any more, so it is not known whom they cover"
            )
    if any(release.evidence is None for release in unread):
        return "labels match no value of the data: a column was perturbed, or the release was made from other data"
    return "a column was perturbed, so its labels do not show which values they cover"


def _generalised(setting: AttackSetting) -> FullDomainRelease:
    evidence = setting.releases[0].evidence
    if evidence is None or evidence.body.search.levels is None:
        raise BadParameter("it needs the evidence of a full-domain release beside the file")
    if evidence.body.suppressed.limit > 0:
        raise BadParameter(
            "the method was allowed to suppress rows, so its levels need not be the lowest that keep the guarantees"
        )
    levels = tuple(evidence.body.search.levels[name] for name in setting.known.columns)
    return FullDomainRelease(setting.views[0], setting.table.hierarchies, levels, setting.guarantees)


def _numbers(setting: AttackSetting) -> MaskedNumbers:
    """The columns that were masked with numbers, before and after, row by row."""
    release = setting.releases[0]
    masked = [setting.known.columns[c] for c, labels in release.unread.items() if all(map(_is_number, labels))]
    for name, part in setting.known.sensitive.items():
        strange = release.read.tally.sensitive[name].values[len(part.values) :]
        if part.ordered and strange and all(map(_is_number, strange)):
            masked.append(name)
    if not masked:
        raise BadParameter("no column of numbers was masked with other numbers")
    original = _columns(setting.engine, setting.dataset.source, masked)
    after = _columns(setting.engine, release.source, masked)
    if original.shape != after.shape:
        raise BadParameter("rows were left out, so it is unknown which masked row is whose")
    there = np.isfinite(original).all(axis=1) & np.isfinite(after).all(axis=1)
    return MaskedNumbers(original[there], after[there])


def _columns(engine: Engine, source: Source, names: list[str]) -> FloatArray:
    """Columns of numbers in the order of the file; a cell that is no number is NaN."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = engine.cells(source, names)
    columns = []
    for name in names:
        text = table.column(name).cast(pa.string())
        numeric = pc.match_substring_regex(text, r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$")
        number = pc.if_else(numeric, pc.utf8_trim_whitespace(text), pa.scalar(None, pa.string())).cast(pa.float64())
        columns.append(to_numbers(pc.fill_null(number, float("nan")), np.float64))
    return np.stack(columns, axis=1)


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
