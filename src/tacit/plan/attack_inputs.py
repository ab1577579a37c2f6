"""What each kind of attack is given: a view of a table, several views, a release with its recipe, or numbers."""

from typing import TYPE_CHECKING, Any

import numpy as np

from tacit.arrays import FloatArray
from tacit.attacks._generalised import Generalised
from tacit.attacks._numbers import Numbers
from tacit.cards.attack import Attack
from tacit.data.arrow import to_numbers
from tacit.data.counting import Reading, tally_from
from tacit.data.recoding import Recoding
from tacit.data.source import Source
from tacit.engines.engine import Engine, Target
from tacit.errors import BadParameter
from tacit.plan.attack_sample import NOBODY_KNOWN

if TYPE_CHECKING:
    from tacit.plan.attack import Ground


def inputs_for(ground: "Ground", card: Attack[Any]) -> dict[str, Any]:
    """What `run` takes, for each side of the board; a BadParameter that says why there is nothing."""
    if card.sees == "numbers":
        return {"release": _numbers(ground)}
    if ground.is_sampled and card.sees in ("releases", "recipe"):
        raise BadParameter(NOBODY_KNOWN)
    if not ground.views and card.sees != "table":
        raise BadParameter("a column was perturbed, so its labels do not tell what they stand for")
    if card.sees == "releases":
        if len(ground.views) < 2:
            raise BadParameter("it needs several releases of the same people: give --release more than once")
        return {"release": ground.views}
    if card.sees == "recipe":
        return {"release": _generalised(ground)}
    return {**ground.before, **({"release": ground.views[0]} if ground.views else {})}


def _generalised(ground: "Ground") -> Generalised:
    evidence = ground.releases[0].evidence
    if evidence is None or evidence.recipe.levels is None:
        raise BadParameter("it needs the evidence of a full-domain release beside the file")
    if evidence.suppressed.limit > 0:
        raise BadParameter("the method was allowed to suppress rows, so it need not have generalised as little")
    levels = tuple(evidence.recipe.levels[name] for name in ground.known.columns)
    return Generalised(ground.views[0], ground.table.hierarchies, levels, ground.guarantees)


def _numbers(ground: "Ground") -> Numbers:
    """The columns that were masked with numbers, before and after, row by row."""
    release = ground.releases[0]
    masked = [ground.known.columns[c] for c, labels in release.unread.items() if all(map(_is_number, labels))]
    for name, part in ground.known.sensitive.items():
        strange = release.read.tally.sensitive[name].values[len(part.values) :]
        if part.ordered and strange and all(map(_is_number, strange)):
            masked.append(name)
    if not masked:
        raise BadParameter("no column of numbers was masked with other numbers")
    original = _columns(ground.engine, ground.dataset.source, masked)
    after = _columns(ground.engine, release.source, masked)
    if original.shape != after.shape:
        raise BadParameter("rows were left out, so nobody can tell which masked row is whose")
    there = np.isfinite(original).all(axis=1) & np.isfinite(after).all(axis=1)
    return Numbers(original[there], after[there])


def _columns(engine: Engine, source: Source, names: list[str]) -> FloatArray:
    """Columns of numbers in the order of the file; a cell that is no number is NaN."""
    import pyarrow as pa
    import pyarrow.compute as pc

    reading = Reading((names[0],))
    tally = tally_from(engine.tally(source, reading.columns), reading)
    each = np.arange(tally.combinations)
    leaves = np.ones(len(tally.values[0]), dtype=np.int64)
    kept = np.zeros(tally.combinations, dtype=np.bool_)
    same = Recoding(tally.columns, tally.values, (leaves,), tally.codes, each, tally.rows, kept)
    table = engine.frame(source, tally, same, Target(columns=tuple(names), starred=()))
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
