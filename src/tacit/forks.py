"""Forks: how a process knows that it is a copy of another, with which it must share neither noise nor a budget.

A process number is used again after its process has ended, so it does not tell a copy from the original. The number of
forks between this process and the first one does: what was made before a fork remembers a smaller number.
"""

import os


class _ForkCount:
    """How many forks lie between this process and the first."""

    forks = 0


def _forked() -> None:
    _ForkCount.forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def forks() -> int:
    """How many forks lie between this process and the first."""
    return _ForkCount.forks
