"""The sections of a plan for everything that is differentially private: who is protected, and what may be spent."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from tacit.params import Params


def _no_truth(value: object) -> object:
    """The value, unless it is a truth value: `true` is no epsilon of 1."""
    if isinstance(value, bool):
        raise ValueError("it must be a number, not a truth value")
    return value


NotTruth = BeforeValidator(_no_truth)
"""Put beside a number's bounds: truth values are not taken for it."""


class BudgetSection(Params):
    """What all answers together may spend."""

    epsilon: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False, description="the privacy loss of all answers together"),
        NotTruth,
    ]
    delta: Annotated[
        float,
        Field(ge=0, lt=1, description="the probability with which the loss may exceed epsilon; 0 for never"),
        NotTruth,
    ] = 0.0


class ContributionsSection(Params):
    """How much of one unit counts; what is beyond that is left out before anything is added up."""

    rows: Annotated[int, Field(ge=1, description="the largest number of rows that count for one unit"), NotTruth] = 1
    groups: Annotated[
        int | None,
        Field(ge=1, description="the largest number of groups that a unit counts in; by default as many as the rows"),
        NotTruth,
    ] = None


class PrivacySection(Params):
    """Who is protected and at what price."""

    budget: Annotated[
        BudgetSection, Field(description="what all answers together may spend", examples=[{"epsilon": 1}])
    ]
    neighbours: Annotated[
        Literal["add-remove", "replace"],
        Field(description="whether neighbouring datasets differ by adding or removing a unit, or by replacing one"),
    ] = "add-remove"
    contributions: Annotated[
        ContributionsSection,
        Field(
            default_factory=ContributionsSection,
            description="how many rows and groups of one unit count",
            examples=[{"rows": 3}],
        ),
    ]
    ledger: Annotated[str | None, Field(description="the file that records what was spent, relative to the plan")] = (
        None
    )
    dataset: Annotated[
        str | None,
        Field(min_length=1, description="the name of the data in its ledger; by default the file name without suffix"),
    ] = None
    level: Annotated[float, Field(gt=0, lt=1, description="the confidence of the intervals"), NotTruth] = 0.95
    seed: Annotated[
        int | None, Field(description="makes the answers repeatable; such answers may not be published"), NotTruth
    ] = None
