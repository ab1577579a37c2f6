"""Short names for the statistics, on a data frame or a file: one question, charged to a budget, answered with noise.

    tacit.statistics.mean(frame, of="age", by="sex", bounds=(0, 120), categories=["f", "m"], epsilon=1, budget=budget)

Every card below `methods/statistics` is here under its name (`best_choice` is `statistics/best-choice`), those of
installed packages included. `bounds` and `categories` declare what a plan would; with several columns they are mappings
by column. Everything else is a parameter of the card.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Never

from tacit.errors import BadParameter
from tacit.visible import visible

if TYPE_CHECKING:
    from tacit.runs.answers.budget import PrivacyBudget
    from tacit.verbs.question import Answer

FOLDER = "statistics/"
OTHER_WORDS = {
    "median": "quantiles",
    "percentile": "quantiles",
    "percentiles": "quantiles",
    "average": "mean",
    "std": "variance",
    "stdev": "variance",
    "standard_deviation": "variance",
    "correlation": "covariance",
    "minimum": "extremes",
    "maximum": "extremes",
}
"""What others call a statistic, and what it is called here."""
NamedColumns = str | Sequence[str]


class ShortName:
    """A statistic that can be called; its card says what it takes and gives."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__name__ = name.removeprefix(FOLDER).replace("-", "_")
        self.__qualname__ = f"tacit.statistics.{self.__name__}"
        self.__module__ = __name__

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """What the card says."""
        from tacit.catalogue import find_method

        card = find_method(self.name)
        return f"{card.title}: {card.gives}. It needs {card.needs}."

    def __call__(
        self,
        data: Any,
        *unnamed: Never,
        budget: "PrivacyBudget | None" = None,
        of: NamedColumns = (),
        by: NamedColumns = (),
        **parameters: Any,
    ) -> "Answer":
        """The answer, charged to the budget before the data is asked.

        `data` is a data frame, a file or a dataset; `of` names the columns that the question is about, `by` those that
        group it. `level` is the confidence of intervals, and `bits` a source of randomness for tests.
        """
        from tacit.verbs.ask import required_budget
        from tacit.verbs.question import ask_question

        if unnamed:
            raise BadParameter(f"`{self.__qualname__}` takes everything but the data by name: {_named(unnamed)}")
        # Not by truth: a column in the place of its name has none, and is refused with a sentence below.
        given = {
            name: named for name, named in (("of", of), ("by", by)) if not isinstance(named, tuple | list) or named
        }
        return ask_question(data, self.name, {**given, **parameters}, required_budget(budget))

    def __repr__(self) -> str:
        """The name under which it is found."""
        return f"<statistic {self.name}>"


def _named(unnamed: tuple[object, ...]) -> str:
    """What was probably meant by arguments without names: the column, then what groups it."""
    texts = [one for one in unnamed if isinstance(one, str)]
    shown = [f"{name}={visible(text)!r}" for name, text in zip(("of", "by"), texts, strict=False)]
    return f"write `{', '.join(shown)}`" if shown else "write `of=` for the column, `by=` for groups"


def __getattr__(name: str) -> ShortName:
    """The statistic of this name."""
    from tacit.catalogue import methods
    from tacit.spelling import meant

    full = f"{FOLDER}{name.replace('_', '-')}"
    if name.startswith("_"):
        raise AttributeError(f"module 'tacit.statistics' has no attribute {name!r}")
    if full not in methods():
        hint = f"; did you mean {OTHER_WORDS[name]!r}?" if name in OTHER_WORDS else meant([name], __dir__())
        raise AttributeError(f"module 'tacit.statistics' has no attribute {name!r}{hint}")
    return ShortName(full)


def __dir__() -> list[str]:
    """The statistics that there are."""
    from tacit.catalogue import methods

    return [name.removeprefix(FOLDER).replace("-", "_") for name in methods() if name.startswith(FOLDER)]
