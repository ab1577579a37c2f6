"""What all parameters keep: they survive JSON, refuse what they do not know, and are described."""

from typing import Any

from pydantic import ValidationError

from tacit.params import Params

UNKNOWN = "surely-unknown"


def check_parameters(where: str, kind: type[Params]) -> None:
    """An unknown parameter is refused, and every known one is described."""
    assert issubclass(kind, Params), f"{where}: {kind.__name__} must be a tacit.params.Params"
    try:
        kind.model_validate({UNKNOWN: 1})
    except ValidationError as error:
        refused = any(item["loc"] == (UNKNOWN,) for item in error.errors())
    else:
        refused = False
    assert refused, f"{where}: an unknown parameter must be refused; do not change `extra`"
    for name, schema in kind.model_json_schema().get("properties", {}).items():
        described = any("description" in part for part in [schema, *schema.get("anyOf", [])])
        assert described, f"{where}: the parameter {name} has no description; give its Field one"


def check_survives_json(where: str, params: Params) -> None:
    """The parameters are the same after a way through JSON."""
    back: Any = type(params).model_validate_json(params.model_dump_json())
    assert back == params, f"{where}: {params!r} is not the same after JSON"


def check_words(where: str, **words: str) -> None:
    """Each is a half-sentence: not empty, and without a full stop at its end."""
    for name, text in words.items():
        assert text, f"{where}: `{name}` is empty"
        assert text == text.strip().rstrip("."), f"{where}: `{name}` is a half-sentence; leave spaces and full stop out"
