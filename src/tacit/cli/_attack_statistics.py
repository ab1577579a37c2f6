"""Attacks on statistics at the terminal: an invented world, three ways of answering, how often the adversary is right.

A curve, where the attack has one, shows how it fares as the noise grows past the root of the number of people.
"""

from pathlib import Path
from typing import Any

import click

from tacit.cli.terminal import print_json, progress, setting

FAMILY = "statistics"
WIDE = 38
BAR = 40


def is_attack_on_statistics(target: Path) -> bool:
    """Whether this is `statistics` or `statistics/NAME`, and no file."""
    return target.parts[:1] == (FAMILY,) and not target.suffix and not target.is_file()


def attack_statistics(target: str, changes: tuple[str, ...], seed: int | None, as_json: bool) -> None:
    """Runs the attack of this name, or all of them, and prints how each fared."""
    from tacit.verbs.statistics_attacks import attack_statistics as run

    if changes and target == FAMILY:
        raise click.UsageError("--set is for one attack, such as statistics/averaging; name it")
    with progress() as tell:
        found = run(target, dict(setting(text) for text in changes), seed, tell)
    if as_json:
        print_json({"attacks": [one.values() for one in found]})
    else:
        click.echo("\n\n".join("\n".join(_lines(one)) for one in found))


def _lines(one: Any) -> list[str]:
    card, given, fared = one.card, one.params.model_dump(), one.fared
    ways = {
        "exact": "exact answers",
        "fixed": f"noise of a fixed size, {given['noise']:g}",
        "private": f"differential privacy, epsilon {given['epsilon']:g}",
    }
    lines = [f"{card.title} ({one.name})", f"  knows {card.knowledge}", f"  {card.story}", ""]
    lines.append(f"{'how often it is right against':<{WIDE}} {'rate':>8} {'95 % interval':>16} {'without':>9}")
    for way, found in fared.by_way.items():
        between = f"{_percent(found.low)}-{_percent(found.high)} %"
        lines.append(f"{ways[way]:<{WIDE}} {_percent(found.rate):>6} % {between:>16} {_percent(found.baseline):>7} %")
    return [*lines, *_curve(fared.curve)]


def _curve(points: Any) -> list[str]:
    if not points:
        return []
    lines = ["", f"{'noise of each answer, n people':<{WIDE}} {'rate':>8} {'95 % interval':>16} {'in theory':>9}"]
    for point in points:
        between = f"{_percent(point.low)}-{_percent(point.high)} %"
        noise = f"{point.noise:g} √n"
        theory = f"{_percent(point.expected)} %" if point.expected == point.expected else ""
        bar = "#" * round(BAR * max(2 * point.rate - 1, 0.0))
        lines.append(f"{noise:<{WIDE}} {_percent(point.rate):>6} % {between:>16} {theory:>9}  {bar}".rstrip())
    return [*lines, "a coin is right in 50 % and has no bar; the theory is that of least squares"]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")
