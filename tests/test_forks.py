"""Forks (forks): a copy of a process knows how often it was copied."""

import os

import pytest
from tests.ledger.test_memory import in_a_fork

from tacit.forks import forks


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system can't fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_every_fork_counts_and_the_parent_stays_as_it_was() -> None:
    before = forks()
    assert in_a_fork(lambda: str(forks())) == str(before + 1)
    assert in_a_fork(lambda: in_a_fork(lambda: str(forks()))) == str(before + 2)
    assert forks() == before
