"""Rows with the labels that were decided: written to a file, put into memory, or kept in a twin for a moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.data.dataset import Dataset
from tacit.data.sources.source import Source, file_source
from tacit.data.tables.published import PublishedTable
from tacit.engines.engine import Engine, Stars, Target
from tacit.scratch import scratch

if TYPE_CHECKING:
    import pyarrow as pa


def write_recoded(engine: Engine, source: Source, published: PublishedTable, target: Target) -> None:
    """Afterwards the release is in the target's file."""
    engine.write(recoded(engine, source, published, target.stars), target)


def recoded_frame(engine: Engine, source: Source, published: PublishedTable, target: Target) -> "pa.Table":
    """The release in memory."""
    return engine.frame(recoded(engine, source, published, target.stars), target)


def recoded(engine: Engine, source: Source, published: PublishedTable, stars: Stars) -> Source:
    """The rows with the labels that were decided, computed when they are read."""
    return engine.recoded(source, published.table.tally, published.recoding, stars)


@contextmanager
def twin(
    engine: Engine, dataset: Dataset, published: PublishedTable, target: Target, more: tuple[str, ...]
) -> Iterator[Source]:
    """The release with `more` columns, in a private file that is gone afterwards."""
    with scratch() as folder:
        columns = tuple(dict.fromkeys((*target.columns, *more)))
        like = replace(target, path=folder / "twin.parquet", format="parquet", columns=columns, shuffle_key=None)
        write_recoded(engine, dataset.source, published, like)
        yield written_source(like)


def written_source(target: Target) -> Source:
    """How to read what was written."""
    assert target.path is not None
    if target.format == "csv":
        return file_source(target.path, format="csv", delimiter=target.delimiter)
    return file_source(target.path, format=target.format)
