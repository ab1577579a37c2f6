"""`tacit attack statistics/NAME`: what a person sees of the attacks on statistics.

Covers cli/attack, verbs/statistics_attacks, cli/_attack_statistics.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tacit.attacks.statistics import reconstruction
from tacit.attacks.statistics._answers import WAYS
from tacit.catalogue import attacks
from tacit.cli.attack import attack

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
