"""What a command imports, and so how soon it starts; `python -m bench starts` and `ratio` measure the time.

Covers the whole package.
"""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "pydantic", "duckdb", "pyarrow", "scipy", "jinja2", "dp_accounting")


def imported(code: str) -> set[str]:
    """The packages and modules that are there after the code ran in a process of its own."""
    ending = "; import sys; print(*sys.modules, sep='\\n')"
    found = subprocess.run([sys.executable, "-c", code + ending], capture_output=True, text=True, check=True)
    return set(found.stdout.split())


@pytest.mark.parametrize("code", ["import tacit", "import tacit.cli"])
def test_help_needs_no_library_of_arrays_or_models(code: str) -> None:
    assert imported(code).isdisjoint(HEAVY)


@pytest.mark.slow
def test_accounting_does_without_the_models_of_evidence() -> None:
    assert "pydantic" not in imported("import tacit.accounting.account")
