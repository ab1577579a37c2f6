"""Where is it tested? A test file mirrors a module, or its docstring ends with what it covers; no module is left out.

`tests/a/b/test_c.py` mirrors `src/tacit/a/b/c.py`. Any other file ends its docstring with a sentence such as "Covers
statistics/mean, noise/*.": ends of paths of modules, where * stands for any name of a file or folder. A file about all
of it covers the whole package, which counts for no module.

Covers the whole package.
"""

import ast
import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "tacit"
ALL = "the whole package"


def path_of(module: Path) -> str:
    """Its path below the package, that of the folder for a package."""
    found = module.relative_to(PACKAGE).with_suffix("")
    return (found.parent if found.name == "__init__" else found).as_posix()


MODULES = {path_of(path) for path in PACKAGE.rglob("*.py")}
PUBLIC = {path_of(path) for path in PACKAGE.rglob("*.py") if path.stem != "__init__"}
PUBLIC = {path for path in PUBLIC if not any(part.startswith("_") for part in path.split("/"))}
FILES = {path.relative_to(TESTS).with_suffix("").as_posix(): path for path in TESTS.rglob("test_*.py")}


def mirrored(file: str) -> set[str]:
    """The module whose path it has, if there is one."""
    folder, _, name = file.rpartition("test_")
    return {folder + name} & MODULES


@cache
def named(text: str) -> dict[str, set[str]]:
    """The modules that each name after "Covers" in the docstring stands for; an empty name stands for none."""
    last = re.search(r"\bCovers\b([^.]*)\.\s*$", ast.get_docstring(ast.parse(text)) or "")
    return {name.strip(): modules_at(name.strip()) for name in last[1].split(",")} if last else {}


def faults(text: str, is_mirror: bool) -> list[str]:
    """What is wrong with what a file says that it covers."""
    covered = named(text)
    found = [f"there is no module {name!r}" for name, modules in covered.items() if not modules and name != ALL]
    found += ["a star alone names everything" for name in covered if name.endswith("*") and "/" not in name]
    if not covered and not is_mirror:
        found.append("end its docstring with a sentence such as: Covers statistics/mean, noise/grid.")
    return found


@cache
def modules_at(name: str) -> set[str]:
    """The modules whose path ends so; of the whole package, none in particular."""
    length = name.count("/") + 1
    ends = {module: module.split("/")[-length:] for module in MODULES}
    wanted = name.split("/")
    return {module for module, end in ends.items() if len(end) == length and all(map(fnmatch, end, wanted))}


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(FILES))
def test_it_mirrors_a_module_or_says_what_it_covers(file: str) -> None:
    assert faults(FILES[file].read_text(encoding="utf-8"), bool(mirrored(file))) == []


@pytest.mark.slow
def test_every_public_module_is_mirrored_or_named() -> None:
    found = {module for file in FILES for module in mirrored(file)}
    for path in FILES.values():
        found.update(*named(path.read_text(encoding="utf-8")).values())
    assert found >= PUBLIC


def test_names_are_ends_of_paths() -> None:
    """The twin that must fail: a name that is no module, a name that is the end of a word only."""
    assert modules_at("randomness/stream") == modules_at("stream") == {"randomness/stream"}
    assert modules_at("randomness/str*") == {"randomness/stream"}
    assert not modules_at("tream")
    assert not modules_at("statistics/no_such_statistic")
    assert named('"""About nothing."""') == {}
    assert named('"""About it.\n\nCovers randomness/stream,\nnothing.\n"""') == {
        "randomness/stream": {"randomness/stream"},
        "nothing": set(),
    }


@pytest.mark.parametrize("is_mirror", [False, True])
@pytest.mark.parametrize(
    "covers",
    ["Covers .", "Covers.", "Covers\n.", "Covers , stream.", "Covers stream,.", "Covers *.", "Covers nothing."],
)
def test_a_sentence_that_names_nothing_is_refused(covers: str, is_mirror: bool) -> None:
    assert faults(f'"""About it.\n\n{covers}\n"""', is_mirror)


@pytest.mark.parametrize("covers", ["Covers stream.", "Covers stream, noise/*.", f"Covers {ALL}."])
def test_a_sentence_that_names_modules_is_accepted(covers: str) -> None:
    """The twin of the test above."""
    assert faults(f'"""About it.\n\n{covers}\n"""', False) == []


def test_a_file_that_says_nothing_must_mirror_a_module() -> None:
    assert faults('"""About it."""', True) == []
    assert faults('"""About it."""', False)
