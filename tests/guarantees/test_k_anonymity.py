from tests.oracle.counted import classes_by, tally_of
from tests.oracle.judge import Scene
from tests.oracle.patients import DISEASES, GENERALISED, QUASI, RAW

from tacit.guarantees.guarantee import check
from tacit.guarantees.k_anonymity import KAnonymity
from tacit.guarantees.l_diversity import LDiversity


def classes_of_patients(rows):
    scene = Scene(rows, QUASI, RAW, domains={"disease": DISEASES})
    return classes_by(tally_of(scene, QUASI, {"disease": False}), QUASI)


def test_w4_the_patient_table_is_4_anonymous_after_generalisation():
    finding = check(KAnonymity(k=4), classes_of_patients(GENERALISED))
    assert finding.measured == 4
    assert finding.holds
    assert not check(KAnonymity(k=5), classes_of_patients(GENERALISED)).holds
    assert check(KAnonymity(k=2), classes_of_patients(RAW)).measured == 1


def test_w4_one_class_has_one_disease():
    classes = classes_of_patients(GENERALISED)
    finding = check(LDiversity(l=2, kind="distinct", column="disease"), classes, most=1)
    assert finding.measured == 1
    assert not finding.holds
    assert finding.failing == 1
    # In the order of the keys the classes are (130**, 30-40), (130**, <30), (1485*, >40): the first is all Cancer.
    assert finding.worst_positions == (0,)


def test_k_rows_of_one_person_are_one():
    rows = [{"zip": "1", "person": "p"}] * 5 + [{"zip": "1", "person": "q"}]
    tally = tally_of(Scene(rows, ("zip",), rows, unit="person"), ("zip",), {})
    assert check(KAnonymity(k=2), classes_by(tally, ("zip",))).measured == 2
    tally = tally_of(Scene(rows, ("zip",), rows), ("zip",), {})
    assert check(KAnonymity(k=2), classes_by(tally, ("zip",))).measured == 6
