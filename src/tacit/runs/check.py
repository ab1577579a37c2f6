"""What a check of a file found."""

from dataclasses import dataclass
from typing import Any

from tacit.promise import Measured
from tacit.spelling import many, noun, singular
from tacit.visible import visible


@dataclass(frozen=True)
class Remark:
    """What was noticed, in words, and whether the file fails for it."""

    says: str
    fails: bool = False


@dataclass(frozen=True, eq=False)
class CheckResult:
    """What the guarantees measured on a file, and other remarks about it."""

    promises: tuple[Measured, ...]
    remarks: tuple[Remark, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every guarantee holds, and no remark fails the file."""
        return all(promise.holds for promise in self.promises) and not any(remark.fails for remark in self.remarks)

    def __repr__(self) -> str:
        """What holds and what fails, in lines."""
        return "\n".join(map(visible, self.lines("the data")))

    def _repr_html_(self) -> str:
        """The promises with what was measured, and the remarks."""
        from tacit.evidence.promises import name_of
        from tacit.hypertext import piece, table

        rows = [("holds" if one.holds else "FAILS", name_of(one), one.says) for one in self.promises]
        rows += [("FAILS" if one.fails else "note", "", one.says) for one in self.remarks]
        verdict = "Every promise holds" if self.holds else "Not every promise holds"
        return piece(verdict, table(("verdict", "guarantee", "found"), rows))

    def values(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "holds": self.holds,
            "guarantees": [promise.model_dump(mode="json") for promise in self.promises],
            "remarks": [{"says": remark.says, "fails": remark.fails} for remark in self.remarks],
        }

    def lines(self, name: str) -> list[str]:
        """The result for a terminal; `name` is that of the file."""
        return [f"{name}:", *self.lines_of_promises("people")]

    def lines_of_promises(self, whom: str) -> list[str]:
        """One line for each guarantee and remark, and one for whom it fails; `whom` says who is counted.

        A guarantee may fail without a failing class, for example one about several releases that this file is not
        among.
        """
        lines = []
        for promise in self.promises:
            lines.append(f"  {'holds' if promise.holds else 'FAILS'}  {promise.says}")
            if promise.failing and not promise.holds:
                classes = many(promise.failing, singular(promise.counted), promise.counted)
                people = many(promise.failing_people, singular(whom), whom)
                lines.append(f"         {classes} with {people} {noun(promise.failing, 'fails', 'fail')}")
        return [*lines, *(f"  {'FAILS' if one.fails else 'note '}  {one.says}" for one in self.remarks)]
