"""The second opinion against the first and against the judge of the tests, on random small tables.

Covers verification/case, verify, guarantees/_sql.
"""

import ast
import inspect
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.oracle import judge
from tests.oracle.counted import classes_by, tally_of
from tests.oracle.scenes import ORDERED, QUASI, parameters, plain, scenes

from tacit.data.tables.counting import TallyRequest
from tacit.data.tables.tally import Census, Tally
from tacit.errors import TacitError
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.guarantee import InSql, RepublicationGuarantee, RepublicationInSql, check
from tacit.verification.case import Case
from tacit.verification.verify import require_agreement, verify

NEED_POPULATION = {"k-map", "delta-presence"}
OF_CLASSES = sorted(name for name, kind in guarantees().items() if kind.subject in ("class", "population"))
"""Guarantees that the classes of one release show; the others have their own tests beside this one."""


def case_of(scene: judge.Scene) -> Case:
    """What would be read from the scene's rows, written down."""
    sensitive = tuple(scene.domains)
    columns = (*scene.quasi, *sensitive, *([scene.unit] if scene.unit else []))
    counted = Counter(tuple(row[name] for name in columns) for row in scene.rows)
    cells = list(zip(*counted, strict=True)) if columns else []
    distinct = pa.table({**{name: list(cells[i]) for i, name in enumerate(columns)}, "rows": list(counted.values())})
    population = None
    if scene.population is not None:
        people = Counter(scene.key(row) for row in scene.population)
        keys = list(people)
        values = tuple(tuple(sorted({key[c] for key in keys})) for c in range(len(scene.quasi)))
        codes = np.array([[values[c].index(key[c]) for key in keys] for c in range(len(scene.quasi))], dtype=np.int32)
        counts = np.array(list(people.values()), dtype=np.int64)
        population = Tally(scene.quasi, values, codes.reshape(len(scene.quasi), len(keys)), counts, Census(counts))
    tally = tally_of(scene, QUASI, ORDERED)
    return Case(distinct, TallyRequest(scene.quasi, sensitive, scene.unit), tally.sensitive, population)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_CLASSES)
@given(data=st.data())
@examples(20)
def test_both_opinions_and_the_judge_agree(name, data):
    scene = data.draw(scenes(population=name in NEED_POPULATION))
    params = data.draw(parameters(name))
    guarantee = parse_table_guarantee({name: plain(params)})
    finding = check(guarantee, classes_by(tally_of(scene, QUASI, ORDERED), scene.quasi))
    (opinion,) = verify(case_of(scene), [guarantee], [finding])
    measured = [float(m) for m in judge.measure(name, params, scene)]
    assert (opinion.lowest, opinion.highest) == pytest.approx((min(measured), max(measured)), rel=1e-9, abs=1e-9)
    assert opinion.agrees(finding)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_CLASSES)
@given(data=st.data())
@examples(10)
def test_a_finding_that_is_not_true_is_refused(name, data):
    scene = data.draw(scenes(population=name in NEED_POPULATION))
    params = data.draw(parameters(name))
    guarantee = parse_table_guarantee({name: plain(params)})
    finding = check(guarantee, classes_by(tally_of(scene, QUASI, ORDERED), scene.quasi))
    wrong = finding.model_copy(update={"measured": -1.0})
    with pytest.raises(TacitError, match="disagree"):
        require_agreement(case_of(scene), [guarantee], [wrong])


@pytest.mark.parametrize("name", guarantees())
def test_every_guarantee_has_a_second_definition_or_says_why_not(name):
    kind = guarantees()[name]
    assert isinstance(kind.sql, InSql) or kind.sql.reason.endswith(".")
    if issubclass(kind, RepublicationGuarantee):
        assert isinstance(kind.republication_sql, RepublicationInSql) or kind.republication_sql.reason.endswith(".")


@pytest.mark.parametrize(("form", "more"), [(InSql, {"math"}), (RepublicationInSql, set())])
def test_the_second_definitions_import_nothing_from_the_guarantees(form, more):
    tree = ast.parse(Path(inspect.getfile(form)).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert imported == {"collections.abc", "dataclasses", "typing"} | more
