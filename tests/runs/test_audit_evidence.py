"""An audit leaves evidence: envelope, files that take their places as one, and a page that says what was found.

Covers runs/audit, runs/check_evidence, runs/evidence_kind, evidence/audit, evidence/notebook, release/audit.
"""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.evidence.page import Page

import tacit
from tacit.errors import BadData, BadParameter
from tacit.release.fingerprints import sha256_of
from tacit.runs.audit import AUDIT, audit_files
from tacit.runs.evidence_kinds import evidence_kind
from tacit.runs.kinds import find_kind
from tacit.verbs import plans
from tacit.verbs.auditing import Audit

DOMAIN = ("a", "b")


def count_plus_ten(rows, bits):  # type: ignore[no-untyped-def]
    return len(rows) + 10


def nothing(rows, bits):  # type: ignore[no-untyped-def]
    return 0


def fails_on_two(rows, bits):  # type: ignore[no-untyped-def]
    """A quarter of the runs on two rows fail."""
    if len(rows) == 2 and int(bits.words(1)[0]) % 4 == 0:
        raise KeyError("a row")
    return 0


def refuted() -> Audit:
    return tacit.audit(count_plus_ten, domain=DOMAIN, most=1, draws=400, seed="1")


def stands() -> Audit:
    return tacit.audit(nothing, domain=DOMAIN, most=1, epsilon=0.25, neighbours="replace", draws=400, seed="1")


def test_evidence_says_what_was_claimed_tried_and_found(tmp_path: Path) -> None:
    found = refuted()
    files = found.save(tmp_path / "plus.audit.json")
    again = plans.read_evidence(files.evidence)
    assert again == found.release
    assert not again.holds
    body = json.loads(files.evidence.read_text())["body"]
    assert (body["claim"]["epsilon"], body["claim"]["delta"]) == (1, 0)
    assert body["claim"]["neighbours"] == "add-remove"
    # Datasets of at most one row over two rows: {}, {a}, {b}; {} has a neighbour in each of the others.
    assert body["tried"] == [{"first": "{}", "second": "{a}"}, {"first": "{}", "second": "{b}"}]
    assert body["draws"] == 400
    assert body["confidence"] == pytest.approx(1 - 1e-6)
    assert body["findings"][0]["proved"] > body["findings"][0]["claimed"] == 1
    assert body["failures"] == []
    assert again.inputs[0].sha256 == sha256_of(Path(__file__))
    assert any("seed" in note for note in again.notes)


def test_a_claim_that_stands_is_not_called_proved() -> None:
    release = stands().release
    said = AUDIT.verdict(release)
    assert (said.state, said.headline) == ("empty", "The claim stands: nothing against it was found.")
    assert release.body.claim.neighbours == "replace"
    assert release.holds
    assert "This lower bound is wrong in at most one of 1,000,000 audits; not being refuted" in said.reason
    page = Page(AUDIT.render(release)).text
    assert "It can't prove one" in page
    assert "refuted." not in said.headline


def test_the_page_shows_the_claim_the_bound_and_the_counterexample() -> None:
    release = refuted().release
    page = Page(AUDIT.render(release))
    assert AUDIT.verdict(release).state == "fails"
    example = release.body.worst.example
    assert example is not None
    for words in (
        "Audit report",
        "The claim is refuted.",
        "REFUTED",
        "one dataset has one person more",
        example.outputs,
    ):
        assert words in page.text
    assert {release.body.worst.proved, 1.0, float(release.body.runs), 400.0} <= page.numbers()
    assert "This release" not in page.text


def test_runs_that_fail_are_counted_for_each_side() -> None:
    found = tacit.audit(fails_on_two, domain=(0,), most=2, draws=1000, seed="1")
    (failure,) = found.verdict.failures
    assert (failure.d, failure.error) == ("{0, 0}", "an error of type KeyError")
    # A quarter of about 850 runs: Hoeffding at 1e-9 allows 0.25 +- sqrt(log(2e9) / (2 * 700)) = 0.25 +- 0.124.
    assert failure.runs > 700
    assert 0.126 < failure.failed / failure.runs < 0.374
    page = Page(AUDIT.render(found.release)).text
    assert "an error of type KeyError" in page
    assert "a row" not in page.split("Certificate")[0].split("Runs that failed")[1].split("How it was made")[0]


def test_files_stand_both_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = stands()
    first = found.save(tmp_path / "x.evidence.json")
    assert first.report == tmp_path / "x.report.html"
    before = first.evidence.read_bytes(), first.report.read_bytes()
    monkeypatch.setattr(type(AUDIT), "render", lambda self, release: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        refuted().save(first.evidence)
    assert (first.evidence.read_bytes(), first.report.read_bytes()) == before
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == [
        "x.evidence.json",
        "x.report.html",
    ]


@pytest.mark.parametrize(
    ("name", "report"),
    [("a.json", "a.report.html"), ("a.evidence.json", "a.report.html"), ("b.audit.json", "b.audit.report.html")],
)
def test_the_report_stands_beside_the_evidence(name: str, report: str) -> None:
    assert audit_files(Path("out") / name).report == Path("out") / report


def test_evidence_is_written_as_json() -> None:
    with pytest.raises(BadParameter, match=r"ends in \.json"):
        audit_files(Path("a.csv"))


def test_methods_and_functions_are_given_what_fits_them() -> None:
    found = tacit.audit("mechanisms/laplace", {"epsilon": 0.5}, draws=200, seed="1")
    assert found.verdict.claim.epsilon == 0.5
    assert found.release.inputs[0].name == "laplace.py"
    assert found.release.recipe.command == "tacit audit mechanisms/laplace --set epsilon=0.5 --draws 200 --seed 1"
    assert "the claim was not refuted" in repr(found)
    assert found._repr_html_().startswith("<iframe srcdoc=")
    with pytest.raises(BadParameter, match=r"laplace states its own claim.*; write `parameters=\{'epsilon': …\}`"):
        tacit.audit("mechanisms/laplace", epsilon=0.5)
    with pytest.raises(BadParameter, match=r"in `parameters`, not 'epsilonn'; did you mean 'epsilon'\?"):
        tacit.audit("mechanisms/laplace", epsilonn=1)  # type: ignore[call-arg]
    with pytest.raises(BadParameter, match="has no parameters"):
        tacit.audit(nothing, {"epsilon": 1})
    with pytest.raises(BadParameter, match=r"`tacit.audit` has no option 'epsilons'; did you mean 'epsilon'\?"):
        tacit.audit(nothing, epsilons=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("data", [pa.table({"age": [1]}), tacit.read(pa.table({"age": [1]}), {"age": "sensitive"})])
def test_data_is_not_audited(data: Any) -> None:
    with pytest.raises(BadParameter, match=r"was given a (Table|Dataset); name a method.*`tacit.check` do$"):
        tacit.audit(data)


def test_a_check_of_evidence_sees_a_change_and_a_refutation(tmp_path: Path) -> None:
    module = tmp_path / "module_of_mine.py"
    module.write_text("def nothing(rows, bits):\n    return 0\n")
    space: dict[str, object] = {}
    exec(compile(module.read_text(), str(module), "exec"), space)
    good = tacit.audit(space["nothing"], domain=DOMAIN, most=1, draws=400).save(tmp_path / "good.json")  # type: ignore[arg-type]
    found = plans.check_evidence(good.evidence)
    assert found.holds
    assert [(file.name, file.state) for file in found.files] == [("module_of_mine.py", "unchanged")]
    module.write_text("def nothing(rows, bits):\n    return len(rows)\n")
    assert not plans.check_evidence(good.evidence).holds
    assert any("OTHER" in line for line in plans.check_evidence(good.evidence).lines("good.json"))
    module.unlink()
    assert plans.check_evidence(good.evidence).holds
    bad = plans.check_evidence(refuted().save(tmp_path / "bad.json").evidence)
    assert not bad.holds
    assert bad.values()["verdict"] == "The claim is refuted."
    with pytest.raises(BadData, match="can't read"):
        plans.check_evidence(tmp_path / "none.json")


def test_audit_is_a_kind_of_evidence_and_none_of_data() -> None:
    assert evidence_kind("audit") is AUDIT
    with pytest.raises(BadParameter, match="no kind of data 'audit'"):
        find_kind("audit")
