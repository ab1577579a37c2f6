"""`tacit attack statistics/NAME`: what a person sees of the attacks on statistics.

Covers cli/attack, cards/contest, evidence/contest, runs/statistics_attacks, verbs/statistics_attacks.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.plugin.brought import Shell, install

from tacit.attacks.statistics import reconstruction
from tacit.attacks.statistics._answers import WAYS
from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest, NoiseCurve, NoisePoint, WayOfAnswering
from tacit.catalogue import attacks
from tacit.cli.attack import attack
from tacit.errors import BadParameter
from tacit.evidence.contest import contest_lines
from tacit.params import Params
from tacit.release.attacks import Success
from tacit.verbs.statistics_attacks import attack_statistics

NAMES = [name for name in attacks() if name.startswith("statistics/")]


def run(*words: str) -> Result:
    return CliRunner().invoke(attack, [*words])


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_attack_runs_by_its_name_and_gives_rates_with_intervals(name: str) -> None:
    done = run(name, "--seed", "1", "--json")
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)["attacks"]
    assert found["name"] == name
    assert tuple(found["answers"]) == WAYS
    for answers in found["answers"].values():
        assert 0 <= answers["low"] <= answers["rate"] <= answers["high"] <= 1
    assert found["answers"]["exact"]["low"] > found["answers"]["private"]["high"]


@pytest.mark.slow
def test_the_table_shows_each_way_and_the_curve() -> None:
    done = run("statistics/reconstruction", "--seed", "1", "--set", "people=60", "--set", "noise=3")
    lines = done.output.splitlines()
    assert lines[0] == "Reconstruction (statistics/reconstruction)"
    for start in ("exact answers", "noise of a fixed size, 3", "differential privacy, epsilon 1"):
        assert sum(line.startswith(start) for line in lines) == 1
    assert [line.split()[0] for line in lines if " √n " in line] == [f"{noise:g}" for noise in reconstruction.NOISES]
    bars = [line.count("#") for line in lines if " √n " in line]
    assert bars[0] == 40
    assert bars[-1] < 15


@pytest.mark.slow
def test_a_curve_falls_from_blatant_failure_to_a_coin() -> None:
    found = json.loads(run("statistics/reconstruction", "--seed", "2", "--json").stdout)["attacks"][0]["curve"]
    assert found[0]["rate"] == 1
    assert found[-1]["low"] < found[-1]["expected"] < 0.6
    assert [point["expected"] for point in found] == sorted((point["expected"] for point in found), reverse=True)


def test_a_seed_repeats_the_attack() -> None:
    asked = ("statistics/poll", "--set", "trials=500", "--json")
    first, again, other = run(*asked, "--seed", "1"), run(*asked, "--seed", "1"), run(*asked, "--seed", "2")
    assert first.output == again.output != other.output


@pytest.mark.slow
def test_all_of_them_at_once() -> None:
    done = run("statistics", "--seed", "1", "--json")
    assert [found["name"] for found in json.loads(done.stdout)["attacks"]] == NAMES


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (("statistics/pol",), 1, "did you mean 'statistics/poll'?"),
        (("statistics/poll", "--set", "people"), 2, "NAME=VALUE"),
        (("statistics/poll", "--set", "people=1"), 1, "people"),
        (("statistics/poll", "--set", "towns=1"), 1, "towns"),
        (("statistics/poll", "--release", "a.csv"), 2, "--release is for plans"),
        (("statistics", "--set", "people=5"), 2, "--set is for one attack"),
        (("plan.yaml", "--seed", "1"), 2, "--set and --seed are for attacks on statistics"),
        (("plan.yaml", "--set", "k=1"), 2, "--set and --seed are for attacks on statistics"),
    ],
)
def test_wrong_usage_is_told(words: tuple[str, ...], code: int, text: str) -> None:
    done = run(*words)
    assert done.exit_code == code
    assert text in done.output + str(done.exception)


def test_a_plan_in_a_folder_of_that_name_is_a_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("statistics").mkdir()
    assert "statistics/plan.yaml" in str(run("statistics/plan.yaml").exception)
    Path("statistics/poll").write_text("version: 1\n")
    assert "poll" in str(run("statistics/poll").exception)


OUTSIDE = '''
"""Looks over a shoulder: neither noise nor epsilon have to do with it."""

from typing import Annotated

from pydantic import Field

from tacit.cards.attack import StatisticsAttack
from tacit.cards.contest import Contest, NoiseCurve, NoisePoint, WayOfAnswering
from tacit.params import Params
from tacit.release.attacks import Success


class Shoulders(Params):
    """How often the adversary looks."""

    looks: Annotated[int, Field(ge=1, description="how often the adversary looks")] = 8


def look(params, generator):
    seen = Success.counted(params.looks, 8, 0.25)
    aloud = WayOfAnswering(name="aloud", words="a number that is read out", success=seen)
    curtain = WayOfAnswering(name="curtain", words="a curtain", success=Success.counted(2, 8, 0.25))
    points = (NoisePoint(noise=3, rate=0.25, low=0.1, high=0.5),)
    curve = NoiseCurve(about="how loud it is outside", unit="trains", baseline=0.25, points=points)
    return Contest(against=(aloud, curtain), curve=curve)


ATTACK = StatisticsAttack(
    title="Over the shoulder",
    params=Shoulders,
    run=look,
    needs="a shoulder",
    gives="the number",
    paper="https://example.org/shoulder",
    example=Shoulders(),
    knowledge="where the counter is",
    story="The adversary stands behind.",
)
'''


@pytest.mark.slow
def test_an_attack_from_outside_is_told_in_its_own_words(tmp_path: Path) -> None:
    modules = {"tacit_shoulders/__init__.py": "", "tacit_shoulders/statistics/shoulder.py": OUTSIDE}
    points = "[tacit.attacks]\nshoulders = tacit_shoulders\n"
    shell = Shell(tmp_path, (install(tmp_path / "site", "tacit_shoulders", modules, points),))
    said = shell.run("attack", "statistics/shoulder", "--set", "looks=4").splitlines()
    assert said[:3] == [
        "Over the shoulder (statistics/shoulder)",
        "  knows where the counter is",
        "  The adversary stands behind.",
    ]
    assert said[5].split() == ["a", "number", "that", "is", "read", "out", "50", "%", "15.7-84.3", "%", "25", "%"]
    assert said[6].startswith("a curtain ")
    assert said[8].split()[:5] == ["how", "loud", "it", "is", "outside"]
    assert said[9].split() == ["3", "trains", "25", "%", "10-50", "%"]
    assert len(said) == 10
    (told,) = shell.json("attack", "statistics/shoulder")["attacks"]
    assert told["ways"] == {"aloud": "a number that is read out", "curtain": "a curtain"}
    assert (told["answers"]["aloud"]["rate"], told["parameters"]) == (1, {"looks": 8})
    assert [(point["noise"], point["expected"]) for point in told["curve"]] == [(3, None)]


def card() -> StatisticsAttack[Params]:
    return StatisticsAttack(
        title="T", params=Params, needs="n", gives="g", paper="https://", example=Params(), run=lambda *_: one_way()
    )


def one_way(curve: NoiseCurve | None = None) -> Contest:
    against = WayOfAnswering(name="exact", words="exact answers", success=Success.counted(3, 4, 0.5))
    return Contest(against=(against,), curve=curve)


def test_a_bar_is_what_was_learnt_beyond_guessing() -> None:
    rates = (0.1, 0.2, 0.6, 1.0)
    points = tuple(NoisePoint(noise=at, rate=rate, low=rate, high=rate) for at, rate in enumerate(rates))
    curve = NoiseCurve(about="noise", unit="people", baseline=0.2, points=points, remark="see there")
    lines = contest_lines("statistics/t", card(), one_way(curve))
    # Of what there is to learn above 20 %, 60 % is half.
    assert [line.count("#") for line in lines[-5:-1]] == [0, 0, 20, 40]
    assert lines[-1] == "see there"
    certain = NoiseCurve(about="noise", unit="people", baseline=1.0, points=points[:1])
    assert "#" not in "".join(contest_lines("statistics/t", card(), one_way(certain)))


def test_a_contest_without_a_curve_has_a_line_for_each_way() -> None:
    lines = contest_lines("statistics/t", card(), one_way())
    # Three of four: the interval of Clopper and Pearson runs from 19.4 to 99.4 %.
    assert lines[-1].split() == ["exact", "answers", "75", "%", "19.4-99.4", "%", "50", "%"]
    assert len(lines) == 6


def test_an_attack_on_something_else_is_refused() -> None:
    with pytest.raises(BadParameter, match="tables/linkage is not an attack on statistics but a TableAttack"):
        attack_statistics("tables/linkage")
    with pytest.raises(BadParameter, match="settings are for one attack"):
        attack_statistics("statistics", {"noise": 1})
