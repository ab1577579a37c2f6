"""The documentation is true: its blocks run, its output is real, its links lead somewhere, its reference is full.

Covers the whole package.
"""

import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent
from types import ModuleType

import pytest
from tests.docs.blocks import ROOT, Block, anchors_of, blocks_of, links_of, pages, run_page

from tacit import catalogue
from tacit.cli import COMMANDS, tacit
from tacit.demo import write_demo
from tacit.guarantees.catalogue import guarantees
from tacit.runs.demo import begin_demo
from tacit.verbs.ask import ask_plan

PAGES = {str(page.relative_to(ROOT)): page for page in pages()}
RUNNING = [name for name, page in PAGES.items() if any(block.runs for block in blocks_of(page))]


@pytest.fixture(scope="session")
def register(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("docs") / "demo").parent


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNNING)
def test_every_block_of_the_page_runs(
    name: str, register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extended: None, installed: None
) -> None:
    folder = shutil.copytree(register, tmp_path / "demo")
    monkeypatch.chdir(folder)
    assert run_page(PAGES[name], {"__name__": "page"}) > 0


def asked_demo(folder: Path) -> Path:
    """The folder as far as ledgers go after `tacit demo`, whose release costs nothing."""
    ask_plan(begin_demo(folder))
    return folder


@pytest.mark.slow
def test_pages_run_one_after_another_in_the_folder_of_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader has one folder, in which `tacit demo` and other pages have charged something already."""
    folder = asked_demo(tmp_path / "tacit-demo")
    for name in ("docs/how-to/ask-questions.md", "docs/how-to/invent-rows.md"):
        monkeypatch.chdir(folder)
        assert run_page(PAGES[name], {"__name__": "page"}) > 0


@pytest.mark.slow
def test_the_readme_shows_what_asking_after_the_demo_costs(tmp_path: Path) -> None:
    body = ask_plan(asked_demo(tmp_path / "demo") / "hospital.plan.yaml").release.body
    shown = (
        f"  in all  {body.spent.epsilon:>14.6g}{body.spent.delta:>14.3g}\n"
        f"  left    {body.left.epsilon:>14.6g}{body.left.delta:>14.3g}\n"
    )
    assert shown in PAGES["README.md"].read_text(encoding="utf-8")


@pytest.fixture
def extended(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For CONTRIBUTING, the package with the files that the page writes down."""
    if request.node.callspec.params["name"] != "CONTRIBUTING.md":
        yield
        return
    files = {block.about: block.text for block in blocks_of(PAGES["CONTRIBUTING.md"]) if block.mark == "add"}
    for path, text in files.items():
        place = tmp_path / Path(path).relative_to("src/tacit")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    import tacit.guarantees
    import tacit.methods.statistics
    import tacit.methods.tables
    import tacit.runs.tables.steps

    # First, since the page uses it, and it must keep the catalogue of the other pages.
    import tacit.testing

    monkeypatch.setattr(tacit.guarantees, "__path__", [*tacit.guarantees.__path__, str(tmp_path / "guarantees")])
    for folder in (tacit.methods.statistics, tacit.methods.tables):
        here = tmp_path / "methods" / folder.__name__.rpartition(".")[2]
        monkeypatch.setattr(folder, "__path__", [str(here), *folder.__path__])
    steps = tacit.runs.tables.steps
    monkeypatch.setattr(steps, "__path__", [*steps.__path__, str(tmp_path / "runs" / "tables" / "steps")])
    beside = {"tacit.methods": (catalogue.Folder(tmp_path / "methods", "tacit.methods"),)}
    monkeypatch.setattr(catalogue, "installed_folders", lambda group: beside.get(group, ()))
    before = set(sys.modules)
    yield
    for added in set(sys.modules) - before:
        if getattr(sys.modules[added], "__file__", None) and str(tmp_path) in str(sys.modules[added].__file__):
            del sys.modules[added]


@pytest.fixture
def installed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For the page on packages, the package that it follows on the search path."""
    if request.node.callspec.params["name"] != "docs/how-to/bring-your-own-kind.md":
        yield
        return
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(ROOT / "tests" / "plugin" / "ballots"))
    yield
    for added in set(sys.modules) - before:
        if added.partition(".")[0] == "tacit_ballots":
            del sys.modules[added]


EXCERPTS = [block for page in PAGES.values() for block in blocks_of(page) if block.mark == "excerpt"]


@pytest.mark.parametrize("block", EXCERPTS, ids=lambda block: f"{block.page}:{block.line}")
def test_excerpts_stand_in_their_files(block: Block) -> None:
    """At the margin, or as far in as a method of a class; empty lines aside."""
    text = _full(ROOT.joinpath(block.about).read_text(encoding="utf-8"))
    assert any(_full(indent(block.text, inside)) in text for inside in ("", "    "))


def _full(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines() if line.strip())


def test_what_is_not_run_says_why() -> None:
    silent = [
        block for page in PAGES.values() for block in blocks_of(page) if block.mark == "not run" and not block.about
    ]
    assert not silent


def test_blocks_name_their_language() -> None:
    assert not [
        f"{block.page}:{block.line}" for page in PAGES.values() for block in blocks_of(page) if not block.language
    ]


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    page = PAGES[name]
    for target in links_of(page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{name}: {target}"
        assert there.is_relative_to(ROOT), f"{name}: {target}"
        if anchor:
            assert anchor in anchors_of(there.read_text(encoding="utf-8")), f"{name}: {target}"


@pytest.mark.parametrize("name", PAGES)
def test_images_come_from_here(name: str) -> None:
    text = PAGES[name].read_text(encoding="utf-8")
    shown = re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", text) + re.findall(r'<img[^>]*src="([^"]+)"', text)
    for image in shown:
        words, target = image if isinstance(image, tuple) else ("img", image)
        assert words, f"{name}: {target} has no text for those who can't see it"
        assert not target.startswith(("http:", "https:", "//"))
        assert (PAGES[name].parent / target).stat().st_size < 250_000


@pytest.mark.parametrize("name", PAGES)
def test_no_page_names_a_place_on_somebodys_machine(name: str) -> None:
    assert not re.findall(
        r"(?:^|[\s`(\"'])/(?:home|work|tmp|opt|root|Users)\b", PAGES[name].read_text(encoding="utf-8")
    )


def test_the_index_lists_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    listed = {(index.parent / target).resolve() for target in links_of(index.read_text(encoding="utf-8"))}
    assert {page for page in (ROOT / "docs").rglob("*.md") if page != index} <= listed


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_reference_is_up_to_date(generator: ModuleType) -> None:
    stale = [path.name for path, text in generator.pages().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, f"run `python docs/generate.py`: {stale}"


def test_a_stale_page_is_noticed(generator: ModuleType) -> None:
    assert generator.renewed("<!-- generated: errors -->\nold\n<!-- end generated -->") != (
        "<!-- generated: errors -->\nold\n<!-- end generated -->"
    )


def reference(name: str) -> str:
    return (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    import click

    page = reference("command-line")
    section = page.partition(f"## tacit {name}\n")[2].partition("\n## ")[0]
    assert section
    command = tacit.get_command(click.Context(tacit), name)
    assert command is not None
    for parameter in command.params:
        for option in (
            parameter.opts if isinstance(parameter, click.Option) else [str(parameter.metavar or parameter.name)]
        ):
            assert option.lower() in section.lower(), option


@pytest.mark.parametrize(("page", "names"), [("methods", catalogue.methods()), ("metrics", catalogue.metrics())])
def test_every_card_is_documented(page: str, names: catalogue.Catalogue) -> None:
    text = reference(page)
    for name in names:
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        assert section, name
        for parameter in names[name].params.model_fields:
            assert f"| `{parameter}` |" in section, (name, parameter)


def test_every_guarantee_is_documented() -> None:
    text = reference("guarantees")
    for name, kind in guarantees().items():
        section = text.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        for parameter in kind.model_fields:
            assert f"| `{parameter}` |" in section, (name, parameter)


def test_every_make_target_that_is_named_is_there() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {target for page in PAGES.values() for target in re.findall(r"`make ([a-z]+)`", page.read_text("utf-8"))}
    assert named <= targets


def test_output_that_is_not_printed_is_noticed() -> None:
    from tests.docs.blocks import require_shown

    block = Block("page", 1, "console", "")
    require_shown(block, ["a", "...", "c"], "a\nb\nc\n")
    require_shown(block, ["a long …", "..."], "a long line\nb\n")
    for shown in (["a", "c"], ["a", "b"], ["...", "d"], ["a", "...", "b", "d"]):
        with pytest.raises(AssertionError):
            require_shown(block, shown, "a\nb\nc\n")
