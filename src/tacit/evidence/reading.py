"""What the figures of a release say, in sentences: the verdict, the key figures, the lead of each section."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tacit.evidence.numerals import NARROW, chosen, count, listed, many, measure, share
from tacit.evidence.promises import name_of, names_of
from tacit.promise import Measured
from tacit.release.release import Release
from tacit.release.tables import DrawnRows, Risk, Search, TableRelease
from tacit.spelling import noun, singular

VerdictState = Literal["holds", "caution", "fails", "empty"]

SEEDED = "It was made from a seed, so it may not be published."
MOST_FAILING = 3
HARDLY = 10.0
"""Above this epsilon an even chance may become more than 99.99 in 100, so that a promise protects hardly anybody."""


@dataclass(frozen=True)
class Headline:
    """The answer at the top of the report."""

    state: VerdictState
    headline: str
    reason: str


@dataclass(frozen=True)
class KeyFigure:
    """One key figure; `before` is there where the figure is a change."""

    name: str
    value: str
    detail: str
    before: str | None = None


def verdict(release: Release[Any]) -> Headline:
    """Whether the release keeps its promises, and which it breaks."""
    if not release.promises:
        reason = "No guarantee was asked for, so there is none to rely on."
        return Headline("empty", "This release promises nothing.", reason)
    broken = [finding for finding in release.measured if not finding.holds]
    if not broken:
        return _of_kept(release, " ".join(_kept(release)))
    failing = listed([f"{name_of(one)} fails in {_failing(one)}" for one in broken[:MOST_FAILING]] + _more(broken))
    people = max(one.failing_people for one in broken)
    reason = f"{failing}; {many(people, 'person is', 'people are')} not protected as promised. Do not publish it."
    return Headline("fails", "This release does NOT keep its promises.", reason)


def _more(broken: Sequence[Measured]) -> list[str]:
    """The promises that are broken and not named."""
    left = len(broken) - MOST_FAILING
    return [f"{many(left, 'other promise fails', 'other promises fail')} too"] if left > 0 else []


def _of_kept(release: Release[Any], kept: str) -> Headline:
    """All promises are kept, which is good news only if the release may be published and they protect somebody."""
    if release.seeded:
        return Headline("caution", "Do not publish this release.", kept)
    largest = max((promise.epsilon for promise in release.proven), default=0.0)
    if largest <= HARDLY or release.measured:
        return Headline("holds", "This release keeps its promises.", kept)
    meaning = f"With epsilon {measure(largest)} an even guess about a person may become almost certain."
    return Headline("caution", "The promise is kept, but it protects hardly anybody.", f"{meaning} {kept}")


def _failing(finding: Measured) -> str:
    """How many parts of the data fail, whatever they are called."""
    return f"{count(finding.failing)} of {many(finding.parts, singular(finding.counted), finding.counted)}"


def _kept(release: Release[Any]) -> Iterator[str]:
    """One sentence for the promises that were measured, one for those that were proven."""
    if release.measured:
        names = listed(names_of(release.measured))
        verb = "was measured again in the written file and holds"
        if len(release.measured) > 1:
            verb = "were measured again in the written file and hold"
        yield f"{names} {verb}."
    for promise in release.proven:
        title = promise.title or promise.name.replace("-", " ")
        says = promise.says or f"epsilon {promise.epsilon:g}, delta {promise.delta:g}"
        yield f"{title[:1].upper()}{title[1:]} is proven: {says}."


def cards(release: TableRelease) -> tuple[KeyFigure, ...]:
    """The key figures."""
    before, after, gone = release.body.risk_before, release.body.risk_after, release.body.suppressed
    kept = sum(finding.holds for finding in release.promises)
    loss = release.body.metrics.get("loss")
    return (
        KeyFigure("Guarantees", f"{kept} of {len(release.promises)}", "hold in the written file"),
        KeyFigure(
            "Highest risk", share(after.prosecutor_highest), "of being recognised", share(before.prosecutor_highest)
        ),
        KeyFigure(
            "Unique people",
            count(after.unique),
            f"alone in their class: {share(before.unique_share)} → {share(after.unique_share)}",
            count(before.unique),
        ),
        KeyFigure("Loss", "not measured" if loss is None else share(loss), "of the detail in the quasi-identifiers"),
        KeyFigure(
            "Suppressed",
            share(gone.share),
            f"{many(gone.rows, 'row', 'rows')}{' of those drawn' if release.body.drawn else ''}; "
            f"at most {chosen(gone.limit)} allowed",
        ),
        KeyFigure("Classes", count(release.body.classes), "of people who look alike", count(before.classes)),
    )


def sample(drawn: DrawnRows) -> str:
    """How many were drawn, of how many."""
    if drawn.people is None or drawn.of_people is None:
        return f"{count(drawn.rows)} of {many(drawn.of_rows, 'row', 'rows')} drawn at random"
    return f"{count(drawn.people)} of {many(drawn.of_people, 'person', 'people')} drawn at random"


def sample_recipe(drawn: DrawnRows) -> str:
    """The draw in one sentence, with the weight that undoes it."""
    rows = "" if drawn.people is None else f", {count(drawn.rows)} of {many(drawn.of_rows, 'row', 'rows')}"
    return f"{sample(drawn)} ({share(drawn.share)}){rows}; each stands for {measure(drawn.weight)} of the file"


def counting(release: TableRelease) -> str:
    """What a person is in all figures."""
    if release.unit is None:
        return "Each row counts as one person, because the plan names no column that tells people apart."
    once = "Somebody with several rows counts once, with the highest of the risks of these rows."
    return f"People are counted, not rows: {release.unit} tells them apart. {once}"


def classes_lead(release: TableRelease) -> str:
    """What the class sizes say."""
    before, after = release.body.risk_before, release.body.risk_after
    was = f"{many(before.unique, 'person was', 'people were')} alone in a class ({share(before.unique_share)})"
    now = "Now nobody is" if after.unique == 0 else f"Now {many(after.unique, 'person is', 'people are')}"
    smallest = round(1 / after.prosecutor_highest) if after.prosecutor_highest > 0 else 0
    ends = f"; the smallest class has {many(smallest, 'person', 'people')}." if smallest > 1 else "."
    return f"Before, {was}. {now}{ends}"


def singling_lead(release: TableRelease) -> str:
    """Which columns single out most people."""
    most = max(release.body.risk_before.singling_out, key=lambda one: one.unique, default=None)
    if most is None:
        return ""
    after = next((one for one in release.body.risk_after.singling_out if one.columns == most.columns), None)
    left = "nobody is" if after is None or not after.unique else many(after.unique, "is", "are")
    now = "" if after is None else f"; in the release {left}"
    names = listed(list(most.columns))
    return f"Before, {many(most.unique, 'person was', 'people were')} alone with {names} ({share(most.share)}){now}."


def known_values_told(risk: Risk) -> str | None:
    """That published values identify people, be they exact or rounded; None where they find few."""
    most = risk.telling_values
    if most is None:
        return None
    people = f"{many(most.unique, 'person', 'people')} ({share(most.share)}) {noun(most.unique, 'is', 'are')} alone"
    if len(most.columns) == 1:
        knows = "as it is published: anyone who knows this value"
    else:
        knows = "as they are published: anyone who knows these two values"
    return (
        f"{people} with {listed(list(most.columns))} {knows} of a person finds the record, whatever was promised "
        "about quasi-identifiers."
    )


def risk_lead(release: TableRelease) -> str:
    """What the risk figures say."""
    before, after = release.body.risk_before, release.body.risk_after
    return (
        f"The share of people who could be recognised with a probability above {chosen(after.threshold)} went from "
        f"{share(before.above)} to {share(after.above)}; the expected share of correct matches, if everybody were "
        f"matched, from {share(before.marketer)} to {share(after.marketer)}."
    )


def optimality(release: TableRelease) -> str:
    """How good the recipe is among all that were possible."""
    recipe = release.body.search
    if recipe.optimal:
        return (
            "Proved best of its kind: no release of this method that keeps the promises scores better on the objective."
        )
    if recipe.optimal is None:
        return "This method makes no claim to be the best possible."
    if recipe.lower_bound is None:
        return "Not proved best: a better release of this method may exist."
    reached = release.body.metrics.get(recipe.objective)
    gap = "" if reached is None else f", and this release reached {measure(reached)}"
    return f"Not proved best: no release of this method can score below {measure(recipe.lower_bound)}{gap}."


BEYOND_READING = 10**12
"""Nobody reads the digits of a number so large, nor the share that some thousands are of it."""


def effort(recipe: Search) -> str:
    """How much of the search space was looked at."""
    if recipe.candidates is None:
        return ""
    if recipe.evaluated is None:
        return f"{many(recipe.candidates, 'candidate', 'candidates')}."
    if recipe.candidates >= BEYOND_READING:
        return f"{count(recipe.evaluated)} of some 10^{math.log10(recipe.candidates):.0f} candidates were evaluated."
    part = "" if not recipe.candidates else f" ({share(recipe.evaluated / recipe.candidates)})"
    return f"{count(recipe.evaluated)} of {many(recipe.candidates, 'candidate', 'candidates')} were evaluated{part}."


def plain(text: str) -> str:
    """The text for a terminal that may know no other signs than ASCII."""
    for sign, simple in ((NARROW, " "), ("→", "->"), ("−", "-"), ("∞", "infinite"), ("–", "-")):
        text = text.replace(sign, simple)
    return text
