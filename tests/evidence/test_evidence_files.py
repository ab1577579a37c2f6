"""Evidence files: what is written is read back, anything else is refused with a reason.

Covers evidence/files, tacit/release/release.
"""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.example_release import altered, broken_release, example_release
from tests.examples import examples

from tacit.errors import BadData, BadParameter
from tacit.evidence.files import (
    evidence_schema,
    evidence_text,
    parse_evidence,
    read_evidence,
    write_whole,
)
from tacit.promise import Measured, WorstPart
from tacit.release.fingerprints import BLOCK, fingerprint, sha256_of
from tacit.release.release import EVIDENCE_SCHEMA
from tacit.release.tables import TableRelease
from tacit.runs.evidence_kinds import body_of


def boundless() -> TableRelease:
    """A release with infinite measures in every place that a measure may stand."""
    release = example_release()
    finding = Measured(
        name="delta-disclosure",
        side="below",
        parameters={"delta": 1.0, "column": None},
        bound=math.inf,
        measured=math.inf,
        holds=False,
        parts=1,
        failing=1,
        failing_people=1,
        worst=(WorstPart(people=1, rows=1, measured=-math.inf),),
    )
    update = {"promises": (finding,), "metrics": {"loss": 0.5, "entropy": math.inf}}
    return altered(release, update)


@pytest.mark.parametrize("release", [example_release(), broken_release(), boundless()], ids=["kept", "broken", "inf"])
def test_what_is_written_is_read_back(release: TableRelease, tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    write_whole(path, evidence_text(release))
    assert read_evidence(path, body_of) == release
    assert [each.name for each in tmp_path.iterdir()] == ["evidence.json"]


def test_the_file_is_strict_json_with_indentation(tmp_path: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    path = tmp_path / "evidence.json"
    write_whole(path, evidence_text(boundless()))
    text = path.read_text("utf-8")
    found = json.loads(text, parse_constant=refuse)
    assert found["evidence"] == EVIDENCE_SCHEMA
    assert found["promises"][0]["worst"][0]["measured"] == "-Infinity"
    assert '\n  "created"' in text


@given(
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(0, 2**53),
)
@examples(50)
def test_any_measure_text_and_count_survive(measured: float, text: str, number: int) -> None:
    release = example_release()
    finding = release.measured[0].model_copy(update={"measured": measured, "failing_people": number})
    changed = altered(release, {"promises": (finding,), "title": text, "notes": (text,)})
    assert parse_evidence(evidence_text(changed), "x", body_of) == changed


@pytest.mark.parametrize("schema", ["tacit/evidence/1", "tacit/evidence/0", 7, ["x"], {"a": 1}])
def test_another_version_is_refused_with_both_names(schema: object) -> None:
    content = json.dumps({"evidence": schema})
    with pytest.raises(BadData, match=EVIDENCE_SCHEMA) as raised:
        parse_evidence(content, "old.json", body_of)
    assert "old.json" in str(raised.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[]", "no field 'evidence'"),
        ("{}", "no field 'evidence'"),
        ("3", "'evidence'"),
    ],
)
def test_junk_is_refused_with_a_reason(content: str, reason: str) -> None:
    with pytest.raises(BadData, match=reason):
        parse_evidence(content, "x.json", body_of)


@given(st.binary(max_size=60))
def test_no_bytes_end_in_another_error(content: bytes) -> None:
    with pytest.raises(BadData):
        parse_evidence(content, "x.json", body_of)


def test_a_field_that_does_not_fit_is_named_without_its_value() -> None:
    found = json.loads(example_release().model_dump_json())
    found["body"]["classes"] = "a secret"
    found["surplus"] = 1
    with pytest.raises(BadData) as raised:
        parse_evidence(json.dumps(found), "x.json", body_of)
    assert "x.json: body.classes:" in str(raised.value)
    assert "x.json: surplus:" in str(raised.value)
    assert "a secret" not in str(raised.value)


def test_many_complaints_are_cut() -> None:
    with pytest.raises(BadData) as raised:
        parse_evidence(json.dumps({"evidence": EVIDENCE_SCHEMA, "kind": "tables"}), "x.json", body_of)
    assert "and" in str(raised.value).splitlines()[-1]
    assert len(str(raised.value).splitlines()) == 6


def test_the_evidence_beside_answers_is_named(tmp_path: Path) -> None:
    answers = tmp_path / "x.answers.json"
    answers.write_text("{}")
    with pytest.raises(BadData, match=r"'evidence'$"):
        read_evidence(answers, body_of)
    (tmp_path / "x.answers.evidence.json").write_text("{}")
    with pytest.raises(BadData, match=r"; give its evidence, .*/x\.answers\.evidence\.json$"):
        read_evidence(answers, body_of)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="can't read the evidence"):
        read_evidence(tmp_path / "none.json", body_of)
    with pytest.raises(BadData, match="can't read the evidence"):
        read_evidence(tmp_path, body_of)


def test_what_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\ud800")
    assert path.read_text() == "old"
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadParameter, match="is a folder"):
        write_whole(tmp_path / "folder", "text")
    with pytest.raises(BadParameter, match="is not a folder"):
        write_whole(path / "a.txt", "text")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.txt", "folder"]


@pytest.mark.parametrize("size", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 17])
def test_a_hash_does_not_depend_on_blocks(size: int, tmp_path: Path) -> None:
    content = bytes(i % 251 for i in range(1000)) * (size // 1000 + 1)
    path = tmp_path / "data"
    path.write_bytes(content[:size])
    assert sha256_of(path) == hashlib.sha256(content[:size]).hexdigest()


def test_the_hash_of_abc_is_the_standard_s(tmp_path: Path) -> None:
    path = tmp_path / "abc.csv"
    path.write_bytes(b"abc")
    expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # FIPS 180-2, appendix B.1
    found = fingerprint(path)
    assert (found.name, found.bytes, found.sha256, found.rows) == ("abc.csv", 3, expected, None)


def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft202012Validator(evidence_schema())


@pytest.mark.parametrize("release", [example_release(), boundless()], ids=["kept", "inf"])
def test_evidence_fits_its_schema(release: TableRelease, tmp_path: Path) -> None:
    write_whole(tmp_path / "evidence.json", evidence_text(release))
    assert list(validator().iter_errors(json.loads((tmp_path / "evidence.json").read_text("utf-8")))) == []


@pytest.mark.slow
def test_the_schema_refuses_what_reading_refuses(tmp_path: Path) -> None:
    write_whole(tmp_path / "evidence.json", evidence_text(example_release()))
    good = json.loads((tmp_path / "evidence.json").read_text("utf-8"))
    for change in (
        {"evidence": "tacit/evidence/1"},
        {"body": {**good["body"], "classes": "many"}},
        {"surplus": 1},
        {"body": {**good["body"], "metrics": {"loss": "much"}}},
    ):
        assert list(validator().iter_errors({**good, **change})), change
        with pytest.raises(BadData):
            parse_evidence(json.dumps({**good, **change}), "x", body_of)
