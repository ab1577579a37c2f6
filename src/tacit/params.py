"""Parameters: named, typed, bounded and described once; every face of a method is derived from them."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from tacit.errors import BadParameter


class Params(BaseModel):
    """Frozen values with bounds; an unknown name or a value out of range is refused with a reason."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @classmethod
    def parse(cls, where: str, values: Mapping[str, Any]) -> Self:
        """The parameters in `values`, or a BadParameter that names `where` and the field."""
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            raise BadParameter(explain(where, error)) from None


def explain(where: str, error: ValidationError) -> str:
    """One line for each complaint: place, what was found, what is allowed."""
    lines = []
    for item in error.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in item["loc"])
        whole = item["type"] == "missing" or isinstance(item["input"], dict | list)
        found = "" if whole else f" (found {item['input']!r})"
        lines.append(f"{where}{': ' + place if place else ''}: {item['msg'].removeprefix('Value error, ')}{found}")
    return "\n".join(lines)
