"""YAML, read strictly: plain values only, no key twice, and nothing that grows without bound when it is read.

A few lines of YAML can stand for more values than any memory holds (aliases of aliases), or nest deeper than a parser
can follow. So the text is first gone through event by event, which needs no memory, and refused if what it stands for
is too large or too deep; only then is it built.
"""

import re
from typing import Any

from tacit.errors import BadParameter

MOST_VALUES = 1_000_000
DEEPEST = 60
MOST_DIGITS = 30
PLAIN_WHOLE = re.compile(r"[-+]?(0|[1-9][0-9]*)")
"""What is a whole number; 007, 1_000, 0x1f and 12:30 are text, and so are yes and no: a category may be called so."""


def parse_yaml(text: str, where: str) -> Any:
    """The values in YAML text."""
    import yaml

    try:
        _require_bounded(text, where)
        return yaml.load(text, Loader=_strict_loader())
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "it can't be parsed"
        raise BadParameter(f"{where}{place}: not valid YAML: {problem}") from None
    except (ValueError, RecursionError) as error:
        raise BadParameter(f"{where}: not valid YAML: {type(error).__name__}") from None


def _require_bounded(text: str, where: str) -> None:
    """All values together, those that aliases repeat included, are few enough and nest little enough."""
    import yaml

    open_: list[tuple[str | None, int]] = []
    sizes: dict[str | None, int] = {}
    total = 0
    for event in yaml.parse(text, Loader=_safe_loader()):
        if isinstance(event, yaml.AliasEvent):
            # An alias of what is still open would be a value that contains itself.
            total += sizes.get(event.anchor, MOST_VALUES + 1 if event.anchor in dict(open_) else 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            total += 1
            open_.append((event.anchor, total))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_.pop()
            sizes |= {anchor: total - before + 1} if anchor else {}
        elif isinstance(event, yaml.ScalarEvent):
            total += 1
            sizes |= {event.anchor: 1} if event.anchor else {}
        if total > MOST_VALUES or len(open_) > DEEPEST:
            deep, large = f"it nests deeper than {DEEPEST} levels", f"it expands to more than {MOST_VALUES:,} values"
            line, reason = event.start_mark.line + 1, deep if len(open_) > DEEPEST else large
            raise BadParameter(
                f"{where}, line {line}: {reason}; a plan must be smaller, and no value may contain itself"
            )


def _safe_loader() -> Any:
    import yaml

    return yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader


def _strict_loader() -> Any:
    import yaml

    class StrictLoader(_safe_loader()):  # type: ignore[misc]
        """A safe loader that refuses a repeated key, of which YAML would silently keep the last."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            seen: set[str] = set()
            for key, _ in node.value:
                if isinstance(key.value, str) and key.tag != "tag:yaml.org,2002:merge":
                    if key.value in seen:
                        problem = f"{key.value[:60]!r} is written twice"
                        raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                    seen.add(key.value)
            return super().construct_mapping(node, deep)

        def construct_whole(self, node: Any) -> Any:
            if len(node.value) > MOST_DIGITS:
                raise yaml.constructor.ConstructorError(None, None, "a number is too long", node.start_mark)
            return self.construct_yaml_int(node) if PLAIN_WHOLE.fullmatch(node.value) else node.value

        def construct_truth(self, node: Any) -> Any:
            return self.construct_yaml_bool(node) if node.value.lower() in ("true", "false") else node.value

    StrictLoader.add_constructor("tag:yaml.org,2002:bool", StrictLoader.construct_truth)
    StrictLoader.add_constructor("tag:yaml.org,2002:int", StrictLoader.construct_whole)
    return StrictLoader
