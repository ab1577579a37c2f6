"""What a run has done that remains if it is interrupted.

A charge is never refunded, and files that are in their places stay there. A user who ends a run, above all by an
interrupt, must be told so; the error that ends it carries the words as a note (PEP 678), which the command line shows.
Before a step that can't be undone the run notes that it may have happened, and afterwards that it has: an interrupt
comes at any moment, also between a commit and the return from it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Deeds:
    """What was charged and what was published so far, in words; empty if nothing was."""

    charge: str = ""
    publication: str = ""

    def begin_charge(self, cost: str, where: str) -> None:
        """The ledger is about to be charged."""
        self.charge = f"it was being charged {cost}: {where} shows whether that was completed"

    def end_charge(self, numbers: tuple[int, ...], cost: str, where: str) -> None:
        """The charges of these numbers are on disk."""
        many = len(numbers) > 1
        named = f"charges {numbers[0]} to {numbers[-1]}" if many else f"charge {numbers[0]}"
        self.charge = f"{named} ({cost}) {'stay' if many else 'stays'} spent: see {where}"

    def begin_publication(self, release: Path) -> None:
        """The files are about to take their places."""
        self.publication = f"{release} was being published: check whether it is there"

    def end_publication(self, release: Path) -> None:
        """The files are in their places."""
        self.publication = f"{release} is published"

    @property
    def words(self) -> str:
        """What remains, as half a sentence; empty if nothing was changed."""
        if not (self.charge or self.publication):
            return ""
        return ", and ".join(words for words in (self.publication or "nothing was published", self.charge) if words)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """An error that ends the block carries a note of what remains; nested blocks add only one note."""
        try:
            yield
        except BaseException as error:
            if self.words and self.words not in getattr(error, "__notes__", ()):
                error.add_note(self.words)
            raise
