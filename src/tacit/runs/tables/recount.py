"""A recount of a released table without its plan and its raw data: what its evidence says of the file alone.

Classes and suppressed rows can be counted in every release. A promise can be measured again where it is about the rows
of classes; not where people have several rows, since the file does not tell them apart, nor where a class is compared
with the input or a population, which a recipient does not have.
"""

from collections.abc import Iterator
from math import isclose

from tacit.data.sources.source import Source
from tacit.data.tables.classes import Classes, classes_of
from tacit.data.tables.counting import TallyRequest
from tacit.engines.engine import Engine
from tacit.errors import TacitError
from tacit.evidence.promises import name_of
from tacit.guarantees.guarantee import CandidateGuarantee, check
from tacit.promise import Measured
from tacit.release.tables import TableRelease
from tacit.runs.contradictions import SLACK, table_guarantee
from tacit.runs.tables.read_back import read_back


def recounted(release: TableRelease, file: Source, engine: Engine) -> Iterator[str]:
    """Where the file does not show what the evidence says, in sentences."""
    body = release.body
    quasi_identifiers = tuple(one.name for one in body.columns if one.role == "quasi-identifier")
    sensitive = tuple(one.name for one in body.columns if one.role == "sensitive")
    try:
        found = read_back(engine, file, TallyRequest(quasi_identifiers, sensitive), {})
        classes = classes_of(found.tally)
    except TacitError:
        yield f"{file.name} does not have the columns that the evidence names"
        return
    starred = body.suppressed.rows if body.suppressed.written else 0
    for what, told, there in (
        ("classes", body.classes, classes.number),
        ("suppressed rows", starred, found.suppressed_rows),
    ):
        if told != there:
            yield f"the evidence counts {told:,} {what}, and {file.name} has {there:,}"
    if body.counted == "rows":
        for promise in release.measured:
            yield from _measured_again(promise, classes, file.name)


def _measured_again(promise: Measured, classes: Classes, where: str) -> Iterator[str]:
    guarantee = table_guarantee(promise)
    if guarantee is None or promise.compared_with is not None or promise.counted != classes.counted:
        return
    if guarantee.needs_population or isinstance(guarantee, CandidateGuarantee):
        return
    try:
        found = check(guarantee, classes, of="rows")
    except TacitError:
        return
    if not isclose(found.measured, promise.measured, rel_tol=SLACK):
        yield f"{name_of(promise)}: the evidence measured {promise.measured:g}, and {where} has {found.measured:g}"
