"""A mistake in the measure that search and first check share does not get a release out.

Covers verify, runs/tables/process.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.runs.planned import protected

import tacit
from tacit.errors import TacitError

PEOPLE = pa.table(
    {
        "age": [str(20 + i % 7) for i in range(40)],
        "town": ["ABCDE"[i % 5] for i in range(40)],
        "illness": [["flu", "cold", "asthma"][i % 3] for i in range(40)],
    }
)
ROLES = {"age": "quasi-identifier", "town": "quasi-identifier", "illness": "sensitive"}


def broken(kind: type, by: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every class seems better than it is."""
    true = kind.measure
    monkeypatch.setattr(kind, "measure", lambda self, classes: np.asarray(true(self, classes) * by))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("guarantee", "by"),
    [(tacit.KAnonymity(k=4), 2.0), (tacit.LDiversity(l=2.5, kind="entropy"), 2.0), (tacit.TCloseness(t=0.1), 0.1)],
    ids=lambda part: getattr(part, "name", part),
)
def test_a_wrong_measure_is_found_out(
    guarantee: tacit.KAnonymity, by: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(type(guarantee), by, monkeypatch)
    release = tmp_path / "release.csv"
    with pytest.raises(TacitError, match="two independent checks"):
        tacit.protect(tacit.read(PEOPLE, ROLES), [guarantee], output=release)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_true_measure_passes(tmp_path: Path) -> None:
    guarantees = [tacit.KAnonymity(k=4), tacit.LDiversity(l=2, kind="entropy"), tacit.TCloseness(t=0.3)]
    made = tacit.protect(tacit.read(PEOPLE, ROLES), guarantees, output=tmp_path / "release.csv")
    assert all(finding.holds for finding in made.release.promises)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["tables/freeform", "tables/mondrian"])
def test_a_wrong_count_of_candidates_is_found_out(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guarantee = tacit.KConcealment(k=3)
    asked = {"method": method, "output": tmp_path / "release.csv"}
    made = tacit.protect(tacit.read(PEOPLE, ROLES), [guarantee], **asked)
    assert made.release.promises[0].holds
    for path in tmp_path.iterdir():
        path.unlink()
    broken(tacit.KConcealment, 2.0, monkeypatch)
    with pytest.raises(TacitError, match="two independent checks of k-concealment"):
        tacit.protect(tacit.read(PEOPLE, ROLES), [guarantee], **asked)
    assert list(tmp_path.iterdir()) == []


def republication_plan(folder: Path) -> Path:
    """A plan that republishes, with its data."""
    lines = [f"person {i},{20 + i % 7},{['flu', 'cold', 'asthma'][i % 3]}" for i in range(30)]
    (folder / "people.csv").write_text("\n".join(["name,age,illness", *lines]) + "\n", encoding="utf-8")
    plan = folder / "plan.yaml"
    plan.write_text(REPUBLICATION, encoding="utf-8")
    return plan


REPUBLICATION = """
version: 1
data: {path: people.csv}
unit: name
columns:
  name: {role: identifier}
  age: {role: quasi-identifier, hierarchy: {intervals: [5, 10, 20]}}
  illness: {role: sensitive}
release:
  method: tables/republish
  parameters: {history: people.history}
  guarantees: [{m-invariance: {m: 2}}]
"""


@pytest.mark.slow
def test_a_wrong_measure_of_one_of_several_releases_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = republication_plan(tmp_path)
    before = set(tmp_path.iterdir())
    broken(tacit.MInvariance, 2.0, monkeypatch)
    with pytest.raises(TacitError, match="two independent checks of m-invariance"):
        protected(plan)
    assert set(tmp_path.iterdir()) - before <= {tmp_path / ".people.history.lock"}


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"smallest": 9}, {"people": 1}])
def test_a_wrong_measure_of_all_releases_is_found_out(
    change: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = republication_plan(tmp_path)
    protected(plan)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    true = tacit.MInvariance.check_releases
    monkeypatch.setattr(tacit.MInvariance, "check_releases", lambda self, given: replace(true(self, given), **change))
    with pytest.raises(TacitError, match="two independent checks of 2 release"):
        protected(plan)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
