"""Parameters out of range are refused with a reason; columns that are not there are named.

Covers guarantees/catalogue.
"""

import pytest
from tests.oracle.counted import classes_from

from tacit.data.tables.classes import Classes
from tacit.errors import BadData, BadParameter
from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.testing import check_guarantee

REFUSED = [
    ({"k-anonymity": {"k": 1}}, "k-anonymity: k is 1; it must be at least 2, since 1-anonymity protects nobody"),
    ({"k-anonymity": {"k": 2.5}}, "k-anonymity: k: it must be a whole number .found 2.5"),
    ({"k-anonymity": {"k": "many"}}, "k-anonymity: k: it must be a whole number .found 'many'"),
    ({"k-anonymity": {}}, "k-anonymity: k: it is missing"),
    ({"k-anonymity": {"k": 5, "m": 1}}, "k-anonymity: m: there is no such key"),
    ({"k-map": {"k": 1}}, "k-map: k is 1; it must be at least 2, since"),
    ({"l-diversity": {"l": 1}}, "l is 1; it must be above 1, since a class with one value gives that value away"),
    ({"l-diversity": {"l": float("inf")}}, "l: it must be a finite number"),
    ({"l-diversity": {"l": float("nan")}}, "l: it must be a finite number"),
    ({"l-diversity": {"l": 2.5, "kind": "distinct"}}, "l is 2.5; distinct l-diversity counts values.*whole number"),
    ({"l-diversity": {"l": 2.5, "kind": "recursive", "c": 2}}, "l is 2.5; recursive .*whole number"),
    ({"l-diversity": {"l": 2, "kind": "recursive"}}, r"c is missing; recursive \(c, l\)-diversity needs it"),
    ({"l-diversity": {"l": 2, "kind": "recursive", "c": 0}}, "c is 0; it must be above 0"),
    ({"l-diversity": {"l": 2, "kind": "entropy", "c": 3}}, "c is 3; only recursive l-diversity has it"),
    ({"l-diversity": {"l": 2, "kind": "strong"}}, "l-diversity: kind: .*'distinct', 'entropy'.*found 'strong'"),
    ({"t-closeness": {"t": -0.1}}, "t is -0.1; a distance is not negative"),
    ({"t-closeness": {"t": 1.5}}, "t is 1.5; distance 'equal' never exceeds 1"),
    ({"t-closeness": {"t": 0, "distance": "kl"}}, "t is 0; it must be above 0 for distance 'kl'"),
    ({"alpha-k-anonymity": {"alpha": 0, "k": 2}}, "alpha is 0; it is a share"),
    ({"alpha-k-anonymity": {"alpha": 1.1, "k": 2}}, "alpha is 1.1; it is a share"),
    ({"alpha-k-anonymity": {"alpha": 0.5, "k": 1}}, "k is 1; it must be at least 2"),
    ({"beta-likeness": {"beta": 0}}, "beta is 0; it must be above 0"),
    ({"delta-disclosure": {"delta": 0}}, "delta is 0; it must be above 0"),
    ({"delta-presence": {"maximum": 1.5}}, "maximum is 1.5; it is a share"),
    ({"delta-presence": {"maximum": 0}}, "maximum is 0; it is a share"),
    ({"delta-presence": {"minimum": -1, "maximum": 0.5}}, "minimum is -1; it is a share"),
    ({"delta-presence": {"minimum": 0.6, "maximum": 0.5}}, "minimum is 0.6; it must not exceed maximum, which is 0.5"),
    ({"delta-presence": {"minimum": 0, "maximum": 1}}, "maximum is 1; with minimum 0 that promises nothing"),
]


@pytest.mark.parametrize(("entry", "message"), REFUSED, ids=lambda part: str(part)[:50])
def test_refused_with_a_reason(entry, message):
    with pytest.raises(BadParameter, match=message):
        parse_table_guarantee(entry)


def test_every_complaint_has_its_line():
    with pytest.raises(BadParameter) as caught:
        parse_table_guarantee({"alpha-k-anonymity": {"alpha": 2, "k": 1, "size": 3}})
    assert len(str(caught.value).splitlines()) == 3


ACCEPTED = [
    {"l-diversity": {"l": 1.5, "kind": "probabilistic"}},
    {"l-diversity": {"l": 2, "kind": "recursive", "c": 0.5}},
    {"t-closeness": {"t": 0}},
    {"t-closeness": {"t": 1, "distance": "ordered"}},
    {"t-closeness": {"t": 3, "distance": "kl"}},
    {"alpha-k-anonymity": {"alpha": 1, "k": 2}},
    {"delta-presence": {"minimum": 0.5, "maximum": 1}},
    {"delta-presence": {"minimum": 0.5, "maximum": 0.5}},
]


@pytest.mark.parametrize("entry", ACCEPTED, ids=str)
def test_the_ends_of_the_ranges_are_accepted(entry):
    ((name, values),) = entry.items()
    guarantee = parse_table_guarantee(entry)
    assert guarantee.name == name
    assert {key: guarantee.model_dump()[key] for key in values} == values
    check_guarantee(name, guarantee)


def test_the_stronger_kind_is_the_default():
    assert parse_table_guarantee({"l-diversity": {"l": 2}}).model_dump()["kind"] == "entropy"
    assert parse_table_guarantee({"beta-likeness": {"beta": 2}}).model_dump()["kind"] == "enhanced"


ON_A_COLUMN = [
    {"l-diversity": {"l": 2}},
    {"t-closeness": {"t": 0.5}},
    {"alpha-k-anonymity": {"alpha": 0.5, "k": 2}},
    {"beta-likeness": {"beta": 2}},
    {"delta-disclosure": {"delta": 2}},
]


@pytest.mark.parametrize("entry", ON_A_COLUMN, ids=str)
def test_columns(entry):
    ((name, values),) = entry.items()
    one = classes_from([[2, 2], [3, 1]])
    assert (
        parse_table_guarantee(entry).measure(one).tolist()
        == parse_table_guarantee({name: {**values, "column": "s"}}).measure(one).tolist()
    )
    two = Classes(one.rows, one.sizes, {"s": one.sensitive["s"], "other": one.sensitive["s"]})
    with pytest.raises(BadParameter, match=f"{name}: name the column that it is about; .* are: 's', 'other'"):
        parse_table_guarantee(entry).measure(two)
    with pytest.raises(BadParameter, match=f"{name}: 'age' is not a sensitive column; .* are: 's', 'other'"):
        parse_table_guarantee({name: {**values, "column": "age"}}).measure(two)
    with pytest.raises(BadParameter, match=r"are: 's', 'other'; did you mean 'other'\?$"):
        parse_table_guarantee({name: {**values, "column": "othr"}}).measure(two)
    with pytest.raises(BadParameter, match="the sensitive columns are: none"):
        parse_table_guarantee(entry).measure(Classes(one.rows, one.sizes))


@pytest.mark.parametrize("entry", ON_A_COLUMN, ids=str)
def test_a_class_without_any_value_is_refused(entry):
    one = classes_from([[2, 2], [3, 1]])
    three = Classes(one.rows[[0, 0, 1]], one.sizes[[0, 0, 1]], one.sensitive)
    with pytest.raises(BadData, match="column 's': 2 of 3 classes have a value"):
        parse_table_guarantee(entry).measure(three)
