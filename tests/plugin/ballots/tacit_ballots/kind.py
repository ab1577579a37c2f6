"""The kind: how ballots are read from a plan, looked at without one, released and shown."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import yaml

from tacit.catalogue import find_method
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.evidence.page import BodyPage
from tacit.plan.load import Plan
from tacit.promise import Measured
from tacit.release.release import Body, Release
from tacit.runs.job import Job
from tacit.runs.kind import Kind, Look
from tacit.runs.run import Process
from tacit_ballots.ballots import Ballots, read_ballots
from tacit_ballots.guarantees.ballot_anonymity import BallotAnonymity
from tacit_ballots.report import ballots_lines, ballots_page
from tacit_ballots.run import BallotsBody, BallotsProcess, BallotsTask

METHOD = "ballots/prefixes"
USUAL_K = 5


class BallotsKind(Kind[Path]):
    """Ranked ballots; the dataset is the path of their file."""

    name = "ballots"
    title = "Ranked ballots"
    body: ClassVar[type[Body]] = BallotsBody

    def claims(self, path: Path) -> bool:
        """Files that end in `.ballots`."""
        return path.suffix == ".ballots"

    def dataset(self, plan: Plan) -> Path:
        """The file that the plan names."""
        return plan.folder / plan.file.data.path

    def inputs(self, plan: Plan) -> tuple[Path, ...]:
        """That file alone."""
        return (self.dataset(plan),)

    def inspect(self, path: Path, engine: Engine, options: Mapping[str, Any]) -> Look:
        """How many voters are alone with their ranking, and a plan that would hide them."""
        ballots = read_ballots(path)
        alone = sum(voters == 1 for voters in ballots.counts.values())
        values = {"voters": ballots.voters, "rankings": len(ballots.counts), "alone": alone}
        number, rankings = f"{ballots.voters:,}", f"{len(ballots.counts):,}"
        line = f"{number} ballots with {rankings} different rankings; {alone:,} voters are alone with theirs"
        return Look(values, [line], _draft)

    def process(self, job: Job[Path], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of a release of ballots."""
        section, promised = plan.release, self.guarantees(plan.release)
        if len(promised) != 1 or not isinstance(promised[0], BallotAnonymity):
            raise BadParameter("a release of ballots promises ballot-anonymity and nothing else")
        method = find_method(section.method)
        if method.kind != self.name:
            raise BadParameter(f"the method {section.method} works on {method.kind}, not on ballots; try {METHOD}")
        params = method.params.parse(section.method, section.parameters)
        return BallotsProcess(job, BallotsTask(promised[0], section.method, method, params))

    def view(self, dataset: Path, engine: Engine) -> Ballots:
        """The ballots of the raw file."""
        return read_ballots(dataset)

    def read(self, dataset: Path, path: Path, engine: Engine) -> Ballots:
        """The ballots of any file."""
        return read_ballots(path)

    def measure(self, guarantee: BallotAnonymity, view: Ballots) -> Measured:
        """What the guarantee itself measures."""
        return guarantee.measure(view)

    def page(self, release: Release[BallotsBody]) -> BodyPage:
        """The part of the report that is about ballots."""
        return ballots_page(release.body)

    def lines(self, release: Release[BallotsBody]) -> list[str]:
        """What is said at a terminal."""
        return ballots_lines(release.body)


def _draft(path: str) -> str:
    """A plan for the data at `path`."""
    promise = {BallotAnonymity.name: {"k": USUAL_K}}
    plan = {
        "version": 1,
        "data": {"kind": BallotsKind.name, "path": path},
        "release": {"method": METHOD, "guarantees": [promise]},
    }
    return yaml.safe_dump(plan, sort_keys=False, allow_unicode=True)


KIND = BallotsKind()
