"""What a check leaves behind.

Covers guarantees/guarantee, tacit/promise, fact.
"""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from tests.oracle.counted import classes_from

from tacit.data.tables.classes import Classes
from tacit.guarantees.alpha_k_anonymity import AlphaKAnonymity
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.guarantee import check
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity
from tacit.guarantees.t_closeness import TCloseness
from tacit.promise import Measured

ONE_OF_EACH = [
    {"k-anonymity": {"k": 2}},
    {"k-concealment": {"k": 2}},
    {"k-map": {"k": 2}},
    {"l-diversity": {"l": 2}},
    {"m-invariance": {"m": 2}},
    {"t-closeness": {"t": 0.2}},
    {"alpha-k-anonymity": {"alpha": 0.5, "k": 2}},
    {"beta-likeness": {"beta": 1}},
    {"delta-disclosure": {"delta": 1}},
    {"delta-presence": {"maximum": 0.5}},
]


def nobody():
    """A release without a class, drawn from no one."""
    empty = classes_from([[1, 1]]).sensitive["s"]
    none = np.zeros(0, dtype=np.int64)
    cells = type(empty)(empty.values, none, none, none, empty.reference, True)
    return Classes(none, none, {"s": cells}, none)


def test_in_plain_words():
    assert check(KAnonymity(k=5), classes_from([[7], [9]])).says == (
        "each class has at least 5 people; the smallest has 7"
    )
    assert check(KAnonymity(k=8), classes_from([[7], [9], [3]])).says == (
        "2 of 3 classes break the promise that each class has at least 8 people; the smallest has 3"
    )


OTHER_FORMS = [
    {"l-diversity": {"l": 2, "kind": "distinct"}},
    {"l-diversity": {"l": 2, "kind": "recursive", "c": 3}},
    {"l-diversity": {"l": 2, "kind": "probabilistic"}},
]


@pytest.mark.parametrize("entry", [*ONE_OF_EACH, *OTHER_FORMS], ids=str)
def test_sentences_speak_of_what_was_counted(entry):
    """Of people or of rows; those of a population are people in any case."""
    guarantee = parse_table_guarantee(entry)
    classes = replace(classes_from([[1, 1], [3, 2]]), population=np.array([3, 9]))
    people, rows = check(guarantee, classes).says, check(guarantee, classes, of="rows").says
    if guarantee.needs_population:
        assert people == rows
    else:
        assert "people" not in rows
        assert rows.replace("rows", "people") == people.replace("rows", "people")


def test_a_column_called_people_stays_what_it_is():
    classes = replace(classes_from([[1, 1]]), sensitive={"people": classes_from([[1, 1]]).sensitive["s"]})
    says = check(LDiversity(l=2, kind="probabilistic", column="people"), classes, of="rows").says
    assert says.startswith("each of the values of people belongs to at most 0.5 of the rows of a class;")


def test_worst_classes_come_first():
    classes = classes_from([[5, 5], [9, 1], [0, 10], [6, 4]], reference=[1, 1])
    finding = check(TCloseness(t=0.2), classes, most=3)
    assert finding.worst_positions == (2, 1, 3)
    assert [worst.measured for worst in finding.worst] == pytest.approx([0.5, 0.4, 0.1])
    assert finding.measured == pytest.approx(0.5)
    assert (finding.parts, finding.failing, finding.failing_people) == (4, 2, 20)
    finding = check(KAnonymity(k=5), classes_from([[5], [2], [9]]), most=2)
    assert finding.worst_positions == (1, 0)
    assert [worst.people for worst in finding.worst] == [2, 5]


def test_fields():
    finding = check(LDiversity(l=2, kind="distinct"), classes_from([[5, 5], [9, 0]]))
    dumped = json.loads(finding.model_dump_json())
    assert {key: dumped[key] for key in ("name", "bound", "measured", "holds")} == {
        "name": "l-diversity",
        "bound": 2,
        "measured": 1,
        "holds": False,
    }
    assert finding.column == "s"
    assert finding.parameters["column"] is None
    assert finding.compared_with is None
    assert check(TCloseness(t=0.2), classes_from([[5, 5]])).compared_with == "the distribution of the input"
    assert check(KAnonymity(k=2), classes_from([[5, 5]])).column is None


def test_infinity_survives_json():
    finding = check(AlphaKAnonymity(alpha=0.5, k=9), classes_from([[1, 1]]))
    assert finding.measured == finding.worst[0].measured == math.inf
    text = finding.model_dump_json()
    assert json.loads(text)["measured"] == json.loads(text)["worst"][0]["measured"] == "Infinity"
    assert Measured.model_validate_json(text) == finding
    plain = json.dumps(finding.model_dump(mode="json"), allow_nan=False)
    assert Measured.model_validate_json(plain) == finding
    assert finding.model_dump()["measured"] == math.inf


@pytest.mark.parametrize("entry", ONE_OF_EACH, ids=lambda entry: next(iter(entry)))
def test_nothing_published_breaks_nothing(entry):
    finding = check(parse_table_guarantee(entry), nobody())
    assert finding.holds
    assert finding.parts == finding.failing == 0
    assert finding.says.endswith("; no class is published")
    assert Measured.model_validate_json(finding.model_dump_json()) == finding


@pytest.mark.parametrize("distance", ["kl", "equal", "ordered"])
def test_nothing_published_has_no_distance(distance):
    assert TCloseness(t=0.2, distance=distance).measure(nobody()).size == 0


@pytest.mark.parametrize("kind", ["distinct", "entropy", "recursive", "probabilistic"])
def test_nothing_published_has_no_diversity(kind):
    guarantee = LDiversity(l=2, kind=kind, c=2 if kind == "recursive" else None)
    assert guarantee.measure(nobody()).size == 0


def test_one_of_each_is_there():
    assert {name for entry in ONE_OF_EACH for name in entry} == set(guarantees())
