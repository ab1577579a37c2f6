"""Everything that can go wrong, as one small tree.

TacitError
├── BadParameter      a value in a plan, option or call is out of range
├── BadData           a file, column or value is not what was declared
├── CannotGuarantee   no release within the given limits keeps the promise
├── BudgetExceeded    an answer would cost more privacy than is left
├── PolicyRefused     the action is possible but must not happen
├── MissingExtra      an optional package is not installed
├── BadPackage        an installed package that extends Tacit can't be used
└── EngineCannot      the engine at hand lacks an ability

A message says what is wrong, what was found and what to do. It may show parameters, column names and
values of a hierarchy, never a row of private data.
"""

from typing import ClassVar

from tacit import distribution


class TacitError(Exception):
    """Root of the tree; `exit_code` is what the command line ends with."""

    exit_code: ClassVar[int] = 70


class BadParameter(TacitError):
    """A value in a plan, option or call is out of range."""

    exit_code = 3


class BadData(TacitError):
    """A file, column or value is not what was declared."""

    exit_code = 3


class CannotGuarantee(TacitError):
    """No release within the given limits keeps the promise."""

    exit_code = 1


class BudgetExceeded(TacitError):
    """An answer would cost more privacy than is left."""

    exit_code = 4


class PolicyRefused(TacitError):
    """The action is possible but must not happen."""

    exit_code = 5


class MissingExtra(TacitError):
    """An optional package is not installed; the message prints the pip line."""

    exit_code = 3

    def __init__(self, package: str, extra: str, what: str) -> None:
        super().__init__(f"{what} needs the package {package}: pip install '{distribution.NAME}[{extra}]'")


class BadPackage(TacitError):
    """An installed package that extends Tacit can't be used, or clashes with another one."""

    exit_code = 3


class EngineCannot(TacitError):
    """The engine at hand lacks an ability."""

    exit_code = 3
