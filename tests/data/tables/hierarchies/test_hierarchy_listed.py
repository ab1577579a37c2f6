"""Ready classifications: every value has one place, unknown ones are refused or grouped, and lists do not contradict.

Covers hierarchies/listed, hierarchies/countries, hierarchies/diseases, hierarchies/education, hierarchies/occupations,
hierarchies/regions.
"""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.data.tables.hierarchies import build_hierarchy, parse_spec
from tacit.data.tables.hierarchies.countries import country_codes, country_paths, place_country
from tacit.data.tables.hierarchies.diseases import block_of, disease_blocks, place_disease
from tacit.data.tables.hierarchies.education import place_education
from tacit.data.tables.hierarchies.listed import OTHER, folded, list_lines
from tacit.data.tables.hierarchies.occupations import occupation_groups, place_occupation
from tacit.data.tables.hierarchies.regions import place_region
from tacit.errors import BadData, BadParameter

# How many areas of M49 there are: sub-regions, but intermediate regions where there are any; and Antarctica.
AREAS, SUB_REGIONS, REGIONS = 22 + 1, 17 + 1, 5 + 1
READY = {
    "countries": {"countries": "un"},
    "icd10": {"icd10": True},
    "postal": {"postal": "prefix"},
    "education": {"education": "isced"},
    "occupations": {"occupations": "isco"},
    "regions": {"regions": "nuts"},
}


def built(form, values):
    return build_hierarchy("x", parse_spec("x", form), values, Path())


def paths_of(hierarchy):
    levels = [hierarchy.labels_at(level) for level in range(hierarchy.height + 1)]
    return {path[0]: path[1:] for path in zip(*levels, strict=True)}


def test_countries_are_those_of_iso_and_four_that_are_not():
    assert len(country_codes()) == 249 + len({"XK", "YU", "SU", "DD"})


def test_areas_are_those_of_m49():
    paths = set(country_paths().values())
    assert [len({path[level] for path in paths}) for level in range(3)] == [AREAS, SUB_REGIONS, REGIONS]
    assert len(paths) == AREAS


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("countries", lambda line: (*line.split(" ", 3)[:3], *line.split(" ", 3)[3].split("|"))),
        ("education", lambda line: line.split(": ")[1].split("|")),
        ("occupations", lambda line: line.split(": ")[1].split("|")),
    ],
)
def test_no_spelling_stands_in_two_places(name, rows):
    places = {}
    for number, (_, line) in enumerate(list_lines(name)):
        for spelling in rows(line):
            if spelling != "-":
                assert folded(spelling), spelling
                assert places.setdefault(folded(spelling), number) == number, spelling


@pytest.mark.parametrize(
    ("value", "area"),
    [
        ("Germany", "Western Europe"), ("DEUTSCHLAND", "Western Europe"), ("allemagne", "Western Europe"),
        ("de", "Western Europe"), ("DEU", "Western Europe"), ("276", "Western Europe"), ("4", "Southern Asia"),
        ("United-States", "Northern America"), ("U.S.A.", "Northern America"), ("Côte d’Ivoire", "Western Africa"),
        ("Cote d'Ivoire", "Western Africa"), ("Trinidad & Tobago", "Caribbean"), ("The Gambia", "Western Africa"),
        ("Türkiye", "Western Asia"), ("Turkey", "Western Asia"), ("Yugoslavia", "Southern Europe"),
    ],
)  # fmt: skip
def test_countries_are_found_however_they_are_written(value, area):
    path = place_country(value)
    assert path is not None
    assert path[0] == area


@pytest.mark.parametrize(
    "value", ["South", "?", "Bavaria", "", "999", "XX", "~276", "२७६", "Outlying-US(Guam-USVI-etc)"]
)
def test_what_is_no_country_has_no_place(value):
    assert place_country(value) is None


def test_blocks_of_diseases_do_not_overlap_and_lie_within_their_chapters():
    blocks = sorted((block[:3], block[-3:]) for block in disease_blocks())
    assert all(first <= last for first, last in blocks)
    assert all(before[1] < after[0] for before, after in pairwise(blocks))
    for block, chapter in disease_blocks().items():
        first, last = chapter.split(" ")[0].split("-")
        assert first <= block[:3] or block == "QA0-QA0"
        assert block[-3:] <= last or block == "QA0-QA0"
    assert len(set(disease_blocks().values())) == 22


def test_every_category_has_at_most_one_block_by_brute_force():
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    for category in (f"{letter}{number:02d}" for letter in letters for number in range(100)):
        within = [block for block in disease_blocks() if block[:3] <= category <= block[-3:]]
        assert len(within) <= 1
        if within:
            assert block_of(category) == within[0]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("I10.90", ("I10.9", "I10", "I10-I15")),
        ("I1090", ("I10.9", "I10", "I10-I15")),
        ("i10.90 g", ("I10.9", "I10", "I10-I15")),
        ("H25.1 R G", ("H25.1", "H25", "H25-H28")),
        ("B20", ("B20", "B20-B24")),
        ("M17.-", ("M17", "M15-M19")),
        ("E10.3+", ("E10.3", "E10", "E10-E14")),
        ("U07.1!", ("U07.1", "U07", "U00-U49")),
        ("S72.001A", ("S72.0", "S72", "S70-S79")),
        ("C7A.00", ("C7A.0", "C7A", "C76-C80")),
    ],
)
def test_codes_of_diseases_are_read_in_every_form(value, path):
    assert place_disease(value)[:-1] == path


@pytest.mark.parametrize("value", ["", "I", "I1", "10", "flu", "B98.12345", "A29", "I10.9 X", "I10 I11"])
def test_what_is_no_code_of_a_disease_has_no_place(value):
    assert place_disease(value) is None


def test_education_of_adult_is_complete():
    adult = [
        "Preschool", "1st-4th", "5th-6th", "7th-8th", "9th", "10th", "11th", "12th", "HS-grad", "Some-college",
        "Assoc-voc", "Assoc-acdm", "Bachelors", "Masters", "Prof-school", "Doctorate",
    ]  # fmt: skip
    levels = [place_education(value)[0].split(" ")[1] for value in adult]
    assert "".join(levels) == "0011222233556778"


@pytest.mark.parametrize(
    ("value", "level"), [("ISCED 3", "3"), ("ED3", "3"), ("3", "3"), ("isced3", "3"), ("PhD", "8")]
)
def test_levels_of_education_may_be_figures(value, level):
    assert place_education(value)[0].startswith(f"ISCED {level} ")


def test_signs_of_comparison_count():
    assert (
        place_education("< high school") == place_education("less than high school") != place_education("high school")
    )


def test_what_tells_the_class_alone_meets_its_class():
    paths = paths_of(built({"education": "isced"}, ["tertiary", "Bachelors", "Masters"]))
    assert paths["tertiary"] == ("tertiary", "ISCED 5-8 high", "*")


def test_groups_of_occupations_are_as_many_as_isco_has():
    lengths = Counter(len(code) for code in occupation_groups() if not code.startswith("X"))
    assert lengths == {1: 10, 2: 43, 3: 130}


def test_occupations_of_adult_are_complete():
    adult = {
        "Tech-support": 3, "Craft-repair": 7, "Other-service": 5, "Sales": 5, "Exec-managerial": 1, "Prof-specialty": 2,
        "Handlers-cleaners": 9, "Machine-op-inspct": 8, "Adm-clerical": 4, "Farming-fishing": 6, "Transport-moving": 8,
        "Priv-house-serv": 5, "Protective-serv": 5, "Armed-Forces": 0,
    }  # fmt: skip
    assert {value: int(place_occupation(value)[-2][0]) for value in adult} == adult


@pytest.mark.parametrize(("value", "own"), [("2221", "222"), ("222", "222"), ("2220", "222"), ("0110", "011")])
def test_codes_of_occupations_stand_in_their_minor_group(value, own):
    assert place_occupation(value)[0] == own


@pytest.mark.parametrize("value", ["2299", "19", "", "12345", "poet laureate", "~22"])
def test_what_is_no_occupation_has_no_place(value):
    assert place_occupation(value) is None


@pytest.mark.parametrize("value", ["QQ1", "D", "DE30000", "", "de 30"])
def test_what_is_no_region_has_no_place(value):
    assert place_region(value) is None


def test_regions_begin_with_the_region_around_them():
    paths = paths_of(built({"regions": "nuts"}, ["DE300", "DE30", "de212", "EL30"]))
    assert all(
        value.upper().startswith(label) for value, path in paths.items() for label in path[-4:-1] if "D" in label
    )


@pytest.mark.parametrize("kind", READY)
def test_unknown_values_are_refused_by_their_shape_alone(kind):
    with pytest.raises(BadData, match=r"'aaaa-aaaa-aaaa'.*`also`.*other: true") as error:
        built(READY[kind], ["John-Paul-Gomz"])
    assert "Gomz" not in str(error.value)


@pytest.mark.parametrize("kind", READY)
def test_unknown_values_are_one_group_where_the_plan_says_so(kind):
    known = {"countries": "Peru", "icd10": "I10", "postal": "10115", "education": "PhD", "occupations": "nurse"}
    hierarchy = built({**READY[kind], "other": True}, [known.get(kind, "DE300"), "~1", "~2", ""])
    paths = paths_of(hierarchy)
    assert set(paths["~1"]) == set(paths["~2"]) == {OTHER, "*"}
    assert OTHER not in paths[known.get(kind, "DE300")]
    assert set(paths[""]) == {"", "*"}


def test_own_spellings_stand_for_known_ones():
    form = {"countries": "un", "also": {"South": "KR", 7: "France"}}
    paths = paths_of(built(form, ["South", "7", "Japan"]))
    assert paths["South"] == paths["Japan"]
    assert paths["7"][0] == "Western Europe"


def test_own_spellings_must_lead_somewhere():
    with pytest.raises(BadParameter, match="not among the known countries: 'Atlantis'"):
        parse_spec("x", {"countries": "un", "also": {"South": "Atlantis"}})


@given(st.sampled_from(sorted(READY)), st.lists(st.text(max_size=6), min_size=1, unique=True))
def test_any_values_have_a_place_with_other(kind, values):
    hierarchy = built({**READY[kind], "other": True}, values)
    assert set(hierarchy.leaves) >= set(values)
    assert hierarchy.labels[-1] == ("*",)


@given(st.sampled_from(sorted(country_paths())), st.sampled_from(sorted(disease_blocks())))
def test_what_is_known_has_a_place(country, block):
    assert place_country(country) == country_paths()[country]
    assert place_disease(block[:3])[-2:] == (block, disease_blocks()[block])
