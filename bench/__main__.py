"""`python -m bench [NAME …] [--data FOLDER]`: runs the benchmarks, prints them and writes docs/benchmarks.md.

`python -m bench ratio OLDTREE` compares this tree with an older checkout.
"""

import argparse
from importlib import import_module
from pathlib import Path

from bench.section import Section, write

BENCHMARKS = (
    "starts", "limits", "checks", "inspect", "exports", "adult", "large_lattice", "local", "choice", "freeform",
    "suppression", "scale", "growth", "wide", "perturbation", "republish", "privacy", "statistics", "peers", "kills",
)  # fmt: skip


def main() -> None:
    """Runs the named benchmarks, by default all."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(BENCHMARKS)}")
    parser.add_argument("--data", type=Path, default=Path("data"), help="the folder with the public data sets")
    parser.add_argument("--kills", type=int, default=500, help="how often each kind of work is killed")
    parser.add_argument("--drafts", action="store_true", help="inspect: only drafts, no other methods beside them")
    asked = parser.parse_args()
    if asked.names[:1] == ["ratio"] and len(asked.names) == 2:
        _show(import_module("bench.ratio").measure(asked.data, Path(asked.names[1]).absolute()))
        return
    unknown = set(asked.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    for name in asked.names or BENCHMARKS:
        further = {"kills": (asked.kills,), "inspect": ((),) if asked.drafts else ()}.get(name, ())
        section = import_module(f"bench.{name}").measure(asked.data, *further)
        if section is None:
            print(f"{name}: skipped, its data is not in {asked.data}")
            continue
        _show(section)


def _show(section: Section) -> None:
    print("\n".join(section.lines()))
    write(section)


main()
