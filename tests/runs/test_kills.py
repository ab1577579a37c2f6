"""Verbs that are killed while they run (bench/killed_verbs): a short form of `python -m bench kills`, and its twins.

Covers publication, scratch, runs/run.
"""

import random
from pathlib import Path

import pytest
from bench.killed_verbs import aside, kill_scene, left, readable
from bench.killing import accesses
from bench.scenes import SCENES, hashes, look, prepare, run_verb

from tacit.errors import BadData

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", SCENES)
def test_what_a_killed_verb_leaves_belongs_together(name: str, tmp_path: Path) -> None:
    found = kill_scene(tmp_path, SCENES[name], 5, random.Random())
    assert found.kills == 5
    assert found.faults == 0, found


@pytest.fixture(scope="module")
def answered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which questions were answered."""
    folder = tmp_path_factory.mktemp("answered")
    prepare(folder, SCENES["ask"], generation=1)
    assert accesses(run_verb, (folder, SCENES["ask"].words)) > 20
    found = look(folder, SCENES["ask"])
    assert (found.apart, found.unpaid) == (0, 0)
    assert len(hashes(folder)) == 3
    return folder


@pytest.mark.parametrize("ending", ["json", "evidence.json", "report.html"])
def test_a_file_of_another_run_is_noticed(answered: Path, ending: str) -> None:
    file = answered / "work" / f"people.answers.{ending}"
    own = file.read_text()
    try:
        other = own.replace("Mean of age", "Mean of agE")
        assert other != own
        file.write_text(other)
        assert look(answered, SCENES["ask"]).apart == 1
        file.unlink()
        assert look(answered, SCENES["ask"]).apart == 1
    finally:
        file.write_text(own)


def test_answers_without_their_charges_are_noticed(answered: Path, tmp_path: Path) -> None:
    ledger, kept = answered / "work" / "people.ledger", tmp_path / "kept"
    ledger.rename(kept)
    try:
        assert look(answered, SCENES["ask"]).unpaid == 2
        prepare(tmp_path, SCENES["ask"], generation=1)
        accesses(run_verb, (tmp_path, SCENES["ask"].words))
        (tmp_path / "work" / "people.ledger").rename(ledger)
        with pytest.raises(BadData):
            look(answered, SCENES["ask"])
    finally:
        kept.replace(ledger)


def test_raw_rows_that_stay_or_can_be_read_are_noticed(answered: Path) -> None:
    folder = answered / "temporary" / "tacit-scratch-of-the-dead"
    folder.mkdir(mode=0o755)
    file = folder / "rows.parquet"
    file.write_text("raw rows")
    try:
        assert aside(answered) == [file]
        assert readable(answered) == [file]
        assert folder in left(answered)
        folder.chmod(0o700)
        assert readable(answered) == []
    finally:
        file.unlink()
        folder.rmdir()
