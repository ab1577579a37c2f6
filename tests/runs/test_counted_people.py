"""Every figure that is called people, where a unit is named: each person counts once, in whatever rows.

The oracle asks person by person, in plain Python, over the rows before and the rows as they were published, which keep
the order of the input.

Covers metrics/tables/risk, metrics/tables/singling_out, evidence/reading, runs/tables/check, runs/tables/describe.
"""

from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

import tacit
from tacit.evidence.reading import cards, classes_lead
from tacit.release.tables import Risk

ROLES = {
    "pid": {"role": "identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [2, 4]}},
    "sex": {"role": "quasi-identifier"},
    "ill": {"role": "sensitive"},
}

Rows = list[tuple[str, str, str, str]]
ROWS = st.lists(
    st.tuples(st.sampled_from("ABCDEF"), st.sampled_from("1234567"), st.sampled_from("fm"), st.sampled_from("xyz")),
    min_size=4,
    max_size=16,
)


def frame_of(rows: Rows) -> pa.Table:
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(ROLES)})


def risks_of(people: Sequence[str], shown: Sequence[tuple[str, str] | None]) -> dict[str, float]:
    """The risk of everybody with a row that shows something: the highest over their rows."""
    found: dict[str, float] = {}
    for person, label in zip(people, shown, strict=True):
        if label is not None:
            alike = {other for other, text in zip(people, shown, strict=True) if text == label}
            found[person] = max(found.get(person, 0.0), 1 / len(alike))
    return found


def agrees(risk: Risk, people: Sequence[str], shown: Sequence[tuple[str, str] | None]) -> None:
    risks = risks_of(people, shown)
    number = max(len(risks), 1)
    assert risk.people == len(risks)
    assert risk.unique == sum(one == 1 for one in risks.values())
    assert risk.unique_share == pytest.approx(risk.unique / number)
    assert risk.prosecutor_highest == max(risks.values(), default=0.0)
    assert risk.prosecutor_average == pytest.approx(sum(risks.values()) / number)
    assert risk.marketer == risk.journalist_average == risk.prosecutor_average
    assert risk.above == pytest.approx(sum(one > risk.threshold for one in risks.values()) / number)
    assert sum(each.people for each in risk.sizes) == len(risks)
    for one in risk.singling_out:
        assert one.share == pytest.approx(one.unique / number)


def published(data: pa.Table) -> list[tuple[str, str] | None]:
    return [None if row["ill"] == "*" else (row["age"], row["sex"]) for row in data.to_pylist()]


@pytest.mark.slow
@examples(40)
@given(ROWS)
def test_measure_and_check_count_people(rows: Rows) -> None:
    data = tacit.read(frame_of(rows), ROLES, unit="pid")
    people, shown = [row[0] for row in rows], [(row[1], row[2]) for row in rows]
    agrees(tacit.measure(data), people, shown)
    checked = tacit.check(data, [tacit.KAnonymity(k=2)])
    agrees(checked.risk, people, shown)
    alone = {p for p, label in zip(people, shown, strict=True) if label in single(people, shown)}
    assert checked.promises[0].failing_people == len(alone)


def single(people: Sequence[str], shown: Sequence[tuple[str, str]]) -> set[tuple[str, str]]:
    """The labels of one person only."""
    return {text for text in shown if len({p for p, t in zip(people, shown, strict=True) if t == text}) == 1}


@pytest.mark.slow
@examples(20)
@given(ROWS, st.sampled_from(["tables/lattice", "tables/mondrian"]))
def test_evidence_and_comparison_count_people(rows: Rows, method: str) -> None:
    data = tacit.read(frame_of(rows), ROLES, unit="pid")
    people, before = [row[0] for row in rows], [(row[1], row[2]) for row in rows]
    promised = [tacit.KAnonymity(k=2)]
    try:
        made = tacit.protect(data, promised, method=method, suppression=0.3)
    except tacit.CannotGuarantee:
        return
    body = made.release.body
    agrees(body.risk_before, people, before)
    agrees(body.risk_after, people, published(made.data))
    assert body.metrics["risk"] == body.risk_after.prosecutor_highest
    compared = tacit.compare(data, promised, methods=[method], suppression=0.3)
    assert compared.before.model_copy(update={"singling_out": body.risk_before.singling_out}) == body.risk_before
    assert compared.rows[0].risk is not None
    agrees(compared.rows[0].risk, people, published(made.data))


def test_three_people_with_six_rows_are_three() -> None:
    rows = {"pid": list("AABBCC"), "zip": list("123456"), "ill": list("xyxyxy")}
    roles = {"pid": "identifier", "zip": "quasi-identifier", "ill": "sensitive"}
    risk = tacit.measure(tacit.read(pa.table(rows), roles, unit="pid"))
    assert (risk.people, risk.unique, risk.classes) == (3, 3, 6)
    assert (risk.unique_share, risk.above, risk.prosecutor_average) == (1.0, 1.0, 1.0)
    assert sum(each.people for each in risk.sizes) == 3


def test_who_keeps_one_row_is_counted_and_who_keeps_none_is_not() -> None:
    # A and B look alike twice, B and C once each where nobody else is: these rows are suppressed, and C with them.
    rows = [("A", "1", "f", "x"), ("B", "1", "f", "y"), ("B", "6", "m", "x"), ("C", "7", "f", "y")]
    as_is = {"role": "quasi-identifier", "maximum": 0}
    fixed = {**ROLES, "age": as_is, "sex": as_is}
    data = tacit.read(frame_of(rows), fixed, unit="pid")
    made = tacit.protect(data, [tacit.KAnonymity(k=2)], method="tables/lattice", suppression=0.5)
    after = made.release.body.risk_after
    assert made.release.body.suppressed.rows == 2
    assert (made.release.body.risk_before.people, made.release.body.risk_before.unique) == (3, 2)
    assert (after.people, after.unique, after.prosecutor_average) == (2, 0, 0.5)
    assert "Before, 2 people were alone in a class" in classes_lead(made.release)
    unique = next(one for one in cards(made.release) if one.name == "Unique people")
    assert (unique.before, unique.value) == ("2", "0")
