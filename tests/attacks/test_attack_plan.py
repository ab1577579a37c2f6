"""`tacit attack`: the board on files, from the command line to the evidence and the report.

Covers cli/attack, runs/tables/attack/board, attack/inputs.
"""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.oracle.patients import RAW

import tacit
from tacit.cli.attack import attack
from tacit.cli.protect import protect
from tacit.errors import BadData, PolicyRefused
from tacit.runs.attack import AttackOutcome
from tacit.runs.tables.attack import board as tables_board
from tacit.verbs.plans import read_evidence

PLAN = """
version: 1
data: {path: patients.csv}
columns:
  name: {role: identifier}
  zip: {role: quasi-identifier, hierarchy: {mask: 5}}
  age: {role: quasi-identifier, hierarchy: {intervals: [10, 30]}}
  nationality: {role: quasi-identifier}
  disease: {role: sensitive}
release:
  guarantees: [k-anonymity: {k: 3}]
  method: tables/lattice
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """W4 with a name for everybody, and a plan."""
    lines = ["name,zip,age,nationality,disease"]
    lines += [
        f"person {i},{row['zip']},{row['age']},{row['nationality']},{row['disease']}" for i, row in enumerate(RAW)
    ]
    (tmp_path / "patients.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path


def run(folder: Path, *options: str) -> Result:
    return CliRunner().invoke(attack, [str(folder / "plan.yaml"), *options], catch_exceptions=True)


def released(folder: Path) -> Path:
    done = CliRunner().invoke(protect, [str(folder / "plan.yaml")], catch_exceptions=False)
    assert done.exit_code == 0
    return folder / "patients.release.csv"


def board(folder: Path, *options: str) -> dict[str, dict[str, object]]:
    done = run(folder, "--json", *options)
    assert done.exit_code == 0, done.output
    return {one["attack"]: one for one in json.loads(done.stdout)["attacks"]}


def test_without_a_release_it_says_how_to_make_one(folder: Path) -> None:
    done = run(folder)
    assert isinstance(done.exception, BadData)
    assert "make it with `tacit protect" in str(done.exception)


@pytest.mark.slow
def test_a_release_of_other_data_is_refused_and_its_evidence_stays(folder: Path) -> None:
    evidence, data = released(folder).with_suffix(".evidence.json"), folder / "patients.csv"
    before, rows = evidence.read_bytes(), data.read_bytes()
    data.write_bytes(rows + b"one more,13053,28,Russian,flu\n")
    done = run(folder)
    assert isinstance(done.exception, PolicyRefused)
    assert "Make the release again with `tacit protect`, or put the file back as it was" in str(done.exception)
    assert evidence.read_bytes() == before
    data.write_bytes(rows)
    assert "linkage" in board(folder)


@pytest.mark.slow
def test_a_release_of_other_data_is_refused_in_python_too(folder: Path) -> None:
    release, data = released(folder), folder / "patients.csv"
    data.write_bytes(data.read_bytes() + b"one more,13053,28,Russian,flu\n")
    roles = {"name": "identifier", "zip": "quasi-identifier", "age": "quasi-identifier"}
    dataset = tacit.read(data, {**roles, "nationality": "quasi-identifier", "disease": "sensitive"})
    with pytest.raises(PolicyRefused, match="was made of other data"):
        tacit.attack(dataset, release)


@pytest.mark.slow
def test_the_board_of_the_patients(folder: Path) -> None:
    released(folder)
    found = board(folder)
    link = found["linkage"]
    # Everybody has another name and other quasi-identifiers; the release keeps its bound.
    assert link["raw"]["rate"] == link["pseudonymised"]["rate"] == 1
    assert link["release"]["rate"] <= link["bound"] == pytest.approx(1 / 3)
    assert link["bound_from"] == "k-anonymity"
    assert link["release"]["baseline"] == pytest.approx(1 / 12)
    for name in ("homogeneity", "inference", "skewness", "background-knowledge"):
        assert found[name]["column"] == "disease"
        assert found[name]["raw"]["rate"] == 1
        assert found[name]["release"]["rate"] < 1
    assert "intersection" not in found
    assert "distance-linkage" not in found


@pytest.mark.slow
def test_the_evidence_and_the_report_tell_the_board(folder: Path) -> None:
    release = released(folder)
    before = read_evidence(release.with_suffix(".evidence.json"))
    assert before.body.attacks == ()
    found = board(folder)
    after = read_evidence(release.with_suffix(".evidence.json"))
    assert {one.attack for one in after.body.attacks} == set(found)
    assert after.attacked(()) == before
    report = release.with_suffix(".report.html").read_text()
    assert "What each adversary learns" in report
    assert all((one.means or one.story) in report.replace("&#39;", "'") for one in after.body.attacks)


@pytest.mark.slow
def test_attacking_again_replaces_the_board(folder: Path) -> None:
    evidence = released(folder).with_suffix(".evidence.json")
    board(folder)
    first = evidence.read_bytes()
    board(folder)
    assert evidence.read_bytes() == first


@pytest.mark.slow
def test_a_release_that_was_made_anew_meanwhile_keeps_its_own_evidence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = released(folder).with_suffix(".evidence.json")
    attack_tables = tables_board.attack_tables

    def slowly(*given: object) -> AttackOutcome:
        found = attack_tables(*given)
        (folder / "plan.yaml").write_text(PLAN.replace("k: 3", "k: 4"))
        released(folder)
        return found

    monkeypatch.setattr(tables_board, "attack_tables", slowly)
    done = run(folder)
    assert isinstance(done.exception, PolicyRefused)
    assert "was made anew while it was attacked" in str(done.exception)
    kept = read_evidence(evidence)
    assert kept.measured[0].bound == 4
    assert kept.body.attacks == ()
    assert not list(folder.glob(".*"))


@pytest.mark.slow
def test_evidence_of_another_file_is_left_alone(folder: Path) -> None:
    release = released(folder)
    evidence = release.with_suffix(".evidence.json").read_bytes()
    release.write_text(release.read_text() + release.read_text().splitlines()[-1] + "\n")
    done = run(folder)
    assert done.exit_code == 0
    first = next(line for line in done.stdout.splitlines() if line)
    assert first.startswith(f"{release.name} was changed since it was released")
    assert "The board was not saved" in done.output
    assert release.with_suffix(".evidence.json").read_bytes() == evidence


@pytest.mark.slow
def test_two_releases_are_held_together(folder: Path) -> None:
    release = released(folder)
    other = folder / "other.csv"
    # The second keeps zip codes and drops the rest, so that both together say more.
    lines = ["zip,age,nationality,disease", *(f"{row['zip']},*,*,{row['disease']}" for row in RAW)]
    other.write_text("\n".join(lines) + "\n")
    found = board(folder, "--release", str(release), "--release", str(other))
    both = found["intersection"]["release"]
    # Candidates by zip: 13053 Heart Flu Cancer, 13068 Heart Flu Cancer, 14853 Cancer Heart, 14850 Flu.
    assert both["details"]["releases"] == 2
    assert both["hits"] >= 2
    assert both["baseline"] >= 2 / 12


@pytest.mark.slow
def test_masked_numbers_are_attacked_row_by_row(folder: Path) -> None:
    masked = folder / "masked.csv"
    lines = ["zip,age,nationality,disease"]
    lines += [f"{row['zip']},{int(row['age']) + 0.25},{row['nationality']},{row['disease']}" for row in RAW]
    masked.write_text("\n".join(lines) + "\n")
    found = board(folder, "--release", str(masked))
    # A quarter of a year hides nobody: ages differ by at least one, and the nearest masked age is the own.
    assert found["distance-linkage"]["release"]["rate"] == 1
    assert found["interval-disclosure"]["release"]["targets"] == 12
    assert found["linkage"]["release"] is None
    assert found["linkage"]["raw"]["rate"] == 1
    skipped = json.loads(run(folder, "--json", "--release", str(masked)).stdout)["skipped"]
    assert "perturbed" in skipped["minimality (disease)"]


@pytest.mark.slow
def test_a_release_that_breaks_the_promise_has_no_bound(folder: Path) -> None:
    bare = folder / "bare.csv"
    lines = ["zip,age,nationality,disease"]
    lines += [",".join(row[c] for c in ("zip", "age", "nationality", "disease")) for row in RAW]
    bare.write_text("\n".join(lines) + "\n")
    found = board(folder, "--release", str(bare))["linkage"]
    assert found["release"]["rate"] == 1
    assert found["bound"] is None


@pytest.mark.slow
def test_several_rows_of_a_person_are_one_target(folder: Path) -> None:
    data = folder / "patients.csv"
    data.write_text(data.read_text() + "person 0,13053,28,Russian,Flu\n")
    plan = folder / "plan.yaml"
    plan.write_text(PLAN.replace("columns:", "unit: name\ncolumns:", 1))
    released(folder)
    link = board(folder)["linkage"]
    assert link["raw"]["targets"] == 12
    assert link["raw"]["rate"] == 1
    assert link["release"]["rate"] <= link["bound"]


@pytest.mark.slow
def test_a_population_is_what_the_adversary_holds(folder: Path) -> None:
    rows = [",".join(row[c] for c in ("zip", "age", "nationality")) for row in RAW]
    everyone = ["zip,age,nationality", *rows, *rows, *rows, "13053,28,Indian"]
    (folder / "population.csv").write_text("\n".join(everyone) + "\n")
    plan = folder / "plan.yaml"
    plan.write_text(PLAN.replace("columns:", "population: {path: population.csv}\ncolumns:", 1))
    released(folder)
    found = board(folder)
    # Three people of the population share each combination of the data; by name everybody is still found.
    assert found["linkage"]["pseudonymised"]["rate"] == pytest.approx(1 / 3)
    assert found["linkage"]["raw"]["rate"] == 1
    assert found["population-uniques"]["parameters"]["fraction"] == pytest.approx(12 / 37)
    assert all(
        one["release"]["targets"] in (12, *[found["singling-out"]["release"]["targets"]]) for one in found.values()
    )


@pytest.mark.slow
def test_the_terminal_shows_names_knowledge_and_intervals(folder: Path) -> None:
    released(folder)
    shown = run(folder).output
    assert "Homogeneity: disease" in shown
    assert "knows everybody's quasi-identifiers, without errors" in shown
    assert "not run: intersection (disease): it needs several releases" in shown
    assert max(map(len, shown.splitlines()[:30])) <= 110
