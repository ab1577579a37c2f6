"""Attacks on statistics: run by name on invented people, and told for a terminal."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.request import Progress, be_silent

if TYPE_CHECKING:
    from tacit.runs.statistics_attacks import StatisticsAttackRun


def names_attacks_on_statistics(target: Path) -> bool:
    """Whether this is `statistics` or `statistics/NAME`, and no file."""
    from tacit.runs.statistics_attacks import FAMILY

    return target.parts[:1] == (FAMILY,) and not target.suffix and not target.is_file()


def attack_statistics(
    target: str, settings: Mapping[str, Any] | None = None, seed: int | None = None, progress: Progress = be_silent
) -> "tuple[StatisticsAttackRun, ...]":
    """The attack of this name, or all of them for `statistics`; `settings` are parameters of one attack."""
    from tacit.runs.statistics_attacks import attack_statistics

    return attack_statistics(target, settings, seed, progress)


def contest_lines(attacked: "StatisticsAttackRun") -> list[str]:
    """How the adversary fared against each way of answering, for a terminal."""
    from tacit.evidence.contest import contest_lines

    return contest_lines(attacked.name, attacked.card, attacked.contest)
