"""A strict type checker accepts a user's script, and sees a misspelt option, parameter or value before it runs.

Covers verbs/options, verbs/reading, verbs/datasets, verbs/attack, guarantees/guarantee.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"
SCRIPT = """
from pathlib import Path
from typing import Any
import tacit

def work(frame: Any) -> float:
    roles = {"age": "quasi-identifier", "ill": "sensitive"}
    look = tacit.inspect(frame, missing=["NA"])
    people: tacit.Dataset = tacit.read(frame, look, unit="name")
    tacit.read("people.csv", roles, delimiter=";", encoding="cp1252", survey={"weight": "w"})
    promised = [tacit.KAnonymity(5), tacit.LDiversity(3, kind="distinct"), tacit.TCloseness(0.2)]
    tacit.AlphaKAnonymity(0.5, 3, column="ill"), tacit.BetaLikeness(1.0), tacit.DeltaDisclosure(1.0)
    tacit.DeltaPresence(0.5, minimum=0.1), tacit.KMap(5), tacit.KConcealment(3), tacit.MInvariance(2)
    tacit.DifferentialPrivacy(1.0, delta=1e-6)
    made = tacit.protect(people, promised, suppression=0.02, objective="loss", output=Path("release.csv"))
    tacit.protect(frame, {"k-anonymity": {"k": 5}}, columns=roles)
    tacit.protect(frame, "l-diversity", columns=look)
    tacit.protect("plan.yaml")
    tacit.compare(look, methods=["tables/lattice"], settings={"k-anonymity.k": [2, 5]}, vary=True)
    tacit.tabulate(people, "age", threshold=10)
    tacit.attack(people, made, guarantees=promised)
    tacit.audit("mechanisms/laplace", {"epsilon": 0.5}, delta=1e-6)
    tacit.audit(lambda rows, bits: 0, epsilon=1, domain=[0, 1], neighbours="replace")
    holds: bool = tacit.check("release.csv", plan="plan.yaml").holds
    classes: int = tacit.check(people, promised).classes
    loss = tacit.measure(people, made, metrics=["loss"])["loss"].value
    return loss + tacit.measure(people).unique_share
"""
SLIPS = {
    'tacit.protect(0, "k-anonymity", supression=0.1)': '"supression"',
    'tacit.protect(0, "k-anonymity", suppression="much")': "incompatible type",
    'tacit.protect(0, "k-anonymity", objective="los")': "incompatible type",
    'tacit.read("a.csv", {}, delimeter=";")': '"delimeter"',
    "tacit.inspect(0, sheets=1)": '"sheets"',
    "tacit.compare(0, method=[1])": "incompatible type",
    'tacit.tabulate(0, "a", treshold=3)': '"treshold"',
    'tacit.audit("mechanisms/laplace", epsilonn=1)': '"epsilonn"',
    "tacit.KAnonymity(kk=5)": '"kk"',
    'tacit.LDiversity(3, kind="some")': "incompatible type",
    "tacit.KAnonymity(5, 6)": "Too many",
    "tacit.KAnonimity(5)": "has no attribute",
}


@pytest.mark.slow
def test_a_script_is_checked_strictly(tmp_path: Path) -> None:
    """Without our settings, as at a user's: what the package itself says must be enough."""
    lines = ["import tacit", *SLIPS]
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "slips.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent"]
    run = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), "script.py", "slips.py"],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(SOURCES)},
        capture_output=True,
        text=True,
    )
    told = [line for line in run.stdout.splitlines() if ": error:" in line]
    assert [line for line in told if line.startswith("script.py")] == []
    by_line = {int(line.split(":")[1]): line for line in told}
    for number, (slip, words) in enumerate(SLIPS.items(), 2):
        assert words in by_line.get(number, ""), (slip, by_line.get(number))
