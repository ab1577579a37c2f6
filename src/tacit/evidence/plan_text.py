"""A plan as compact YAML: what is small on one line, a column on a line of its own."""

from collections.abc import Mapping
from typing import Any

import yaml
from pydantic_core import to_jsonable_python

WIDTH = 110


def plan_text(plan: Mapping[str, Any]) -> str:
    """The plan, as it could be written."""
    plain = to_jsonable_python(dict(plan), inf_nan_mode="strings", fallback=str)
    return "".join(_section(str(name), part) for name, part in plain.items())


def one_line(value: Any) -> str:
    """A value as YAML writes it on one line: `[month, year]`, `true`."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf"))
    return str(text).removesuffix("\n").removesuffix("\n...")


def _section(name: str, part: Any) -> str:
    whole = one_line({name: part})[1:-1]
    if len(whole) <= WIDTH or not part or not isinstance(part, Mapping | list):
        return f"{whole}\n"
    if isinstance(part, list):
        return f"{one_line(name)}:\n" + "".join(f"  - {one_line(entry)}\n" for entry in part)
    lines = [_section(str(key), value) for key, value in part.items()]
    return f"{one_line(name)}:\n" + "".join(f"  {line}\n" for one in lines for line in one.splitlines())
