"""Masks that keep the format: every digit becomes a digit, every letter a letter of the same case, all else stays.

What it hides: which digit or letter stood in each masked place. What it tells: the length, where digits, capitals and
small letters stand, all punctuation, symbols and spaces, the characters that are kept at either end, and which rows
have equal values (equal values get equal masks; different ones may by chance get the same). Random characters are drawn
once for each distinct value; the style `class` writes 9, A and a instead, and merges values of one shape.

It is not encryption and can't be undone, by anybody; where the original must be found again, use the vault. Few masked
places protect nothing: 3 digits are guessed once in a thousand. Letters of all scripts become the letters a to z (a
letter without case, and a mark over a letter, a small one), all digits 0 to 9. Missing cells stay missing. A value no
longer than what is kept at both ends together is masked whole: else it would be published as it is.
"""

import unicodedata
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from tacit.arrays import BoolArray
from tacit.cards.columns import ColumnMethod
from tacit.data.columns import CodedCategories, Columns
from tacit.params import Params
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import uniform_integers

Points = NDArray[np.uint32]

_KINDS = (("0", "9", 10), ("A", "A", 26), ("a", "a", 26))
"""For digits, capitals and small letters: the first of the range, what stands for the class, how many there are."""


class Mask(Params):
    """What is kept, and what stands for the rest."""

    style: Annotated[
        Literal["random", "class"], Field(description="random characters, or 9 for digits, A and a for letters")
    ] = "random"
    keep_first: Annotated[
        int, Field(ge=0, le=100, description="how many characters at the beginning are published")
    ] = 0
    keep_last: Annotated[int, Field(ge=0, le=100, description="how many characters at the end are published")] = 0


def mask_columns(columns: Columns, params: Mask, bits: RandomBits) -> Columns:
    """Every column with masks in place of its values."""
    found = columns.categories("a mask")
    return Columns({name: _masked(column, params, bits) for name, column in found.items()})


def _masked(column: CodedCategories, params: Mask, bits: RandomBits) -> CodedCategories:
    shown = masks(column.values, params, bits)
    values = tuple(sorted(set(shown)))
    position = {value: code for code, value in enumerate(values)}
    code = np.array([position[value] for value in shown], dtype=np.int32)
    return CodedCategories(code[column.codes] if column.values else column.codes, values)


def masks(values: Sequence[str], params: Mask, bits: RandomBits) -> tuple[str, ...]:
    """The mask of each value."""
    points = np.frombuffer("".join(values).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint32)
    lengths = np.array([len(value) for value in values], dtype=np.int64)
    open_ = _inside(lengths, params)
    kinds = _kinds(points)
    masked = points.copy()
    for kind, (first, standing, number) in enumerate(_KINDS):
        places = np.flatnonzero(open_ & (kinds == kind))
        drawn = uniform_integers(number, places.size, bits) + ord(first) if params.style == "random" else ord(standing)
        masked[places] = drawn
    text = masked.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    ends = np.cumsum(lengths)
    return tuple(text[end - length : end] for end, length in zip(ends.tolist(), lengths.tolist(), strict=True))


def _inside(lengths: NDArray[np.int64], params: Mask) -> BoolArray:
    """Which characters of all values are masked: those not kept at an end, all where nothing else would be."""
    whole = np.repeat(lengths, lengths)
    place = np.arange(whole.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    inside = (place >= params.keep_first) & (place < whole - params.keep_last)
    return np.asarray(inside | (whole <= params.keep_first + params.keep_last))


def _kinds(points: Points) -> NDArray[np.int8]:
    """0 for digits, 1 for capitals, 2 for other letters and marks, 3 for all that stays."""
    distinct, inverse = np.unique(points, return_inverse=True)
    return np.array([_kind(chr(point)) for point in distinct], dtype=np.int8)[inverse]


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if category[0] == "N":
        return 0
    if category in ("Lu", "Lt"):
        return 1
    return 2 if category[0] in "LM" else 3


METHOD = ColumnMethod(
    title="Format-preserving mask",
    params=Mask,
    run=mask_columns,
    needs="columns of texts such as codes, account numbers or telephone numbers",
    gives="texts of the same shape without their digits and letters",
    cells="texts",
    for_identifiers=True,
    keeps_people_apart=False,
    looks_alike=True,
    conceals=True,
    paper="https://doi.org/10.6028/NIST.SP.800-188",
    example=Mask(),
)
