"""Ranked ballots and their file: one line for each voter, `voter: A > C > B`; a release has no voters, only `A > C`."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.errors import BadData

Ranking = tuple[str, ...]
"""The choices of a voter, the first choice in front."""


@dataclass(frozen=True)
class Ballots:
    """How many voters gave each ranking. Who they are is no part of it, so it can't be published by mistake."""

    counts: Counter[Ranking]

    @property
    def voters(self) -> int:
        """How many ballots there are."""
        return self.counts.total()

    @property
    def positions(self) -> int:
        """How many choices they name, all together."""
        return sum(len(ranking) * voters for ranking, voters in self.counts.items())

    def lengths(self, longest: int) -> tuple[int, ...]:
        """How many ballots name one choice, two choices, and so on up to `longest`."""
        found: Counter[int] = Counter()
        for ranking, voters in self.counts.items():
            found[len(ranking)] += voters
        return tuple(found[length] for length in range(1, longest + 1))

    @property
    def longest(self) -> int:
        """The number of choices on the longest ballot."""
        return max(map(len, self.counts), default=0)


def read_ballots(path: Path) -> Ballots:
    """The ballots of a file, raw or released. An error names the line and never what stands in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadData(f"{path} can't be read as a text file in UTF-8") from None
    seen: set[str] = set()
    return Ballots(Counter(_ranking(line, number, seen) for number, line in _lines(text)))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def _ranking(line: str, number: int, seen: set[str]) -> Ranking:
    """The ranking in a line; refused where a voter comes twice, or a choice is empty or named twice."""
    voter, named, rest = line.rpartition(":")
    ranking = tuple(choice.strip() for choice in rest.split(">"))
    if not all(ranking) or len(set(ranking)) < len(ranking):
        raise BadData(f"line {number} is no ballot; write `voter: A > C > B`, each choice once")
    if named and (voter.strip() in seen or not voter.strip()):
        raise BadData(f"line {number} names no voter, or one who voted before; each voter has one ballot")
    seen.add(voter.strip())
    return ranking


def write_ballots(ballots: Ballots, path: Path) -> None:
    """Afterwards the rankings stand at `path` without their voters, in an order that depends on nothing else."""
    lines = sorted(" > ".join(ranking) for ranking in ballots.counts.elements())
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")
