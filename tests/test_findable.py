"""Where is it tested? A test file mirrors a module, or its docstring ends with what it covers; no module is left out.

`tests/a/b/test_c.py` mirrors `src/tacit/a/b/c.py`. Any other file ends its docstring with a sentence such as "Covers
methods/statistics/mean, noise/*.": ends of paths of modules, where * stands for any name of a file or folder. A name
without a star must be the end of one path only; `tacit/` in front makes it a whole path. A file about all of it covers
the whole package, which counts for no module. A private module with functions of its own is found too if a test imports
from it.

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


def is_private(path: str) -> bool:
    """Whether the module, or a folder above it, has a name that begins with an underscore."""
    return any(part.startswith("_") for part in path.split("/"))


def has_functions(module: Path) -> bool:
    """Whether the module has logic of its own, and does not only declare names and types."""
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))))


MODULES = {path_of(path) for path in PACKAGE.rglob("*.py")}
LEAVES = {path_of(path): path for path in PACKAGE.rglob("*.py") if path.stem != "__init__"}
PUBLIC = {name for name in LEAVES if not is_private(name)}
PRIVATE = {
    name for name, path in LEAVES.items() if is_private(name) and path.stem != "__main__" and has_functions(path)
}
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
    for name, modules in covered.items():
        if len(modules) > 1 and "*" not in name:
            found.append(
                f"{name!r} is the end of several paths; name one of {sorted(f'tacit/{one}' for one in modules)}"
            )
    if not covered and not is_mirror:
        found.append("end its docstring with a sentence such as: Covers statistics/mean, noise/grid.")
    return found


@cache
def modules_at(name: str) -> set[str]:
    """The modules whose path ends so; of the whole package, none in particular."""
    length = name.count("/") + 1
    ends = {module: f"tacit/{module}".split("/")[-length:] for module in MODULES}
    wanted = name.split("/")
    return {module for module, end in ends.items() if len(end) == length and all(map(fnmatch, end, wanted))}


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted(FILES))
def test_it_mirrors_a_module_or_says_what_it_covers(file: str) -> None:
    assert faults(FILES[file].read_text(encoding="utf-8"), bool(mirrored(file))) == []


def imported(text: str) -> set[str]:
    """The modules of the package from which the text imports."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.removeprefix("tacit.").replace(".", "/") for name in found if name.startswith("tacit.")}


def mirrored_or_named() -> set[str]:
    """The modules that a test file mirrors, or says that it covers."""
    found = {module for file in FILES for module in mirrored(file)}
    return found.union(
        *(names for path in FILES.values() for names in named(path.read_text(encoding="utf-8")).values())
    )


@pytest.mark.slow
def test_every_public_module_is_mirrored_or_named() -> None:
    assert PUBLIC - mirrored_or_named() == set()


@pytest.mark.slow
def test_every_private_module_with_functions_is_imported_or_named() -> None:
    found = set().union(*(imported(path.read_text(encoding="utf-8")) for path in TESTS.rglob("*.py")))
    assert sorted(PRIVATE - found - mirrored_or_named()) == []


def test_names_are_ends_of_paths() -> None:
    """The twin that must fail: a name that is no module, a name that is the end of a word only."""
    assert modules_at("randomness/stream") == modules_at("stream") == {"randomness/stream"}
    assert modules_at("randomness/str*") == {"randomness/stream"}
    assert modules_at("tacit/catalogue") == {"catalogue"} < modules_at("catalogue")
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
    [
        *("Covers .", "Covers.", "Covers\n.", "Covers , stream.", "Covers stream,.", "Covers *.", "Covers nothing."),
        "Covers catalogue.",
    ],
)
def test_a_sentence_that_names_nothing_or_too_much_is_refused(covers: str, is_mirror: bool) -> None:
    assert faults(f'"""About it.\n\n{covers}\n"""', is_mirror)


@pytest.mark.parametrize("covers", ["Covers stream.", "Covers stream, noise/*.", f"Covers {ALL}."])
def test_a_sentence_that_names_modules_is_accepted(covers: str) -> None:
    """The twin of the test above."""
    assert faults(f'"""About it.\n\n{covers}\n"""', False) == []


def test_a_file_that_says_nothing_must_mirror_a_module() -> None:
    assert faults('"""About it."""', True) == []
    assert faults('"""About it."""', False)
