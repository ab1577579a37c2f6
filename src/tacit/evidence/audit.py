"""The report of an audit: what was claimed, what was tried, what was found, and what no audit can show."""

from dataclasses import dataclass

from markupsafe import Markup

from tacit.evidence import charts
from tacit.evidence.figures import datum
from tacit.evidence.numerals import against, chosen, count, many, measure, share
from tacit.evidence.page import BodyPage, PageWords, Section, fragment
from tacit.evidence.reading import Headline, KeyFigure
from tacit.release.audit import AuditedClaim, AuditFinding, AuditRelease, FailedRuns, Verdict

MOST_PAIRS = 40
WORDS = PageWords(
    report="Audit report",
    promised="Claimed and found",
    limits="What an audit can't show",
    about_limits="An audit can refute a claim. It can't prove one.",
    more_limits="",
    about_files=(
        "The code that was run, and what was asked of it, as they were at the time of the audit. All inputs were "
        "invented; nobody's data was read."
    ),
)
LIMITS = (
    "A claim that stands was not refuted by these runs on these neighbours. Other runs or neighbours might refute it.",
    "Failures that are too rare for this number of runs, such as a delta of one in a million, stay hidden. More runs "
    "bring the bound closer to the truth.",
    "Only the inputs in the list above were tried. A function was given rows of the declared domain only, so its "
    "behaviour on other rows was not tested.",
    "Time, memory, logs and the order of requests can reveal something about people too. The audit looks at outputs "
    "and errors only.",
    "The audit ran this code, on this machine, with the noise of this run's random source. It says nothing about what "
    "another program publishes under the same name.",
)
RELATIONS = {
    "add-remove": "one dataset has one person more",
    "replace": "one person is replaced by another",
    None: "inputs as far apart as the declared sensitivity allows",
}


@dataclass(frozen=True)
class FindingRow:
    """One finding as the page shows it."""

    finding: AuditFinding
    gauge: Markup
    proved: Markup


def audit_headline(verdict: Verdict) -> Headline:
    """Whether the claim stands."""
    shown = verdict.shown
    at = f" at delta {measure(shown.delta)}" if shown.delta else ""
    lost = against(shown.proved, shown.claimed)
    sure = f"This lower bound is wrong in at most one of {count(round(1 / (1 - verdict.confidence)))} audits"
    if verdict.refuted:
        reason = f"It claims epsilon {measure(shown.claimed)}{at}, and loses at least {lost}. {sure}."
        return Headline("fails", "The claim is refuted.", reason)
    reason = (
        f"It claims epsilon {measure(shown.claimed)}{at}, and at least {lost} was found to be lost. {sure}; not being "
        "refuted proves nothing."
    )
    return Headline("empty", "The claim stands: nothing against it was found.", reason)


def audit_page(release: AuditRelease) -> BodyPage:
    """What the report shows of an audit."""
    verdict = release.body
    return BodyPage(
        is_approved=False,
        about="Nobody's data was read: the method was run many times on invented inputs.",
        cards=tuple(_cards(verdict)),
        promised=fragment("audit/claim.html", verdict=verdict, shown=_shown(verdict), relation=relation(verdict.claim)),
        sections=tuple(_sections(verdict)),
        limits=LIMITS,
        words=WORDS,
    )


def relation(claim: AuditedClaim) -> str:
    """How two inputs differ that the claim is about."""
    return RELATIONS[claim.neighbours]


def _cards(verdict: Verdict) -> list[KeyFigure]:
    shown = verdict.shown
    at = f"at delta {measure(shown.delta)}" if shown.delta else "at delta 0"
    pairs = many(len(verdict.tried), "pair of neighbours", "pairs of neighbours")
    found = f"ε ≥ {against(shown.proved, shown.claimed)}"
    return [
        KeyFigure("Claimed", f"ε {measure(shown.claimed)}", at),
        KeyFigure("Found", found, f"with confidence {chosen(verdict.confidence)}"),
        KeyFigure("Runs", count(verdict.runs), f"on {pairs}"),
    ]


def _shown(verdict: Verdict) -> list[FindingRow]:
    return [
        FindingRow(
            one,
            charts.gauge(one.proved, one.claimed, None, at_least=False),
            datum(one.proved, against(one.proved, one.claimed)),
        )
        for one in verdict.findings
    ]


def _sections(verdict: Verdict) -> list[Section]:
    example = verdict.shown.example
    sections = [] if example is None else [_example(verdict)]
    listed = [(pair.first, pair.second) for pair in verdict.tried[:MOST_PAIRS]]
    tried = fragment("audit/tried.html", verdict=verdict, pairs=listed, more=len(verdict.tried) - len(listed))
    sections.append(Section("tried", "What was tried", tried))
    failures = fragment("audit/failures.html", rows=[_failed(one) for one in verdict.failures])
    return [*sections, Section("failures", "Runs that failed", failures)]


def _example(verdict: Verdict) -> Section:
    title = "The counterexample" if verdict.refuted else "The outputs that revealed most"
    return Section("outputs", title, fragment("audit/outputs.html", example=verdict.shown.example))


def _failed(failure: FailedRuns) -> tuple[str, str, str, str]:
    rate = share(failure.failed / max(failure.runs, 1))
    return failure.d, failure.error, f"{count(failure.failed)} of {count(failure.runs)}", rate
