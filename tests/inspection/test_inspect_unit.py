"""The unit is found by name and by structure, and what groups people is not taken for it.

Covers inspection/unit, inspection/movement, inspection/joint_keys,
inspection/spellings, duckdb/spellings, data/sources/repeats, duckdb/repeats.
"""

import random
from itertools import combinations, pairwise

import pyarrow as pa
import pytest

import tacit
from tacit.data.sources.source import Source
from tacit.engines.duckdb import DuckDB
from tacit.errors import PolicyRefused
from tacit.inspection.movement import PlacedColumn, moves


def people(number, rows, seed=3):
    """Rows of people with what stays and what changes, shuffled."""
    draw = random.Random(seed)
    table = []
    for person in draw.sample(range(10**5, 10**6), number):
        fixed = {"key": str(person), "birth_year": str(draw.randrange(1930, 2010)), "sex": draw.choice("fm")}
        fixed["zip"] = draw.choice(["10115", "10117", "20095", "80331"])
        table += [{**fixed, "reason": draw.choice("abcdefgh"), "cost": str(draw.randrange(900))} for _ in range(rows)]
    draw.shuffle(table)
    return table


def frame(rows, **renamed):
    return pa.table({renamed.get(name, name): [row[name] for row in rows] for name in rows[0]})


NAMES = (
    "ID", "PATIENT", "pat_id", "pnr", "participant", "respondent", "customer", "idcode", "hhid",
    "cpr_nummer", "insurance_number", "pseudonym", "klient_nr", "Versichertennr", "Versicherungsnummer",
    "Personalnummer", "KVNR", "Mitgliedsnr", "PatientenNr",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_named_units_are_found(name):
    look = tacit.inspect(frame(people(60, 3), key=name))
    assert look.unit.column == name
    assert look.people == 60
    assert look.suggestions[name].role == "identifier"


@pytest.mark.slow
def test_a_unit_without_a_name_is_found_by_structure():
    look = tacit.inspect(frame(people(100, 6), key="x7"))
    assert look.unit.column == "x7"
    assert "3 of 5 other columns are constant" in look.unit.reason
    assert "unit: x7  # tells people apart" in look.draft


@pytest.mark.slow
def test_one_row_each_has_no_unit():
    look = tacit.inspect(frame(people(100, 1), key="patient_id"))
    assert look.unit.column is None
    assert not look.unit.doubts
    assert look.people == look.rows == 100
    assert "unit: null  # no column seems to identify people with several rows" in look.draft


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ward", "firm_id", "x7", "doctor_id", "village"])
def test_what_groups_people_is_no_unit(name):
    draw = random.Random(5)
    rows = [{**row, "key": str(1000 + draw.randrange(60))} for row in people(400, 1)]
    look = tacit.inspect(frame(rows, key=name))
    assert look.unit.column is None
    assert not look.unit.doubts


@pytest.mark.slow
def test_an_id_that_groups_people_is_doubted():
    draw = random.Random(5)
    rows = [{**row, "key": str(1000 + draw.randrange(60))} for row in people(400, 1)]
    look = tacit.inspect(frame(rows, key="id"))
    assert look.unit.column is None
    assert list(look.unit.doubts) == ["id"]
    assert look.suggestions["id"].role == "identifier"
    assert "unit: null  # values of 'id' repeat, but" in look.draft


@pytest.mark.slow
def test_a_person_is_taken_and_no_household_and_no_case():
    draw = random.Random(6)
    rows = []
    for number, row in enumerate(people(150, 1)):
        house = {**row, "household_id": str(500 + number // 3)}
        for case in range(3):
            told = {**house, "case_no": f"{number}-{case}"}
            rows += [{**told, "reason": draw.choice("abcd"), "cost": str(draw.randrange(900))} for _ in range(2)]
    look = tacit.inspect(frame(rows, key="person_id"))
    assert look.unit.column == "person_id"
    assert look.people == 150


@pytest.mark.slow
def test_names_of_people_are_a_unit_where_they_alone_tell_them_apart():
    rows = [{**row, "key": f"Ada {row['key']}"} for row in people(100, 4)]
    assert tacit.inspect(frame(rows, key="patient_name")).unit.column == "patient_name"
    draw = random.Random(7)
    families = [{**row, "key": draw.choice("ABCDEFGHIJKLMNOPQRSTUVW") + "ert"} for row in people(300, 1)]
    assert tacit.inspect(frame(families, key="surname")).unit.column is None


@pytest.mark.slow
def test_a_handful_of_values_needs_more_than_a_name():
    draw = random.Random(8)
    rows = [{**row, "key": str(draw.randrange(7))} for row in people(400, 1)]
    assert tacit.inspect(frame(rows, key="PID")).unit.column is None
    few = tacit.inspect(frame(people(10, 40), key="patient_id"))
    assert few.unit.column == "patient_id"


def moved(table):
    """How columns move within `key`."""
    placed = {name: PlacedColumn.of(table.column(name)) for name in table.column_names}
    return moves(placed.pop("key").codes, placed)


def test_movement_is_that_of_its_definition():
    draw = random.Random(9)
    key = [draw.choice("abcdef") for _ in range(120)]
    color = [draw.choice("rgb") for _ in key]
    height = [draw.choice([1.5, 2.5, 7.0, 9.0]) for _ in key]
    table = pa.table({"key": key, "color": color, "height": [str(one) for one in height]})
    found = moved(table).moves
    # By hand: pairs that follow each other within a key, beside all ordered pairs of rows.
    places = {one: [row for row, value in enumerate(key) if value == one] for one in set(key)}
    pairs = [pair for rows in places.values() for pair in pairwise(rows)]
    ranks = [(sum(b < a for b in height) + sum(b == a for b in height) / 2) / len(height) for a in height]
    both = list(combinations(range(len(key)), 2))
    for name, gap in (
        ("color", lambda a, b: float(color[a] != color[b])),
        ("height", lambda a, b: abs(ranks[a] - ranks[b])),
    ):
        within = sum(gap(a, b) for a, b in pairs) / len(pairs)
        expected = 2 * sum(gap(a, b) for a, b in both) / len(key) ** 2
        assert found[name] == pytest.approx(within / expected)


def test_what_a_file_is_sorted_by_says_nothing():
    rows = sorted(people(200, 1), key=lambda row: row["cost"].zfill(4))
    draw = random.Random(10)
    grouped = [{**row, "key": str(draw.randrange(40))} for row in rows]
    found = moved(frame(grouped)).moves
    assert "cost" not in found
    assert "sex" in found


@pytest.mark.slow
def test_a_household_is_no_doubt_where_everybody_has_a_number_of_their_own():
    rows = [{**row, "household": str(place // 3)} for place, row in enumerate(people(90, 1))]
    assert not tacit.inspect(frame(rows, key="person")).unit.doubts
    assert list(tacit.inspect(frame(rows, key="x7")).unit.doubts) == ["household"]


def keyless(number=80, rows=4, seed=21, **parts):
    """Rows of people without a key; each of `parts` says what it writes for a person's number and a row's."""
    draw = random.Random(seed)
    table = []
    for person in range(number):
        fixed = {"birth_year": str(draw.randrange(1930, 2010)), "sex": draw.choice("fm"), "region": draw.choice("NESW")}
        table += [
            {**{name: part(person, row) for name, part in parts.items()}, **fixed, "reason": draw.choice("abcdefgh")}
            for row in range(rows)
        ]
    draw.shuffle(table)
    return frame(table)


def doubted(table):
    """What is suspected or doubted in a draft; the same table is refused as it is drafted."""
    look = tacit.inspect(table)
    assert look.unit.column is None
    told = look.unit.suspected.says if look.unit.suspected else ", ".join(look.unit.doubts)
    refused = None
    try:
        tacit.protect(look, suppression=1, parameters={"seconds": 1})
    except PolicyRefused as refusal:
        refused = str(refusal)
    assert (refused is None) == (not told)
    if told:
        assert told in refused
        assert "`unit: row`" in refused
        assert "unit: null  # " in look.draft
    return told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"serial": lambda i, _: str(100 + i // 3), "pnum": lambda i, _: str(i % 3)}, "'serial' and 'pnum' together"),
        ({"id_a": lambda i, _: f"{i // 10:03}", "id_b": lambda i, _: f"{i % 10:03}"}, "'id_b' and 'id_a' together"),
        ({"patient_id": lambda i, row: f"P{i:04}-{row + 1}"}, "'patient_id' without their last part"),
        ({"sample_id": lambda i, row: f"TCGA-{i:04}-{row:02}"}, "'sample_id' without their last part"),
        (
            {
                "first_name": lambda i, _: "ABCDEFGHI"[i % 9] + "nn",
                "last_name": lambda i, _: "ABCDEFGHI"[i // 9] + "er",
            },
            "'first_name', 'last_name' and 'birth_year' together",
        ),
    ],
)
def test_what_tells_people_apart_without_being_their_number_is_a_doubt(parts, says):
    assert says in doubted(keyless(**parts))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["card_number", "hadm_id", "ip_address"])
def test_an_identifier_that_repeats_is_a_doubt_although_it_numbers_something_else(name):
    parts = {name: lambda i, _: f"10.0.{i}.7" if name == "ip_address" else str(4 * 10**15 + 7 * i)}
    others = ["birth_year"] if name == "hadm_id" else ["birth_year", "region", "sex"]
    assert doubted(keyless(**parts).drop_columns(others)) == name


@pytest.mark.slow
@pytest.mark.parametrize(
    "parts",
    [
        {"ward": lambda i, _: str(i % 20), "bed": lambda i, _: str(i * 7 % 9)},
        {"letter_no": lambda i, _: f"2024-{i:04}"},
        {"patient_id": lambda i, _: f"S{i % 20:02}-{i:04}"},
        {"first_name": lambda i, _: "ABCDEFGHI"[i % 9] + "nn", "last_name": lambda i, _: "ABCDEFGHI"[i * 5 % 9] + "er"},
        {"ward_id": lambda i, _: str(i % 20)},
    ],
)
def test_one_row_each_is_no_doubt(parts):
    assert not doubted(keyless(240, 1, **parts))


@pytest.mark.slow
def test_known_facts_that_repeat_more_than_by_chance_are_told():
    draw = random.Random(22)

    def visits(people, rows, days, places=40):
        """Rows of birth, sex and place; the chance that two agree is 1 / (2 · places · days)."""
        table = []
        for _ in range(people):
            fixed = [f"{1940 + draw.randrange(days // 360)}-{1 + draw.randrange(12):02}-{1 + draw.randrange(30):02}"]
            fixed += [draw.choice("fm"), str(10100 + draw.randrange(places))]
            table += [[*fixed, draw.choice("abcdefgh")] for _ in range(rows())]
        names = ["birth_date", "sex", "postcode", "reason"]
        return pa.table(dict(zip(names, zip(*table, strict=True), strict=True)))

    several = tacit.inspect(visits(200, lambda: 4, 36_000)).unit.suspected
    assert several.says == "the columns 'birth_date', 'sex' and 'postcode' together"
    assert "100 % of all rows" in several.reason
    assert not several.may_be_chance
    # Of those who were born on one day the postcode is one, which chance makes so with probability 40 ** -50 or less.
    some = tacit.inspect(visits(400, lambda: draw.choice([1, 1, 1, 1, 1, 1, 1, 2]), 36_000)).unit.suspected
    assert not some.may_be_chance
    # Three pairs agree by chance with a probability of about 60 ** -3, which is worth a remark.
    once = iter([2, 2, 2, *[1] * 57])
    assert tacit.inspect(visits(60, lambda: next(once), 36_000, places=4_000)).unit.suspected.may_be_chance
    # With 360 days a row agrees with one of 2,000 by chance with probability 2000 / (2 * 40 * 360) = 7 %.
    assert tacit.inspect(visits(2_000, lambda: 1, 360)).unit.suspected is None
    assert tacit.inspect(visits(500, lambda: 1, 36_000)).unit.suspected is None


@pytest.mark.parametrize(
    ("values", "people"),
    [
        (["P0012", "p0012", "P-0012", "P0012 ", " P 12", "p00012"], 1),
        (["12", "12.0", "012", "13"], 2),
        (["123-45-6789", "123456789", "123 45 6789"], 1),
        (["1-23", "12-3"], 2),
        (["1-23", "12-3", "123"], 2),
        (["a01b1", "a1b01"], 2),
        (["10.1.12.3", "10.11.2.3"], 2),
        (["a.b@x.org", "a_b@x.org", "ab@x.org", "AB@x.org"], 3),
        (["ab@gmail.com", "ab+shop@gmail.com", "AB+2@googlemail.com", "a.b@gmail.com"], 2),
        (["Ana", "ANA", "Anna", ""], 2),
        (["0", "00"], 1),
        (["\u0915\u093e", "\u0915\u093f"], 2),
    ],
)
def test_values_that_differ_only_in_spelling_count_once(values, people):
    with DuckDB() as engine:
        assert engine.spellings(Source("frame", frame=pa.table({"key": values})), "key") == people


@pytest.mark.slow
def test_a_unit_that_is_spelt_in_several_ways_is_told_and_refused():
    ways = [lambda i: f"P{i:04}", lambda i: f"p{i:04}", lambda i: f"P-{i:04}", lambda i: f"P{i}"]
    table = keyless(rows=8, patient_id=lambda i, row: ways[row % 4](i + 1))
    look = tacit.inspect(table)
    assert look.unit.column == "patient_id"
    assert any("320 values, 80 if spelt alike" in note for note in look.notes)
    assert "# patient_id: values differ in part only in capitals" in look.draft
    asked = {"statistics/count": {"epsilon": 0.5}}
    with pytest.raises(PolicyRefused, match="320 values, 80 if spelt alike") as refusal:
        tacit.protect(look, suppression=1)
    assert "`unit: {column: patient_id, exact: true}`" in str(refusal.value)
    with pytest.raises(PolicyRefused, match="one person may count as several") as refusal:
        tacit.ask(table, asked, budget=tacit.PrivacyBudget(epsilon=1, unit="patient_id"))
    assert "320" not in str(refusal.value)
    assert "in other spellings" in doubted(keyless(patient_id=lambda i, row: ways[row](i + 1)))
    exact = {"column": "patient_id", "exact": True}
    assert tacit.protect(look, unit=exact, suppression=1).release.unit == "patient_id"
    assert tacit.ask(table, asked, budget=tacit.PrivacyBudget(epsilon=1, unit=exact)).release.unit == "patient_id"


@pytest.mark.slow
def test_a_key_with_a_check_digit_in_some_rows_is_spelt_in_several_ways():
    table = keyless(rows=4, member_no=lambda i, row: f"{12_000 + i}" if row % 2 else f"{12_000 + i}-{i % 10}")
    with pytest.raises(PolicyRefused, match="160 values, 80 if spelt alike"):
        tacit.protect(tacit.inspect(table), suppression=1)
    # Members of a household are none of these: no number is there without its last part.
    people = keyless(rows=4, member_no=lambda i, row: f"{12_000 + i // 2}-{i % 2}")
    assert not any("spelt alike" in note for note in tacit.inspect(people).notes)
