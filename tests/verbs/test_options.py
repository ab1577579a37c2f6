"""The typed options are those of the plan's sections, of comparisons and of the usual method for counts."""

import inspect
from typing import Any, get_args, is_typeddict

import pyarrow as pa
import pytest

import tacit
from tacit.catalogue import find_method
from tacit.data.dataset import SurveyColumns
from tacit.errors import BadParameter
from tacit.plan.schema import DataSection, PlanFile, ReleaseSection
from tacit.runs.candidates import ComparisonRequest
from tacit.usual import COUNTS
from tacit.verbs import options
from tacit.verbs.auditing import FunctionClaim
from tacit.verbs.options import is_plan, option_names

ELSEWHERE = {"kind", "path"}
"""What a call says by its first argument."""


def own(kind: type, *without: type) -> set[str]:
    """The options that a list adds to others."""
    return set(option_names(kind)) - {name for other in without for name in option_names(other)}


def test_reading_options_are_those_of_the_data_section() -> None:
    assert set(option_names(options.ReadingOptions)) == set(DataSection.model_fields) - ELSEWHERE


def test_options_about_data_are_those_of_a_plan_beside_columns_and_unit() -> None:
    beside = own(options.DatasetOptions, options.ReadingOptions)
    said_otherwise = {"version", "data", "about", "columns", "unit", "release", "privacy", "questions"}
    assert beside == set(PlanFile.model_fields) - said_otherwise
    assert set(SurveyColumns.model_fields) == {"weight", "household"}


def test_release_options_are_those_of_the_release_section() -> None:
    named = {"guarantees", "output"}
    assert own(options.ProtectOptions, options.DatasetOptions) - {"budget"} == set(ReleaseSection.model_fields) - named


def test_compare_options_are_those_of_a_comparison_and_of_a_release() -> None:
    compared = set(option_names(options.CompareOptions)) - set(option_names(options.ReleaseOptions))
    assert compared == set(ComparisonRequest.model_fields)


def test_tabulate_options_are_the_parameters_of_the_usual_method() -> None:
    assert own(options.TabulateOptions, options.DatasetOptions) == set(find_method(COUNTS).params.model_fields)


def test_claim_options_are_those_of_the_claim_of_a_function() -> None:
    assert option_names(options.ClaimOptions) == tuple(FunctionClaim.__dataclass_fields__)


@pytest.mark.parametrize("verb", ["read", "inspect", "measure", "check", "protect", "compare", "attack", "tabulate"])
def test_no_verb_takes_just_anything(verb: str) -> None:
    """Options are a list of types, so that a type checker sees a slip; and a slip at run time gets a suggestion."""
    called = getattr(tacit, verb)
    signature = inspect.signature(called)
    (kind,) = get_args(signature.parameters["options"].annotation)
    assert is_typeddict(kind)
    releases = ("x",) if verb in ("tabulate", "attack") else ()
    wrong: dict[str, Any] = {"mising": ["NA"]}
    with pytest.raises(BadParameter, match=rf"`tacit.{verb}` has no option 'mising'; did you mean 'missing'\?"):
        called("people.csv", *releases, **wrong)


@pytest.mark.parametrize("verb", ["read", "measure", "check", "protect", "compare", "attack", "tabulate"])
def test_who_says_roles_is_sent_to_columns(verb: str) -> None:
    wrong: dict[str, Any] = {"roles": {"age": "quasi-identifier"}}
    with pytest.raises(BadParameter, match=rf"`tacit.{verb}` has no option 'roles'; did you mean 'columns'\?"):
        getattr(tacit, verb)("people.csv", *(("x",) if verb in ("tabulate", "attack") else ()), **wrong)


@pytest.mark.parametrize(
    ("data", "plan"), [("a.yaml", True), ("a.YML", True), ("a.csv", False), ("a", False), (3, False)]
)
def test_a_plan_is_known_by_its_name(data: Any, plan: bool) -> None:
    assert is_plan(data) is plan


def test_what_is_misspelt_or_left_out_is_explained() -> None:
    people = tacit.read(pa.table({"sex": ["m", "f"] * 3}), {"sex": "quasi-identifier"})
    for call, says in (
        (lambda: tacit.PrivacyBudget(eps=1), "PrivacyBudget has no parameter 'eps'; "),  # type: ignore[call-arg]
        (lambda: tacit.PrivacyBudget(), r"needs an epsilon; write `tacit.PrivacyBudget\(epsilon=1\)`"),  # type: ignore[call-arg]
        (lambda: tacit.tabulate(people), "a table needs columns of the plan to count by, none is named"),
        (lambda: tacit.tabulate(people, by="sexx"), "found 'sexx'; it has 'sex'; did you mean 'sex'"),
        (lambda: tacit.compare(people, tacit.KAnonymity(2), risk="higest"), "did you mean 'highest'"),
        (lambda: tacit.compare(people, tacit.KAnonymity(2), method=["a"]), "name those to compare as `methods`"),  # type: ignore[arg-type]
    ):
        with pytest.raises(tacit.BadParameter, match=says):
            call()
