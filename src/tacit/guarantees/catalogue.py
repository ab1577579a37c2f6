"""The catalogue of guarantees: the files of this folder that define `GUARANTEE`, and plan entries made into them."""

import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, cast

from pydantic import ValidationError

import tacit.guarantees
from tacit.errors import BadParameter
from tacit.guarantees.bounds import REASON
from tacit.guarantees.guarantee import Guarantee
from tacit.params import Params, explain


def guarantees() -> dict[str, type[Params]]:
    """Every guarantee by name, in alphabetical order; the name is the file's with hyphens."""
    return _defining("GUARANTEE")


def proven() -> dict[str, type[Params]]:
    """Every promise that is kept by randomness and measured on no release, by name."""
    return _defining("PROVEN")


def _defining(constant: str) -> dict[str, type[Params]]:
    found: dict[str, type[Params]] = {}
    for file in pkgutil.iter_modules(tacit.guarantees.__path__):
        kind = getattr(import_module(f"{tacit.guarantees.__name__}.{file.name}"), constant, None)
        if kind is not None:
            found[file.name.replace("_", "-")] = kind
    return dict(sorted(found.items()))


def parse_guarantee(entry: Mapping[str, Any]) -> Guarantee:
    """The guarantee of a plan entry such as `{"k-anonymity": {"k": 5}}`; a BadParameter says what is wrong with it."""
    name, values = _split(entry)
    known = guarantees()
    if name in proven():
        raise BadParameter(
            f"{name} is kept by the randomness of a method and can't be checked on a release; "
            "leave it out here and choose a method that gives it"
        )
    if name not in known:
        close = get_close_matches(name.lower().replace("_", "-"), known, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise BadParameter(f"there is no guarantee {name!r}; {hint}known are: {', '.join(known)}")
    if not isinstance(values, Mapping):
        first = next(iter(known[name].model_fields))
        raise BadParameter(f"{name}: name its parameters, as in `{name}: {{{first}: …}}` (found {values!r})")
    try:
        return cast(Guarantee, known[name].model_validate(dict(values)))
    except ValidationError as error:
        raise BadParameter(_explain(name, error)) from None


def _split(entry: Mapping[str, Any]) -> tuple[str, Any]:
    """The name and the parameters of an entry, which has one of each."""
    shape = "write a guarantee as `name: {parameter: value}`, as in `k-anonymity: {k: 5}`"
    if not isinstance(entry, Mapping):
        raise BadParameter(f"{entry!r} is not a guarantee; {shape}")
    if len(entry) != 1:
        names = ", ".join(str(name) for name in entry) or "none"
        raise BadParameter(
            f"an entry names one guarantee, this one names {len(entry)} ({names}); {shape}, one an entry"
        )
    ((name, values),) = entry.items()
    return str(name), {} if values is None else values


def _explain(name: str, error: ValidationError) -> str:
    """One line for each complaint; one that is a sentence already stands as it is."""
    items = error.errors(include_url=False)
    lines = explain(name, error).split("\n")
    return "\n".join(
        f"{name}: {item['msg']}" if item["type"] == REASON else line for item, line in zip(items, lines, strict=True)
    )
