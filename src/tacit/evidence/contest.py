"""A contest for a terminal: how often the adversary was right against each way of answering, in the attack's own words.

Where the attack has a curve, each point has a bar. It is empty where the adversary does no better than without the
answers, and full where every guess is right.
"""

from typing import Any

from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest, NoiseCurve, NoisePoint

WIDE = 38
BAR = 40


def contest_lines(name: str, card: StatisticsAttack[Any], contest: Contest) -> list[str]:
    """Who the adversary is, a line for each way of answering, and the curve, if there is one."""
    lines = [f"{card.title} ({name})", f"  knows {card.knowledge}", f"  {card.story}", ""]
    lines.append(_line("how often it is right against", "rate", "95 % interval", "without"))
    for way in contest.against:
        found = way.success
        lines.append(_line(way.words, _share(found.rate), _between(found.low, found.high), _share(found.baseline)))
    return lines if contest.curve is None else [*lines, "", *_curve_lines(contest.curve)]


def _curve_lines(curve: NoiseCurve) -> list[str]:
    lines = [_line(curve.about, "rate", "95 % interval", "in theory")]
    for point in curve.points:
        theory = "" if point.expected is None else _share(point.expected)
        rate, between = _share(point.rate), _between(point.low, point.high)
        line = _line(f"{point.noise:g} {curve.unit}".rstrip(), rate, between, theory)
        lines.append(f"{line}  {_bar(point, curve.baseline)}".rstrip())
    return [*lines, curve.remark] if curve.remark else lines


def _bar(point: NoisePoint, baseline: float) -> str:
    """As long as the share of what there was to learn that was learnt."""
    learnt = (point.rate - baseline) / (1 - baseline) if baseline < 1 else 0.0
    return "#" * round(BAR * max(learnt, 0.0))


def _line(first: str, rate: str, between: str, last: str) -> str:
    return f"{first:<{WIDE}} {rate:>8} {between:>16} {last:>9}"


def _between(low: float, high: float) -> str:
    return f"{_percent(low)}-{_percent(high)} %"


def _share(share: float) -> str:
    return f"{_percent(share)} %"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")
