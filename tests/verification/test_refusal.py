"""A mistake in the measure that search and first check share does not get a release out."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

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


def test_the_true_measure_passes(tmp_path: Path) -> None:
    guarantees = [tacit.KAnonymity(k=4), tacit.LDiversity(l=2, kind="entropy"), tacit.TCloseness(t=0.3)]
    made = tacit.protect(tacit.read(PEOPLE, ROLES), guarantees, output=tmp_path / "release.csv")
    assert all(finding.holds for finding in made.release.promises)
