"""Covers tacit.spelling."""

import unicodedata

import pytest

from tacit.spelling import did_you_mean, many, meant, noun, percent, singular


@pytest.mark.parametrize(
    ("share", "text"), [(0.125, "12.5 %"), (0.0, "0 %"), (1.0, "100 %"), (0.9996, "99.96 %"), (0.0004, "0.04 %")]
)
def test_a_share_reads_like_all_or_nothing_only_where_it_is(share: float, text: str) -> None:
    assert percent(share) == text


def test_the_closest_name_is_meant() -> None:
    assert did_you_mean("tables/latice", ["tables/mondrian", "tables/lattice"]) == "did you mean 'tables/lattice'?"


def test_capitals_do_not_hide_what_was_meant() -> None:
    assert did_you_mean("SEX", ["age", "sex"]) == "did you mean 'sex'?"


@pytest.mark.parametrize(("given", "known"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_names_that_only_look_alike_are_told_apart(given: str, known: str) -> None:
    name, there = (unicodedata.normalize(form, "Größe") for form in (given, known))
    told = f"'{there}' looks alike but is composed of different characters: copy the name from the file"
    assert did_you_mean(name, ["age", there]) == told
    assert meant([name], ["age", there]) == f"; {told}"


def test_the_first_of_several_names_that_is_close_is_told() -> None:
    assert meant(["zzz", "aeg"], ["sex", "age"]) == "; did you mean 'age'?"
    assert meant(["zzz"], ["sex", "age"]) == ""
    assert meant([], ["sex"]) == ""


def test_without_a_close_name_all_are_told() -> None:
    assert did_you_mean("zzz", ["loss", "risk"]) == "the known ones are: loss, risk"
    assert did_you_mean("zzz", []) == "the known ones are: none"
    assert did_you_mean("zzz", ["loss"], otherwise="look it up") == "look it up"


def test_nouns_follow_their_number() -> None:
    assert [many(number, "row") for number in (0, 1, 2, 1000)] == ["0 rows", "1 row", "2 rows", "1,000 rows"]
    assert [many(number, "person has", "people have") for number in (1, 2)] == ["1 person has", "2 people have"]
    assert [noun(number, "row") for number in (1.0, 1.5)] == ["row", "rows"]


def test_one_of_what_a_plural_names() -> None:
    plurals = ("classes", "people", "rows", "categories", "groups of alike people")
    assert [singular(word) for word in plurals] == ["class", "person", "row", "category", "group of alike people"]
