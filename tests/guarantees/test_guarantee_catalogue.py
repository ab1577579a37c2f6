"""The catalogue of guarantees: the folder is the registry, entries are parsed, malformed ones explained.

Covers guarantees/catalogue, tacit/params.
"""

import importlib
from pathlib import Path

import pytest
from pydantic import ValidationError

import tacit.guarantees
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import guarantees, parse_table_guarantee
from tacit.guarantees.k_anonymity import KAnonymity

FILES = sorted(path.stem for folder in tacit.guarantees.__path__ for path in Path(folder).glob("*.py"))


def test_the_folder_is_the_registry():
    defining = {stem for stem in FILES if hasattr(importlib.import_module(f"tacit.guarantees.{stem}"), "GUARANTEE")}
    assert {name.replace("-", "_") for name in guarantees()} == defining
    assert {"k_anonymity", "l_diversity", "t_closeness", "k_map"} < defining


@pytest.mark.parametrize(("name", "kind"), guarantees().items())
def test_a_guarantee_is_named_after_its_file(name, kind):
    assert kind.name == name == kind.__module__.rpartition(".")[2].replace("_", "-")


def test_parse():
    assert parse_table_guarantee({"k-anonymity": {"k": 5}}) == KAnonymity(k=5)
    entry = {"l-diversity": {"l": 3, "kind": "entropy", "column": "occupation"}}
    assert parse_table_guarantee(entry).model_dump() == {"l": 3, "kind": "entropy", "c": None, "column": "occupation"}


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (
            {"k-anonimity": {"k": 5}},
            "no guarantee 'k-anonimity'; did you mean 'k-anonymity'.*these are known: alpha-k",
        ),
        ({"T_closeness": {"t": 0.1}}, "did you mean 't-closeness'"),
        ({"zzz": {}}, "there is no guarantee 'zzz'; these are known: alpha-k-anonymity, beta-likeness, "),
        ({"k-anonymity": {"k": 5}, "k-map": {"k": 5}}, r"names 2 \(k-anonymity, k-map\)"),
        ({}, r"names 0 \(none\)"),
        ("k-anonymity", "'k-anonymity' is not a guarantee; write a guarantee as"),
        (None, "None is not a guarantee"),
        ({"k-anonymity": 5}, r"k-anonymity: name its parameters, as in `k-anonymity: \{k: …\}` \(found 5\)"),
        ({"k-anonymity": [5]}, "k-anonymity: name its parameters"),
        ({"k-anonymity": None}, "k-anonymity: k: it is missing"),
        ({5: {"k": 5}}, "there is no guarantee '5'"),
    ],
)
def test_a_malformed_entry_is_explained(entry, message):
    with pytest.raises(BadParameter, match=message):
        parse_table_guarantee(entry)


def test_guarantees_are_frozen_and_equal_by_value():
    guarantee = parse_table_guarantee({"t-closeness": {"t": 0.2}})
    with pytest.raises(ValidationError):
        guarantee.t = 0.9
    assert guarantee == parse_table_guarantee({"t-closeness": {"t": 0.2, "distance": "equal"}})
    assert hash(guarantee) == hash(parse_table_guarantee({"t-closeness": {"t": 0.2}}))
