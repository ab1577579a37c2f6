"""Parameters: named, typed, bounded and described once; every face of a method is derived from them."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from tacit.complaints import explain
from tacit.errors import BadParameter


class Params(BaseModel):
    """Frozen values with bounds; an unknown name or a value out of range is refused with a reason."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    @classmethod
    def parse(cls, where: str, values: Mapping[str, Any], known: Sequence[str] | None = None) -> Self:
        """The parameters in `values`, or a BadParameter that names `where` and the field.

        `known` are the names that may be written, where they are others than those of the fields.
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            raise BadParameter(explain(where, error, cls, known)) from None
