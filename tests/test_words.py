"""One word, one meaning: a type of the shared layers has a name that nothing else in the package has.

An underscore in front makes a name private, not different: `_Outcome` beside `Outcome` is one word with two meanings.

And a word of the field says one thing in code and pages alike: *series* are time series, and a *sample* is a draw that
Tacit makes; what the data says of how it was drawn itself, by sampling weights and households, is a *survey*.

Covers the whole package.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tacit.data.dataset import Dataset
from tacit.plan.schema import PlanFile
from tacit.release.tables import Risk, SurveyRisk

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src" / "tacit"
WRITTEN = (".py", ".md", ".html", ".json", ".toml", ".yaml", ".css", ".js")

# The folders of cards. A name that two files in here share is allowed: each is read beside its own algorithm only.
CARDS = ("attacks", "methods", "metrics")

# The kinds of promises and of events, each read beside the noun that it describes: a proven promise, a repeated event.
DESCRIBED = {"Composed", "Concentrated", "Measured", "Proven", "Repeated", "Sampled", "Scoped"}
IRREGULAR = {"Chosen", "Drawn", "Found", "Given", "Grown", "Held", "Kept", "Known", "Learnt", "Made", "Proven", "Shown"}
IRREGULAR |= {"Sought", "Spent", "Told", "Written"}


def _places(root: Path) -> dict[str, list[str]]:
    """The files that define each class or other name of a type, by name without the underscore of a private one."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for name in (name for node in ast.parse(path.read_text()).body for name in _types(node)):
            places[name].append(path.relative_to(root).as_posix())
    return places


def _types(node: ast.stmt) -> list[str]:
    """The names of types that a statement defines; those of one letter stand for any type, and capitals for values."""
    names = [node.name] if isinstance(node, ast.ClassDef) else []
    if isinstance(node, ast.Assign):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        names = [node.target.id]
    bare = [name.lstrip("_") for name in names]
    return [name for name in bare if name[:1].isupper() and not name.isupper()]


def _clashes(root: Path) -> dict[str, list[str]]:
    """The names that have several definitions, at least one of them in a shared layer."""
    return {
        name: files
        for name, files in _places(root).items()
        if len(files) > 1 and any(file.split("/")[0] not in CARDS for file in files)
    }


@pytest.mark.slow
def test_no_class_of_a_shared_layer_shares_its_name() -> None:
    assert _clashes(SRC) == {}


@pytest.mark.slow
def test_types_are_nouns() -> None:
    """A type whose name is one participle leaves open what it is: `Published` what, `Drawn` what?"""
    assert {name for name in _places(SRC) if _is_participle(name)} == DESCRIBED


def _is_participle(name: str) -> bool:
    return name in IRREGULAR or re.fullmatch("[A-Z][a-z]*[a-df-z]ed", name) is not None


@pytest.mark.parametrize("name", ["Published", "Drawn", "Counted", "Held", "Spent", "Written", "Made", "Sought"])
def test_a_participle_is_found(name: str) -> None:
    assert _is_participle(name)


@pytest.mark.parametrize("name", ["PublishedTable", "Encoder", "Question", "World", "Limit", "Ledger"])
def test_a_noun_is_none(name: str) -> None:
    assert not _is_participle(name)


def test_a_clash_is_found(tmp_path: Path) -> None:
    for file, name in {
        "data/a.py": "Tally",
        "methods/b.py": "_Tally",
        "methods/c.py": "Cut",
        "metrics/d.py": "Cut",
    }.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(f"class {name}:\n    pass\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "e.py").write_text("_Cut = int\nT = TypeVar('T')\nMOST = 3\n")
    files = ["methods/c.py", "metrics/d.py", "runs/e.py"]
    assert _clashes(tmp_path) == {"Tally": ["data/a.py", "methods/b.py"], "Cut": files}


# What libraries of data frames call a column.
FOREIGN = re.compile(r"\b(nw|pa|pd|pl|pandas|polars)\.Series\b")


def _pages() -> Iterator[Path]:
    """Everything that is written here: the package, its tests, benchmarks and pages."""
    yield from (path for path in sorted(ROOT.iterdir()) if path.suffix in WRITTEN)
    for folder in ("src", "tests", "bench", "docs"):
        yield from (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in WRITTEN)


def _says_series(text: str) -> bool:
    """Whether a text says *series* and never that it means time series.

    A text about them may call them series for short. Anything else that comes one after the other has its own noun:
    releases, questions, the terms of a sum, the columns of a chart.
    """
    own = FOREIGN.sub("", text)
    return re.search("series", own, re.IGNORECASE) is not None and not re.search("time.?series", own, re.IGNORECASE)


@pytest.mark.slow
def test_series_are_time_series() -> None:
    pages = list(_pages())
    assert {"README.md", "charts.py", "test_words.py", "guarantees.md"} <= {path.name for path in pages}
    assert [str(path.relative_to(ROOT)) for path in pages if _says_series(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a series of releases", True),
        ("class SeriesGuarantee:", True),
        ("def check_series(releases): ...", True),
        ("Time series: a series has a value for each moment.", False),
        ("class TimeSeries:", False),
        ("pd.Series([1, 2])", False),
        ("several releases", False),
    ],
)
def test_another_series_is_found(text: str, wrong: bool) -> None:
    assert _says_series(text) is wrong


# The sections of the plan stand in one file, `survey` and `sample` of the release, and so do the options of the verbs.
BOTH = {"plan/schema.py", "verbs/options.py"}


def _given(tree: ast.AST) -> Iterator[str]:
    """The names that a file gives to classes, functions, arguments, fields and variables."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _takes_a_survey_for_a_sample(text: str) -> bool:
    """Whether a file gives names to surveys and to samples."""
    names = " ".join(_given(ast.parse(text))).lower()
    return "survey" in names and "sampl" in names


@pytest.mark.slow
def test_a_survey_is_no_sample() -> None:
    both = {
        path.relative_to(SRC).as_posix()
        for path in sorted(SRC.rglob("*.py"))
        if _takes_a_survey_for_a_sample(path.read_text(encoding="utf-8"))
    }
    assert both == BOTH
    fields = {*PlanFile.model_fields, *Risk.model_fields, *SurveyRisk.model_fields, *Dataset.__dataclass_fields__}
    assert "survey" in fields
    assert [name for name in sorted(fields) if "sampl" in name] == []


MISCALLED = re.compile(r"risk (as|of|in) a sample|\bas a sample:|`sampling\b|\bsampling[:=]", re.IGNORECASE)
TELLS_THE_PAST = {"CHANGELOG.md", "tests/test_words.py"}


@pytest.mark.slow
def test_pages_and_sentences_call_it_a_survey() -> None:
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in _pages()}
    assert [name for name, text in texts.items() if MISCALLED.search(text) and name not in TELLS_THE_PAST] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("class SurveyColumns: ...\nclass SampleRisk: ...", True),
        ("def survey_risk(sampling): ...", True),
        ("survey = 1\nsampled = survey", True),
        ("survey = plan.release.sample", False),
        ("class SampleSection:\n    share = 1", False),
    ],
)
def test_a_survey_that_is_called_a_sample_is_found(text: str, wrong: bool) -> None:
    assert _takes_a_survey_for_a_sample(text) is wrong
