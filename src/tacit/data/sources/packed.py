"""Files that are packed: gzip, Zstandard, or a zip archive with one file in it.

What is unpacked is bounded: a file of a few bytes can hold many gigabytes of zeros. Text about people shrinks to a
tenth or so, seldom to a fiftieth.
"""

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from tacit.data.sources.source import Source
from tacit.errors import BadData

ALWAYS_ALLOWED = 1 << 30
MOST_EXPANSION = 100
BLOCK_BYTES = 1 << 20
NOT_A_FILE = ("__MACOSX/", ".DS_Store")


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """The bytes of the file, unpacked; errors become BadData."""
    assert source.path is not None
    try:
        with _opened(source) as file:
            yield file if source.packing is None else _bounded(file, source)
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile) or error.strerror is None:
            raise _damaged(source) from None
        raise BadData(f"{source.name} can't be read: {error.strerror}") from None
    except (EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError):
        raise _damaged(source) from None


@contextmanager
def _opened(source: Source) -> Iterator[BinaryIO]:
    assert source.path is not None
    if source.packing == "gzip":
        with gzip.open(source.path, "rb") as file:
            yield cast(BinaryIO, file)
    elif source.packing == "zstd":
        import pyarrow as pa

        with pa.OSFile(str(source.path)) as packed, pa.CompressedInputStream(packed, "zstd") as stream:
            yield cast(BinaryIO, stream)
    elif source.packing == "zip":
        with zipfile.ZipFile(source.path) as archive, archive.open(_member(source, archive)) as member:
            yield cast(BinaryIO, member)
    else:
        with source.path.open("rb") as plain:
            yield plain


def _member(source: Source, archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one file of the archive."""
    inside = [one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith(NOT_A_FILE)]
    if len(inside) != 1:
        raise BadData(f"{source.name} holds {len(inside)} files; unpack it and name the file that you mean")
    if inside[0].flag_bits & 1:
        raise BadData(f"{source.name} is encrypted; unpack it first")
    return inside[0]


class _BoundedStream(io.RawIOBase):
    """A stream that ends with an error where it has unpacked more than is allowed."""

    def __init__(self, file: BinaryIO, source: Source) -> None:
        super().__init__()
        assert source.path is not None
        self._file, self._source, self._read = file, source, 0
        self._most = max(ALWAYS_ALLOWED, MOST_EXPANSION * source.path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        block = self._file.read(min(len(view), BLOCK_BYTES))
        self._read += len(block)
        if self._read > self._most:
            raise BadData(
                f"{self._source.name} unpacks to more than {self._most >> 30} GiB, over {MOST_EXPANSION} times its "
                "size; if it is what it should be, unpack it yourself"
            )
        view[: len(block)] = block
        return len(block)


def _bounded(file: BinaryIO, source: Source) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_BoundedStream(file, source), BLOCK_BYTES))


def _damaged(source: Source) -> BadData:
    what = {"gzip": "gzip", "zip": "zip", "zstd": "Zstandard"}[source.packing or "gzip"]
    return BadData(f"{source.name} is not a {what} file, or it is damaged")
