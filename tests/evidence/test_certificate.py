"""The certificate notices every file that changed, and looks at none outside its folder.

Covers evidence/certificate, release/fingerprints.
"""

from pathlib import Path
from typing import Any

import pytest
from tests.evidence.example_release import altered, example_release

from tacit.evidence.certificate import verify
from tacit.release.fingerprints import fingerprint
from tacit.release.tables import TableRelease


def released(folder: Path) -> TableRelease:
    """A release whose three files stand in `folder`."""
    update: dict[str, Any] = {}
    for part, name in (("input", "data.csv"), ("plan", "plan.yaml"), ("output", "release.csv")):
        (folder / name).write_text(f"this is the {part}")
        known = fingerprint(folder / name)
        update |= {"plan": known} if part == "plan" else {f"{part}s": (known,)}
    return altered(example_release(), update)


def test_files_that_stayed_as_they_were(tmp_path: Path) -> None:
    found = verify(released(tmp_path), tmp_path)
    assert [one.part for one in found] == ["input", "plan", "output"]
    assert all(one.holds and one.found == one.expected for one in found)


@pytest.mark.parametrize("position", [0, 1, 2])
def test_one_changed_byte_is_noticed(position: int, tmp_path: Path) -> None:
    release = released(tmp_path)
    path = tmp_path / ("data.csv", "plan.yaml", "release.csv")[position]
    path.write_text(path.read_text()[:-1] + "?")
    found = verify(release, tmp_path)
    assert [one.state for one in found] == ["changed" if i == position else "unchanged" for i in range(3)]
    assert found[position].found not in (None, found[position].expected)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    release = released(tmp_path)
    (tmp_path / "release.csv").unlink()
    (tmp_path / "release.csv").mkdir()
    found = verify(release, tmp_path)[2]
    assert (found.state, found.found, found.holds) == ("missing", None, False)


def test_a_name_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    release = released(folder)
    (tmp_path / "secret").write_text("not to be looked at")
    secret = fingerprint(tmp_path / "secret")
    for name in ("../secret", str(tmp_path / "secret"), "sub/../../secret", "..", "", "a\0b"):
        known = secret.model_copy(update={"name": name})
        assert verify(altered(release, {"inputs": (known,)}), folder)[0].state == "missing"


def test_a_file_below_the_folder_or_moved_into_it_is_found(tmp_path: Path) -> None:
    release = released(tmp_path)
    (tmp_path / "raw").mkdir()
    (tmp_path / "data.csv").rename(tmp_path / "raw" / "data.csv")
    below = release.input.model_copy(update={"name": "raw/data.csv"})
    assert verify(altered(release, {"inputs": (below,)}), tmp_path)[0].holds
    moved = release.plan.model_copy(update={"name": "../elsewhere/plan.yaml"})
    assert verify(altered(release, {"plan": moved}), tmp_path)[1].holds
