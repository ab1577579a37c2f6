"""A file with several rows of a person, and a plan that asks about it."""

from pathlib import Path
from typing import Any

import pandas as pd
import yaml

PLENTY = 1000.0
"""An epsilon at which a count of up to three rows a person is off by 1 with a probability below e**-100."""


PATIENTS = [("a", 10, "f"), ("a", 20, "m"), ("a", 30, "m"), ("a", 40, "f"), ("b", 50, "f"), ("secret-id", 60, "m")]


FRAME = pd.DataFrame(PATIENTS, columns=["id", "age", "sex"])


def plan_in(folder: Path, *questions: dict[str, Any], **privacy: Any) -> Path:
    """A plan over a file with several rows of a person."""
    FRAME.to_csv(folder / "patients.csv", index=False)
    form = {
        "version": 1,
        "data": {"path": "patients.csv"},
        "unit": "id",
        "columns": {
            "id": {"role": "identifier"},
            "age": {"role": "insensitive", "bounds": [0, 100]},
            "sex": {"role": "insensitive", "categories": ["f", "m"]},
        },
        "privacy": {"budget": {"epsilon": 1}, "contributions": {"rows": 2}, **privacy},
        "questions": list(questions),
    }
    path = folder / "plan.yaml"
    path.write_text(yaml.safe_dump(form))
    return path


COUNT = {"statistics/count": {"epsilon": 0.5}}


MEANS = {"statistics/mean": {"of": "age", "by": "sex", "epsilon": 0.25}}
