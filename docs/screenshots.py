"""Takes the pictures of the documentation, `docs/images/`: `python docs/screenshots.py`, with Chromium installed.

Report and comparison are those of the demo, made anew in a temporary folder.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.evidence.browser import browser  # noqa: E402 - the driver is that of the tests

IMAGES = ROOT / "docs" / "images"
WIDTH = 1200
REPORT, MAP = 1180, 1020
"""How much of each page is shown, in pixels from its top."""


def main() -> None:
    """Afterwards the pictures are those of this version."""
    with TemporaryDirectory() as folder:
        place = Path(folder) / "demo"
        for words in (["demo", "-o", str(place)], *(_on(place, verb) for verb in ("attack", "compare"))):
            subprocess.run([sys.executable, "-m", "tacit", *words], check=True, capture_output=True)
        with browser(Path(folder) / "profile") as shown:
            for page, name, tall in (
                ("hospital.release.report.html", "report.png", REPORT),
                ("hospital.compare.html", "compare.png", MAP),
            ):
                shown.show(place / page, WIDTH)
                (IMAGES / name).write_bytes(shown.picture(0, tall))


def _on(place: Path, verb: str) -> list[str]:
    more = ["--vary", "--methods", "lattice,mondrian,cluster"] if verb == "compare" else []
    return [verb, str(place / "hospital.plan.yaml"), *more]


if __name__ == "__main__":
    main()
