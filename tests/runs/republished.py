"""People who come and go, and plans that publish them again and again."""

from pathlib import Path
from random import Random
from typing import Any

from tests.runs.planned import protected, write_plan

from tacit.runs.republication.history import History, parse_history

ILLNESSES = ["flu", "cold", "hiv", "=asthma"]
COLUMNS: dict[str, Any] = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "ill": {"role": "sensitive"},
}
M = 3


def crowd(seed: int = 1, size: int = 90) -> list[dict[str, str]]:
    random = Random(seed)
    return [
        {
            "name": f"person {i}",
            "zip": f"{1000 + random.randrange(12)}",
            "age": random.choice(["", *(str(age) for age in range(20, 60))]),
            "ill": ILLNESSES[i % 4],
        }
        for i in range(size)
    ]


EVERYBODY = crowd()
STATES = [EVERYBODY[:60], EVERYBODY[10:75], EVERYBODY[5:35] + EVERYBODY[60:90]]


def form(columns: dict[str, Any] = COLUMNS, **release: Any) -> dict[str, Any]:
    section = {
        "method": "tables/republish",
        "parameters": {"history": "private/people.history"},
        "guarantees": [{"m-invariance": {"m": M}}],
        **release,
    }
    return {"version": 1, "data": {"path": "people.csv"}, "unit": "name", "columns": columns, "release": section}


def history_in(folder: Path) -> History:
    return parse_history((folder / "private" / "people.history").read_bytes(), "history")


def run_all(folder: Path, states: list[list[dict[str, str]]] = STATES, **release: Any) -> Path:
    for rows in states:
        protected(write_plan(folder, form(**release), rows))
    return folder / "plan.yaml"
