"""The engine that all verbs work with, and the progress that tells of it; this is the one place where it is chosen."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tacit.engines.engine import Engine
from tacit.request import Progress, Stage, be_silent
from tacit.verbs.progress_line import is_watched, progress_line

QUIET_SECONDS = 2.0
"""A call in Python that takes longer tells how far it is, where somebody watches."""


@dataclass(frozen=True, eq=False)
class Work:
    """What a verb works with: an engine, and the progress to tell, which tells also how far a long query is."""

    engine: Engine
    progress: Progress


@contextmanager
def working(progress: Progress | None = None) -> Iterator[Work]:
    """An engine and a progress for the time of a block; without a progress of the caller's, one for whoever watches."""
    if progress is None:
        if not is_watched():
            progress = be_silent
        else:
            with progress_line(QUIET_SECONDS, rewritten=True) as line, working(line) as work:
                yield work
            return
    from tacit.engines.duckdb import DuckDB

    told = _WithQueries(progress)
    with DuckDB(watch=told.query) as database:
        yield Work(database, told.tell)


@contextmanager
def engine() -> Iterator[Engine]:
    """An engine for the time of a block, of which nothing is told."""
    with working(be_silent) as work:
        yield work.engine


class _WithQueries:
    """A progress that is told again, with the share of the query that runs, where a stage knows no share itself."""

    def __init__(self, progress: Progress) -> None:
        self.progress, self.words = progress, "reading the data"

    def tell(self, words: str) -> None:
        """The work is at these words."""
        self.words = words
        self.progress(words)

    def query(self, part: str, share: float) -> None:
        """So much of a part of the stage is done, for example of one query; no part: it has ended."""
        if not isinstance(self.words, Stage):
            self.progress(Stage(f"{self.words}, {part}", share) if part else self.words)
