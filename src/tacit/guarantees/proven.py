"""Promises that a method keeps by its randomness: proven beforehand, not measured on a release.

A guarantee about classes can be checked on a file. Differential privacy is a property of the way an answer was made:
no single answer shows whether it holds. So these promises have no measure. What a method gives is told by the privacy
events that it leaves and by accounting, and what it claims is challenged by the auditor. A file of this folder that
defines `PROVEN` has one; `GUARANTEE` is for those that are measured.
"""

from typing import Annotated, ClassVar, Protocol

from pydantic import Field

Loss = Annotated[float, Field(ge=0, description="the privacy loss: odds change by at most e to this power")]


class Proven(Protocol):
    """A promise with its parameters (a frozen `Params`), and what it says in words."""

    name: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]

    @property
    def promise(self) -> str:
        """What holds, in plain words, as a half-sentence."""
        ...
