"""Places in a type: the field that a path leads to, the names that may stand there, and how it is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, Tag
from pydantic.fields import FieldInfo


@dataclass(frozen=True)
class Notation:
    """Beside the type of a field: how it is written in a plan, where that is a sentence rather than a value."""

    text: str


@dataclass(frozen=True)
class FieldPlace:
    """The types that may stand at a place, and the last field on the way there; `path` leaves out what nobody wrote."""

    types: tuple[Any, ...]
    path: tuple[int | str, ...] = ()
    name: str = ""
    field: FieldInfo | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields that are known there."""
        fields = [_fields(model) for read_as in self.types for model in _models(read_as)]
        return tuple(dict.fromkeys(name for named in fields for name in named))

    @property
    def example(self) -> str:
        """How the field is written that the place belongs to: `budget: {epsilon: 1}`; empty where a word is enough."""
        if self.field is None:
            return ""
        stated = [mark.text for mark in self.field.metadata if isinstance(mark, Notation)]
        examples = stated or [in_line(example) for example in self.field.examples or ()]
        form = examples[0] if examples else _form(self.field.annotation)
        return f"{self.name}: {form}" if form else ""


def place_at(read_as: Any, path: Sequence[int | str]) -> FieldPlace:
    """The place that a path leads to from a type, as far as types tell."""
    place = FieldPlace((read_as,))
    for part in path:
        if any(_arms(kind, part) for kind in place.types):
            # The path names the member of a union that was chosen, which stands nowhere in what was written.
            place = replace(place, types=tuple(arm for kind in place.types for arm in _arms(kind, part)))
            continue
        below = [found for kind in place.types for found in _below(kind, part)]
        named = next(((name, field) for _, name, field in below if field is not None), (place.name, place.field))
        types = tuple(kind for kind, _, _ in below) or place.types
        place = FieldPlace(types, (*place.path, part), *named)
    return place


def sections_with(read_as: Any, name: str) -> tuple[str, ...]:
    """The fields of a type below which there is a field of this name; the empty text for its own top level."""
    top = FieldPlace((read_as,)).names
    below = (section for section in top if name in place_at(read_as, (section,)).names)
    return ("",) if name in top else tuple(below)


def in_line(value: Any) -> str:
    """A value as a plan has it in one line: `[m, f]`, `{epsilon: 1}`, `[k-anonymity: {k: 5}]`."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{name}: {in_line(part)}' for name, part in value.items())}}}"
    if isinstance(value, list | tuple):
        parts = [in_line(part) for part in value]
        return f"[{', '.join(part[1:-1] if _is_pair(one) else part for one, part in zip(value, parts, strict=True))}]"
    return str(value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) == 1


def _below(read_as: Any, part: int | str) -> Iterator[tuple[Any, str, FieldInfo | None]]:
    """The types one step further, each with the field that it is of, if the step is into a field."""
    origin, args = get_origin(read_as), get_args(read_as)
    if _is_model(read_as):
        name = str(part)
        if (field := _fields(read_as).get(name) or read_as.model_fields.get(name)) is not None:
            yield field.annotation, name, field
    elif origin is Annotated:
        yield from _below(args[0], part)
    elif origin in (Union, UnionType):
        for arm in args:
            yield from _below(arm, part)
    elif origin in (dict, Mapping):
        yield args[1], "", None
    elif args and isinstance(part, int):
        yield args[min(part, len(args) - 1) if args[-1] is not Ellipsis else 0], "", None


def _arms(read_as: Any, part: int | str) -> tuple[Any, ...]:
    """The members of a union whose tag is this, or whose field says it that tells them apart."""
    if get_origin(read_as) is Annotated:
        union, *marks = get_args(read_as)
        told_by = [mark.discriminator for mark in marks if isinstance(mark, FieldInfo) and mark.discriminator]
        said = (arm for arm in get_args(union) for field in told_by if arm.model_fields[field].default == part)
        return tuple(said) or _arms(union, part)
    if get_origin(read_as) not in (Union, UnionType):
        return ()
    arms = get_args(read_as)
    tagged = tuple(arm for arm in arms if any(_is_tag(mark, part) for mark in get_args(arm)[1:]))
    return tagged or tuple(found for arm in arms for found in _arms(arm, part))


def _is_tag(mark: Any, part: int | str) -> bool:
    return isinstance(mark, Tag) and mark.tag == part


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The fields by the names under which they are written."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _models(read_as: Any) -> Iterator[type[BaseModel]]:
    """The models that may stand where this type is asked for."""
    if _is_model(read_as):
        yield read_as
    elif get_origin(read_as) in (Annotated, Union, UnionType):
        for part in get_args(read_as):
            yield from _models(part)


def _form(read_as: Any) -> str:
    """What a list or a mapping of this type looks like; empty for other types."""
    origin, args = get_origin(read_as), get_args(read_as)
    if _is_model(read_as):
        fields = _fields(read_as)
        needed = [name for name, field in fields.items() if field.is_required()] or list(fields)[:1]
        return f"{{{', '.join(f'{name}: …' for name in needed)}}}"
    if origin in (dict, Mapping):
        return "{NAME: VALUE}"
    if origin in (tuple, list):
        return "[FIRST, SECOND]"
    if origin in (Annotated, Union, UnionType):
        return next((form for form in map(_form, args) if form), "")
    return ""


def _is_model(read_as: Any) -> bool:
    return isinstance(read_as, type) and issubclass(read_as, BaseModel)
