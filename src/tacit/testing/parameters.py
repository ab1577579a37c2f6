"""What all parameters must satisfy: they survive JSON, refuse unknown or out-of-range values, and are described."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from tacit.params import Params

UNKNOWN = "surely-unknown"


def check_parameters(where: str, kind: type[Params]) -> None:
    """An unknown parameter is refused, and so is a known one out of its range; every known one is described."""
    assert issubclass(kind, Params), f"{where}: {kind.__name__} must be a tacit.params.Params"
    assert _is_refused(kind, UNKNOWN, 1), f"{where}: an unknown parameter must be refused; do not change `extra`"
    for name, schema in kind.model_json_schema().get("properties", {}).items():
        described = any("description" in part for part in [schema, *schema.get("anyOf", [])])
        assert described, f"{where}: the parameter {name} has no description; give its Field one"
        for number in beyond(schema):
            refused = _is_refused(kind, name, number)
            assert refused, f"{where}: the parameter {name} must not accept {number:g}, but accepts it"


def _is_refused(kind: type[Params], name: str, value: object) -> bool:
    """Whether the parameters refuse this one, whatever else is missing."""
    try:
        kind.model_validate({name: value})
    except ValidationError as error:
        return any(item["loc"][:1] == (name,) for item in error.errors())
    return False


def beyond(schema: Mapping[str, Any]) -> Iterator[float]:
    """Numbers just out of the range that the schema of a parameter states, where it states one."""
    forms = [part for part in schema.get("anyOf", [schema]) if part.get("type") in ("integer", "number")]
    for loose, strict, way in (("minimum", "exclusiveMinimum", -1), ("maximum", "exclusiveMaximum", 1)):
        bounded = [part for part in forms if strict in part or loose in part]
        ends = [part[strict] if strict in part else _past(part[loose], way) for part in bounded]
        if ends and len(ends) == len(forms):
            yield min(ends) if way < 0 else max(ends)


def _past(end: float, way: int) -> float:
    """The next number that is certainly another one, also where numbers are large."""
    return end + way * max(1, abs(end))


def check_survives_json(where: str, params: Params) -> None:
    """The parameters are the same after a round trip through JSON."""
    back: Any = type(params).model_validate_json(params.model_dump_json())
    assert back == params, f"{where}: {params!r} is not the same after JSON"


def check_words(where: str, **words: str) -> None:
    """Each is a half-sentence: not empty, and without a full stop at its end."""
    for name, text in words.items():
        assert text, f"{where}: `{name}` is empty"
        assert text == text.strip().rstrip("."), (
            f"{where}: `{name}` must be a phrase, without a full stop or spaces around it"
        )
