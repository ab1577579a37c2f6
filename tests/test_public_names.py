"""The public names: the agreed list, each there, each explained.

Covers verbs.
"""

import inspect

import pytest

import tacit
from tacit.distribution import VERSION

AGREED = [
    "AlphaKAnonymity",
    "BadData",
    "BadParameter",
    "BetaLikeness",
    "BudgetExceeded",
    "CannotGuarantee",
    "Dataset",
    "DeltaDisclosure",
    "DeltaPresence",
    "DifferentialPrivacy",
    "Inspection",
    "KAnonymity",
    "KConcealment",
    "KMap",
    "LDiversity",
    "MInvariance",
    "PrivacyBudget",
    "ProtectedData",
    "Release",
    "TCloseness",
    "TacitError",
    "ask",
    "audit",
    "attack",
    "check",
    "compare",
    "inspect",
    "measure",
    "protect",
    "read",
    "statistics",
    "tabulate",
]


def test_the_names_are_those_that_were_agreed() -> None:
    assert sorted(tacit.__all__) == sorted(AGREED)
    assert set(dir(tacit)) >= set(AGREED)


@pytest.mark.parametrize("name", tacit.__all__)
def test_every_name_is_explained(name: str) -> None:
    thing = getattr(tacit, name)
    assert inspect.getdoc(thing), name
    assert getattr(thing, "__module__", thing.__name__).startswith("tacit.")


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'tacit' has no attribute 'protekt'; did you mean 'protect'"):
        _ = tacit.protekt  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"module 'tacit' has no attribute 'zzz'$"):
        _ = tacit.zzz  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("median", "; did you mean 'quantiles'?"), ("varianse", "; did you mean 'variance'?"), ("zzz", ""), ("_mean", "")],
)
def test_a_statistic_that_does_not_exist_is_told_what_it_is_called_here(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as error:
        getattr(tacit.statistics, name)
    assert str(error.value) == f"module 'tacit.statistics' has no attribute {name!r}{hint}"


def test_other_words_name_statistics_that_exist_and_none_by_its_own_name() -> None:
    words = tacit.statistics.OTHER_WORDS
    assert set(words.values()) <= set(dir(tacit.statistics))
    assert not set(words) & set(dir(tacit.statistics))


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("sampling", "sampling is called survey now; pass the same weight and household as `survey`"),
        ("survy", "`tacit.read` has no option 'survy'; did you mean 'survey'?"),
        ("zzz", "`tacit.read` has no option 'zzz'; the known ones are: columns, unit, decimal, delimiter, encoding"),
    ],
)
def test_an_option_that_data_does_not_have_is_told_what_it_is_called(option: str, says: str) -> None:
    import pandas as pd

    with pytest.raises(tacit.BadParameter) as error:
        tacit.read(pd.DataFrame({"w": [1]}), {"w": "insensitive"}, **{option: {"weight": "w"}})
    assert str(error.value).startswith(says)


def test_every_guarantee_has_a_public_name() -> None:
    from tacit.guarantees.catalogue import guarantees

    assert {kind.__name__ for kind in guarantees().values()} <= set(tacit.__all__)


def test_the_version_has_its_usual_name() -> None:
    assert tacit.__version__ == VERSION
