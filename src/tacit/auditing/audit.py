"""The audit: a search for two neighbours and a set of outputs that contradict the privacy claim of an output.

Two stages, each with runs of its own, so that choosing does not bias testing. All pairs of neighbours are compared on
a few runs, and on the most promising pair, with more runs, a set of outputs is chosen. On fresh runs, each on one of
the two by a fair coin, the outputs in it are counted, and `bounds` turns the counts into a lower bound of epsilon (the
plan of Ding and others 2018 and Bichsel and others 2021). Where the claim is a curve, such as that of Gaussian noise,
it is also tested at larger deltas, where it is easier to refute; the error rate is shared.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.accounting.events import to_json
from tacit.accounting.exact import whole
from tacit.arrays import FloatArray
from tacit.auditing.output_sets import OutputCounts, Rule, best_rule, tally
from tacit.auditing.outputs import alike
from tacit.auditing.subject import ERROR, Subject, briefly, refuse_failing, shown
from tacit.randomness.stream import RandomBits
from tacit.randomness.uniform import coins
from tacit.release.audit import AuditedClaim, AuditFinding, Counterexample, FailedRuns, TriedPair, Verdict
from tacit.sensitivity.pair import Pair

ALPHA = 1e-6
CURVE = (0.01, 0.1)
SEARCH_SHARE = 0.15
LEAST_SEARCH = 300
MOST_SHARE = 0.3
LEAST_GLANCE = 40
FINALISTS = 3
QUICK_DRAWS = 200_000
SLOW_DRAWS = 5_000


@dataclass(frozen=True)
class TestedRule:
    """A delta, what is claimed there, and the rule to test."""

    delta: float
    claimed: float
    rule: Rule | None

    @property
    def promise(self) -> float:
        """By how much the rule promises to pass the claim."""
        return (self.rule.promise if self.rule else -np.inf) - self.claimed


@dataclass(frozen=True, eq=False)
class SampledOutputs:
    """The outputs seen so far on each input."""

    subject: Subject
    bits: RandomBits
    rows: dict[str, FloatArray] = field(default_factory=dict)

    @property
    def runs(self) -> int:
        """How many there are."""
        return sum(map(len, self.rows.values()))

    def look(self, pairs: Iterable[Pair], size: int) -> None:
        """This number of further outputs on each input of these pairs."""
        for name, side in {shown(side): side for pair in pairs for side in (pair.first, pair.second)}.items():
            more = self.subject.draw(side, size, self.bits)
            self.rows[name] = np.vstack(alike(self.rows[name], more)) if name in self.rows else more

    def of(self, pair: Pair) -> tuple[FloatArray, FloatArray]:
        """The outputs on both sides of a pair."""
        return alike(self.rows[shown(pair.first)], self.rows[shown(pair.second)])


def audit(subject: Subject, draws: int | None, bits: RandomBits, alpha: float = ALPHA) -> Verdict:
    """The verdict from `draws` runs on each of two neighbours, wrong with probability at most alpha."""
    runs = whole("draws", _usual(subject) if draws is None else draws, least=100)
    claims = _claims(subject)
    search = max(int(runs * SEARCH_SHARE), min(LEAST_SEARCH, int(runs * MOST_SHARE)))
    looks = SampledOutputs(subject, bits.child("search"))
    pair = _promising(looks, search, claims)
    searched = looks.of(pair)
    refuse_failing(subject, np.vstack(searched))
    chosen = _choose(*searched, claims)
    heads = int(coins(2 * (runs - search), bits.child("coins")).sum())
    tested = _drawn(subject, pair, (heads, 2 * (runs - search) - heads), bits.child("test"))
    first, second = alike(*tested, searched[0].shape[1])
    each = alpha / (len(chosen) * subject.samples)
    findings = tuple(_finding(one, (first, second), each, (subject, pair)) for one in chosen)
    return Verdict(
        target=subject.name,
        claim=_told(subject),
        findings=findings,
        confidence=1 - alpha,
        tried=tuple(TriedPair(first=briefly(one.first), second=briefly(one.second)) for one in subject.pairs),
        draws=runs,
        runs=looks.runs + len(first) + len(second),
        failures=(*_failures(subject, pair.first, first), *_failures(subject, pair.second, second)),
    )


def _told(subject: Subject) -> AuditedClaim:
    claim = subject.claim
    event = json.loads(to_json(claim.event))
    epsilon = claim.epsilon(claim.delta)
    return AuditedClaim(epsilon=epsilon, delta=claim.delta, neighbours=subject.neighbours, event=event)


def _failures(subject: Subject, side: Any, rows: FloatArray) -> Iterator[FailedRuns]:
    """The runs on one side that ended with an error, by its type."""
    for text, code in subject.book.codes.items():
        failed = int(((rows[:, 0] == 1) & (rows[:, 1] == code)).sum()) if text.startswith(f"'{ERROR}") else 0
        if failed:
            yield FailedRuns(d=briefly(side), error=text[1:-1], failed=failed, runs=len(rows))


def _usual(subject: Subject) -> int:
    return QUICK_DRAWS if subject.quick else SLOW_DRAWS


def _claims(subject: Subject) -> dict[float, float]:
    """The deltas at which the claim is tested, that which was asked for first, each with its epsilon."""
    asked = subject.claim.delta
    more = [delta for delta in CURVE if delta > asked] if asked else []
    return {delta: subject.claim.epsilon(delta) for delta in [asked, *more]}


def _promising(looks: SampledOutputs, search: int, claims: Mapping[float, float]) -> Pair:
    """The pair whose outputs differ most: all pairs on a few runs, the best of them on more, the last one on all."""
    pairs = looks.subject.pairs
    if len(pairs) > 1:
        inputs = {shown(side) for pair in pairs for side in (pair.first, pair.second)}
        looks.look(pairs, max(LEAST_GLANCE, search // len(inputs)))
        pairs = tuple(sorted(pairs, key=lambda pair: -_promise(looks, pair, claims))[:FINALISTS])
    if len(pairs) > 1:
        looks.look(pairs, search // 2)
    pair = max(pairs, key=lambda pair: _promise(looks, pair, claims)) if len(pairs) > 1 else pairs[0]
    looks.look([pair], search - search // 2 if len(pairs) > 1 else search)
    return pair


def _promise(looks: SampledOutputs, pair: Pair, claims: Mapping[float, float]) -> float:
    return max(one.promise for one in _choose(*looks.of(pair), claims))


def _choose(first: FloatArray, second: FloatArray, claims: Mapping[float, float]) -> list[TestedRule]:
    """The rule at the delta that was asked for, and that at the larger delta which promises most."""
    found = [TestedRule(delta, claim, best_rule(first, second, delta)) for delta, claim in claims.items()]
    return found[:1] + sorted(found[1:], key=lambda one: -one.promise)[:1]


def _drawn(subject: Subject, pair: Pair, sizes: tuple[int, int], bits: RandomBits) -> tuple[FloatArray, FloatArray]:
    first, second = (
        subject.draw(side, size, bits) for side, size in zip((pair.first, pair.second), sizes, strict=True)
    )
    return alike(first, second)


def _finding(
    chosen: TestedRule, rows: tuple[FloatArray, FloatArray], alpha: float, about: tuple[Subject, Pair]
) -> AuditFinding:
    if chosen.rule is None:
        return AuditFinding(delta=chosen.delta, claimed=chosen.claimed, proved=0.0)
    counts = tally(chosen.rule, *rows)
    proved = max(counts.loss(chosen.delta, alpha), 0.0)
    example = _example(chosen.rule, counts, *about)
    return AuditFinding(delta=chosen.delta, claimed=chosen.claimed, proved=proved, example=example)


def _example(rule: Rule, counts: OutputCounts, subject: Subject, pair: Pair) -> Counterexample | None:
    """The more telling end of the rule, as D, D' and O."""
    ends = []
    if rule.to_first is not None:
        ends.append((rule.to_first, counts.first[0], counts.second[0], False))
    if rule.to_second is not None:
        ends.append((rule.to_second, counts.second[1], counts.first[1], True))
    cut, hits, others, turned = max(ends, key=lambda end: np.log((end[1] + 0.5) / (end[2] + 0.5)))
    runs, names = counts.runs, (briefly(pair.first), briefly(pair.second))
    if turned:
        runs, names = runs[::-1], names[::-1]
    return Counterexample(
        d=names[0],
        other=names[1],
        outputs=rule.feature.says(cut.side, cut.bound, subject.book),
        share=hits / max(runs[0], 1),
        other_share=others / max(runs[1], 1),
        runs=runs[0],
        other_runs=runs[1],
    )
