"""Parameters: named, typed, bounded and described once; every face of a method is derived from them."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Self, get_args

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
            raise BadParameter(explain(where, error, cls)) from None


def explain(where: str, error: ValidationError, model: type[BaseModel] | None = None) -> str:
    """One line for each complaint: place, what was found, what is allowed; `model` is what the values were read as."""
    lines = []
    for item in error.errors(include_url=False, include_context=False):
        place = ".".join(str(part) for part in item["loc"])
        known = () if model is None else _fields(model, item["loc"][:-1])
        whole = item["type"] == "missing" or isinstance(item["input"], dict | list)
        found = "" if whole else f" (found {item['input']!r})"
        lines.append(f"{where}{': ' + place if place else ''}: {_sentence(item, known)}{found}")
    return "\n".join(lines)


def _sentence(item: Mapping[str, Any], known: Sequence[str]) -> str:
    """The complaint in words that say what to write."""
    if item["type"] == "extra_forbidden":
        close = get_close_matches(str(item["loc"][-1]), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else f"; known are: {', '.join(known)}" if known else ""
        return f"there is no such key{hint}"
    if item["type"] == "missing":
        return "it is missing; write it, since it has no default"
    return str(item["msg"]).removeprefix("Value error, ").replace("Input should be", "it must be")


def _fields(model: type[BaseModel], path: Sequence[int | str]) -> tuple[str, ...]:
    """The names of the fields that are known at this place of the model, as far as its types tell."""
    models = {model}
    for part in path:
        annotations = [one.model_fields[part].annotation for one in models if part in one.model_fields]
        models = {found for annotation in annotations for found in _models(annotation)} or models
    return tuple(sorted({name for one in models for name in one.model_fields}))


def _models(annotation: Any) -> set[type[BaseModel]]:
    """The models within a type, such as that of the values of a mapping."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {found for part in get_args(annotation) for found in _models(part)}
