"""Covers tacit.evidence.compiled: templates are compiled once, and never out of date."""

import marshal
import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from tacit.evidence.compiled import CompiledTemplates


@pytest.fixture(autouse=True)
def writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled files are written, whatever the surroundings say, and stand beside their templates."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


def rendered(folder: Path, options: str = "") -> str:
    environment = Environment(loader=FileSystemLoader(folder), bytecode_cache=CompiledTemplates(options))
    return environment.get_template("greeting.html").render(name="World")


def write(folder: Path, text: str) -> None:
    (folder / "greeting.html").write_text(text, encoding="utf-8")


def compiled(folder: Path) -> Path:
    (found,) = (folder / "__pycache__").iterdir()
    return found


def plant(folder: Path, code: bytes) -> None:
    """Puts other code behind the digest of the compiled file, so that it shows whether that file is used."""
    digest = compiled(folder).read_bytes()[:64]
    compiled(folder).write_bytes(digest + code)


def other_code(text: str) -> bytes:
    source = Environment().compile(text, raw=True)
    return marshal.dumps(compile(source, "planted", "exec"))


def test_a_compiled_template_is_used_the_next_time(tmp_path: Path) -> None:
    write(tmp_path, "Hello {{ name }}")
    assert rendered(tmp_path) == "Hello World"
    plant(tmp_path, other_code("planted"))
    assert rendered(tmp_path) == "planted"


def test_a_changed_text_is_compiled_again(tmp_path: Path) -> None:
    write(tmp_path, "Hello {{ name }}")
    rendered(tmp_path)
    write(tmp_path, "Good-bye {{ name }}")
    assert rendered(tmp_path) == "Good-bye World"


@pytest.mark.parametrize("change", ["options", "jinja2", "python"])
def test_whatever_the_code_depends_on_makes_it_stale(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "Hello {{ name }}")
    rendered(tmp_path)
    plant(tmp_path, other_code("planted"))
    if change == "jinja2":
        monkeypatch.setattr("tacit.evidence.compiled.jinja2.__version__", "0")
    if change == "python":
        monkeypatch.setattr("tacit.evidence.compiled.MAGIC_NUMBER", b"0000")
    assert rendered(tmp_path, "other" if change == "options" else "") == "Hello World"


@pytest.mark.parametrize("code", [b"", b"\xff", other_code("x")[:-7]])
def test_a_broken_file_is_compiled_again(tmp_path: Path, code: bytes) -> None:
    write(tmp_path, "Hello {{ name }}")
    rendered(tmp_path)
    plant(tmp_path, code)
    assert rendered(tmp_path) == "Hello World"


def test_nothing_is_written_where_python_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    write(tmp_path, "Hello {{ name }}")
    assert rendered(tmp_path) == "Hello World"
    assert not (tmp_path / "__pycache__").exists()


def test_a_place_that_takes_no_files_is_no_error(tmp_path: Path) -> None:
    write(tmp_path, "Hello {{ name }}")
    (tmp_path / "__pycache__").write_text("a file where a folder should be")
    assert rendered(tmp_path) == "Hello World"


def test_templates_that_stand_in_no_file_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    environment = Environment(bytecode_cache=CompiledTemplates(""))
    assert environment.from_string("Hello {{ name }}").render(name="World") == "Hello World"
    assert list(tmp_path.iterdir()) == []
