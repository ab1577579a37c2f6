"""Packed CSV files: read like those they hold, bounded, and refused with a reason.

Covers data/sources/packed.
"""

import gzip
import zipfile
from pathlib import Path

import pyarrow as pa
import pytest

from tacit.data.sources import packed
from tacit.data.sources.source import bare_name, file_source
from tacit.engines.duckdb import DuckDB
from tacit.errors import BadData

TEXT = "a;b\n1;ä\n2;ö\n2;ö\n"


def pack(folder: Path, name: str, text: str = TEXT) -> Path:
    path = folder / name
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif path.suffix == ".zst":
        path.write_bytes(pa.compress(text.encode(), codec="zstd", asbytes=True))
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("inside.csv", text)
            archive.writestr("__MACOSX/inside.csv", "x")
    return path


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zip", "t.zip", "t.tsv.gz", "t.csv.zst"])
def test_a_packed_file_is_read_like_what_it_holds(tmp_path: Path, name: str) -> None:
    with DuckDB() as engine:
        found = engine.tally(file_source(pack(tmp_path, name)), ["a", "b"]).to_pylist()
    assert sorted((row["a"], row["b"], row["rows"]) for row in found) == [("1", "ä", 1), ("2", "ö", 2)]
    assert bare_name(tmp_path / name) == "t"


@pytest.mark.parametrize("name", ["t.csv.gz", "t.zip"])
def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "ALWAYS_ALLOWED", 1 << 16)
    monkeypatch.setattr(packed, "MOST_EXPANSION", 2)
    path = pack(tmp_path, name, "a;b\n" + "0;0\n" * 100_000)
    with DuckDB() as engine, pytest.raises(BadData, match=r"unpacks to more than .* unpack it yourself"):
        engine.tally(file_source(path), ["a"])


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zip", "t.csv.zst"])
def test_what_is_damaged_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"a;b\n1;2\n")
    with DuckDB() as engine, pytest.raises(BadData, match=r"is not a (gzip|zip|Zstandard) file, or it is damaged"):
        engine.tally(file_source(path), ["a"])


def test_an_archive_with_two_files_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        archive.writestr("a.csv", TEXT)
        archive.writestr("b.csv", TEXT)
    with DuckDB() as engine, pytest.raises(BadData, match="holds 2 files; unpack it"):
        engine.columns(file_source(tmp_path / "t.zip"))
