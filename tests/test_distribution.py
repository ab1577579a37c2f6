"""The name and the version of what is installed are said once, and every line that installs something uses the name."""

import re
import sys
import tomllib
from pathlib import Path

from click.testing import CliRunner

from tacit import distribution
from tacit.cli import tacit
from tacit.errors import MissingExtra

ROOT = Path(__file__).parents[1]


def test_the_project_is_called_so_and_takes_its_version_from_here() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["name"] == distribution.NAME
    assert settings["project"]["dynamic"] == ["version"]
    told = settings["tool"]["hatch"]["version"]
    found = re.search(told["pattern"], (ROOT / told["path"]).read_text(encoding="utf-8"))
    assert found is not None
    assert found["version"] == distribution.VERSION
    assert settings["project"]["scripts"] == {"tacit": "tacit.__main__:main"}


def test_the_command_tells_its_version_without_looking_it_up() -> None:
    assert CliRunner().invoke(tacit, ["--version"]).output == f"tacit, version {distribution.VERSION}\n"


def test_nobody_is_told_to_install_the_package_of_others() -> None:
    assert "pip install 'tacit-privacy[excel]'" in str(MissingExtra("fastexcel", "excel", "reading it"))
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    wrong = re.compile(r"pip install [^\n]*\btacit(?!-privacy)\b(?![./])")
    assert [str(page) for page in pages if wrong.search(page.read_text(encoding="utf-8"))] == []


def test_the_best_method_and_the_example_of_the_readme_need_no_extra() -> None:
    """Whoever runs `make demo` or `pip install .` has local recoding, and what the README's example imports."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = {re.split(r"[<>=]", one)[0] for one in project["dependencies"]}
    assert "numba" in installed
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", readme, re.DOTALL))
    imported = set(re.findall(r"^(?:import|from) (\w+)", blocks, re.MULTILINE))
    assert imported
    assert imported <= {"tacit", *installed, *sys.stdlib_module_names}
    assert ".venv/bin/activate" in readme.split("$ tacit demo")[0], "how to have `tacit` on the path is said before"
