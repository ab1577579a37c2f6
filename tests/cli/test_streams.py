"""Output that is full, closed or read by nobody: the exit code still says what happened.

Covers cli/streams, cli/terminal, tacit/cli.
"""

import os
import subprocess
from pathlib import Path

import pytest
from tests.cli.commands import TACIT

FULL = Path("/dev/full")
PLAN = """
version: 1
data: {path: people.csv}
columns: {zip: {role: quasi-identifier}, ill: {role: sensitive}}
release: {guarantees: [k-anonymity: {k: 2}]}
"""
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="only where the system has a device that is always full")


def ended(folder: Path, words: str, redirection: str) -> subprocess.CompletedProcess[str]:
    """The command with its streams redirected by a shell, which alone can close them."""
    line = f"{' '.join(TACIT)} {words} {redirection}"
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=folder, env=dict(os.environ))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("zip,ill\n" + "1,a\n2,b\n" * 2, encoding="utf-8")
    (tmp_path / "plan.yaml").write_text(PLAN, encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("words", ["methods --json", "check people.csv --plan plan.yaml --json", "methods"])
def test_a_full_output_is_no_failed_guarantee(folder: Path, words: str) -> None:
    done = ended(folder, words, ">/dev/full")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("tacit: standard output: No space left on device")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_release_that_could_not_be_told_of_stays(folder: Path) -> None:
    done = ended(folder, "protect plan.yaml --json", ">/dev/full")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("tacit: standard output: No space left on device; the work was ")
    assert "Traceback" not in done.stderr
    assert (folder / "people.release.csv").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "redirection", "code"),
    [
        ("methods", ">&-", 0),
        ("methods --json", ">&- 2>&-", 0),
        ("nowhere", "2>/dev/full", 2),
        ("nowhere", "2>&-", 2),
        ("protect nowhere.yaml", "2>/dev/full", 3),
        ("--help", ">/dev/full", 3),
    ],
)
def test_a_stream_that_takes_nothing_does_not_change_the_exit_code(
    folder: Path, words: str, redirection: str, code: int
) -> None:
    done = ended(folder, words, redirection)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
