"""Candidates: the release sections that a comparison tries, from a plan's own and what may vary in it.

Every method is combined with every value of every setting that concerns it: a guarantee's parameter, the method's own,
the suppression limit, the objective. Mistakes (an unknown name, a value out of range) are refused here, before any
work; what is impossible on the data shows when the candidate is tried.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Annotated, Any

from pydantic import Field, field_validator

from tacit.cards.competition import TableCompetition
from tacit.cards.method import Method
from tacit.catalogue import find_method, methods
from tacit.errors import BadParameter
from tacit.guarantees.catalogue import given_by, guarantees, parse_guarantee, parse_guarantee_about
from tacit.measures import standard_metrics
from tacit.params import Params
from tacit.plan.schema import ReleaseSection
from tacit.spelling import did_you_mean

MOST_CANDIDATES = 500
OF_THE_RELEASE = ("suppression", "objective")
CandidateNames = tuple[str, ...]


def _standard() -> CandidateNames:
    return standard_metrics("comparison")


class ComparisonRequest(Params):
    """What a comparison tries and measures."""

    methods: Annotated[CandidateNames | None, Field(description="by default all that can give the guarantees")] = None
    settings: Annotated[
        dict[str, tuple[Any, ...]],
        Field(default_factory=dict, description="values to try, by name: `k-anonymity.k`, `suppression`, …"),
    ]
    vary: Annotated[bool, Field(description="try the first whole-number strength halved and doubled too")] = False
    metrics: Annotated[CandidateNames, Field(default_factory=_standard, description="the metrics that are measured")]
    risk: Annotated[CandidateNames, Field(min_length=1, description="risk figures or metrics; the first is drawn")] = (
        "average",
    )
    utility: Annotated[CandidateNames, Field(min_length=1, description="metrics of utility; the first is drawn")] = (
        "loss",
    )

    @field_validator("methods", "metrics", "risk", "utility", mode="before")
    @classmethod
    def _several(cls, value: Any) -> Any:
        """One name may stand without a list around it."""
        return (value,) if isinstance(value, str) else value

    @field_validator("settings", mode="before")
    @classmethod
    def _lists(cls, value: Any) -> Any:
        """One value may stand without a list around it."""
        if not isinstance(value, Mapping):
            return value
        return {key: tuple(one) if isinstance(one, list | tuple) else (one,) for key, one in value.items()}


@dataclass(frozen=True)
class Candidate:
    """A release section to try, its name, and what was set in it."""

    name: str
    section: ReleaseSection
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Setting:
    """Where a value is set: in a guarantee, a method or a metric (`owner`), or in the release section itself."""

    key: str
    owner: str
    parameter: str


@dataclass(frozen=True)
class SettingScope:
    """What settings may be about."""

    promised: CandidateNames
    methods: CandidateNames
    metrics: CandidateNames
    folder: str


@dataclass(frozen=True)
class Candidates:
    """What is tried, which methods are not and why, and what was set for metrics."""

    tried: tuple[Candidate, ...]
    skipped: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, Any]]


def candidates_of(section: ReleaseSection, wanted: ComparisonRequest, kind: str = "tables") -> Candidates:
    """All candidates of a kind: each method with each combination of values; mistakes are refused."""
    promised = tuple(parse_guarantee_about(entry, kind).name for entry in section.guarantees)
    skipped: dict[str, str] = {}
    names = _named(wanted.methods, kind) if wanted.methods is not None else tuple(_able(section, kind, skipped))
    scope = SettingScope(promised, names, (*wanted.metrics, *wanted.risk, *wanted.utility), f"{kind}/")
    values = {**(_strengths(section, wanted) if wanted.vary else {}), **wanted.settings}
    settings = {_setting(key, scope): _given(key, several) for key, several in values.items()}
    _require_once(list(settings))
    of_metrics: dict[str, dict[str, Any]] = {}
    for setting, several in settings.items():
        if setting.owner in scope.metrics:
            of_metrics.setdefault(setting.owner, {})[setting.parameter] = _only(setting.key, several)
    varied = {setting: several for setting, several in settings.items() if setting.owner not in of_metrics}
    every = (one for name in names for one in _combined(section, name, varied))
    tried = tuple(islice(every, MOST_CANDIDATES + 1))
    if len(tried) > MOST_CANDIDATES:
        raise BadParameter(f"these settings make more than {MOST_CANDIDATES} candidates, which is too many; set fewer")
    return Candidates(tried, skipped, of_metrics)


def _named(given: CandidateNames, kind: str) -> CandidateNames:
    """The methods that were asked for, each found and fit for the kind of data."""
    names = tuple(dict.fromkeys(name if "/" in name or name in methods() else f"{kind}/{name}" for name in given))
    if not names:
        raise BadParameter("no method is named; name some that `tacit methods` lists, or leave the list out to try all")
    for name in names:
        other = find_method(name).kind
        if is_competition(name):
            raise BadParameter(
                f"{name} tries several methods itself; name the methods to compare, or leave the list out"
            )
        if other != kind:
            raise BadParameter(
                f"the method {name} is of the kind {other!r}, not {kind!r}, so it can't be compared; "
                "`tacit methods` lists all"
            )
    return names


def _able(section: ReleaseSection, kind: str, skipped: dict[str, str]) -> Iterator[str]:
    """The plan's own method, if it names one, then all others that can give its guarantees and need no parameter."""
    shelf, promised = methods(), tuple(next(iter(entry)) for entry in section.guarantees)
    if not is_competition(section.method):
        yield from _named((section.method,), kind)
    for name in shelf:
        if name == section.method or not name.startswith(f"{kind}/") or shelf[name].kind != kind:
            continue
        lacking = _lacking(shelf[name], promised)
        if lacking:
            skipped[name] = f"it can't give {', '.join(dict.fromkeys(lacking))}"
        elif any(field.is_required() for field in shelf[name].params.model_fields.values()):
            skipped[name] = "it needs parameters; name it and set them to try it"
        else:
            yield name


def is_competition(name: str) -> bool:
    """Whether the method is a choice among others."""
    return isinstance(find_method(name), TableCompetition)


def _lacking(method: Method[Any], promised: CandidateNames) -> list[str]:
    able = given_by(method.guarantees)
    return [name for name in promised if name not in able]


def _strengths(section: ReleaseSection, wanted: ComparisonRequest) -> dict[str, tuple[Any, ...]]:
    """The first guarantee with one whole-number strength: its half, itself, its double."""
    for entry in section.guarantees:
        ((name, given),) = entry.items()
        whole = [field for field, info in guarantees()[name].model_fields.items() if info.annotation is int]
        if len(whole) != 1:
            continue
        (parameter,) = whole
        key, strength = f"{name}.{parameter}", int(given[parameter])
        if key in wanted.settings:
            raise BadParameter(f"{key} is set already; choose between its own values and its half and double")
        possible = ((strength + 1) // 2, strength, 2 * strength)
        return {key: tuple(one for one in possible if _fits({name: {**given, parameter: one}}))}
    raise BadParameter("no guarantee of the plan has one whole number as its strength; set the values to try yourself")


def _fits(entry: Mapping[str, Any]) -> bool:
    try:
        parse_guarantee(entry)
    except BadParameter:
        return False
    return True


def _given(key: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    if not values:
        raise BadParameter(f"no value is given for {key}; write {key}=VALUE,VALUE")
    return values


def _require_once(settings: Sequence[Setting]) -> None:
    """No parameter is set under two names."""
    seen: dict[tuple[str, str], str] = {}
    for setting in settings:
        other = seen.setdefault((setting.owner, setting.parameter), setting.key)
        if other != setting.key:
            raise BadParameter(f"{other} and {setting.key} are one setting; put all its values into one")


def _setting(key: str, scope: SettingScope) -> Setting:
    """Where a setting belongs; refused if nothing in the comparison has that name."""
    owner, _, parameter = key.rpartition(".")
    if not owner and key in OF_THE_RELEASE:
        return Setting(key, "", key)
    if owner in scope.promised or owner in scope.metrics:
        return Setting(key, owner, parameter)
    if owner in scope.methods or scope.folder + owner in scope.methods:
        return Setting(key, owner if owner in scope.methods else scope.folder + owner, parameter)
    known = [*OF_THE_RELEASE, *(f"{one}.{parameter}" for one in (*scope.promised, *scope.methods, *scope.metrics))]
    owners = ", ".join(dict.fromkeys((*scope.promised, *scope.methods, *scope.metrics)))
    settings = f"the settings are {', '.join(OF_THE_RELEASE)}, and the parameters of {owners}"
    raise BadParameter(f"nothing that is compared has the setting {key!r}; {did_you_mean(key, known, settings)}")


def _only(key: str, values: tuple[Any, ...]) -> Any:
    if len(values) != 1:
        raise BadParameter(f"{key} has {len(values)} values; a metric measures all candidates alike, so give it one")
    return values[0]


def _combined(section: ReleaseSection, method: str, varied: Mapping[Setting, tuple[Any, ...]]) -> Iterator[Candidate]:
    """The candidates of one method."""
    mine = {field: values for field, values in varied.items() if "/" not in field.owner}
    mine |= {field: values for field, values in varied.items() if field.owner == method}
    short = {field: field.parameter for field in mine}
    for field in mine:
        if list(short.values()).count(field.parameter) > 1:
            short[field] = field.key
    for values in product(*(dict.fromkeys(values) for values in mine.values())):
        chosen = dict(zip(mine, values, strict=True))
        name = " ".join([method, *(f"{short[field]}={value}" for field, value in chosen.items())])
        yield Candidate(name, _section(section, method, chosen), {field.key: one for field, one in chosen.items()})


def _section(section: ReleaseSection, method: str, chosen: Mapping[Setting, Any]) -> ReleaseSection:
    """The section with the chosen values, all of them within their bounds."""
    parameters = dict(section.parameters) if method == section.method else {}
    parameters |= {field.parameter: value for field, value in chosen.items() if field.owner == method}
    find_method(method).params.parse(method, parameters)
    promises = []
    for entry in section.guarantees:
        ((name, given),) = entry.items()
        own = {field.parameter: value for field, value in chosen.items() if field.owner == name}
        promises.append({name: {**given, **own}})
        parse_guarantee(promises[-1])
    plain = {field.key: value for field, value in chosen.items() if not field.owner}
    own = {"method": method, "parameters": parameters, "guarantees": promises}
    return ReleaseSection.parse("compare", {**section.model_dump(exclude_unset=True), **own, **plain})


def changes(section: ReleaseSection, candidate: Candidate) -> dict[str, Any]:
    """What must be written into the plan's release section to make the candidate."""
    was, now = (one.model_dump(mode="json") for one in (section, candidate.section))
    return {key: value for key, value in now.items() if value != was[key]}
