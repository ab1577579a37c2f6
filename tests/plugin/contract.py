"""The tests of the package: all that it brings keeps the contracts, and its example goes the whole way."""

from pathlib import Path

import pytest

from tacit.testing import InstalledPart, check, check_kind, installed


@pytest.mark.parametrize("entry", installed("tacit_ballots"), ids=str)
def test_all_that_the_package_brings(entry: InstalledPart) -> None:
    check(entry)


def test_the_kind() -> None:
    check_kind("ballots", Path(__file__).with_name("example.ballots"))
