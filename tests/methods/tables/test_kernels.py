"""Only kernels call what has no door to Python: a call from there would end the process.

Covers methods/tables/_kernels.
"""

import ast
from pathlib import Path

import pytest

import tacit

FOLDER = Path(tacit.__file__).parent / "methods" / "tables"
MARKS = {"compiled", "inner", "inlined", "njit"}


def marks_of(function: ast.FunctionDef) -> set[str]:
    bare = (mark.func if isinstance(mark, ast.Call) else mark for mark in function.decorator_list)
    return {mark.id for mark in bare if isinstance(mark, ast.Name)} & MARKS


def functions(path: Path) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]


def module_of(path: Path) -> str:
    return ".".join(("tacit", "methods", "tables", *path.relative_to(FOLDER).with_suffix("").parts))


MODULES = sorted(FOLDER.rglob("*.py"))
DOORLESS = {
    (module_of(path), one.name) for path in MODULES for one in functions(path) if marks_of(one) & {"inner", "inlined"}
}


def known_in(path: Path) -> dict[str, tuple[str, str]]:
    """Every name of a function, with the module that it is from."""
    imported = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom))
    found = {alias.name: (node.module or "", alias.name) for node in imported for alias in node.names}
    return found | {one.name: (module_of(path), one.name) for one in functions(path)}


def called(function: ast.FunctionDef) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {name.id for name in calls if isinstance(name, ast.Name)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_plain_functions_call_no_kernel_without_a_door(path: Path) -> None:
    known = known_in(path)
    for function in functions(path):
        if not marks_of(function):
            assert not {known.get(name, ("", name)) for name in called(function)} & DOORLESS, function.name


def test_there_are_kernels_of_each_sort() -> None:
    names = {name for _, name in DOORLESS}
    assert {"count", "suffices", "set_column"} <= names
    assert not {"set_board", "freeze"} & names
