"""What happens at the stations of a release of ballots, and what is known of it afterwards."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacit.cards.method import Method
from tacit.errors import BadParameter, CannotGuarantee
from tacit.params import Params
from tacit.promise import Measured, Promise
from tacit.release.fingerprints import fingerprint
from tacit.release.release import Body, Fingerprint
from tacit.runs.job import Job
from tacit.runs.run import Description, Place, Process
from tacit_ballots.ballots import Ballots, read_ballots, write_ballots
from tacit_ballots.guarantees.ballot_anonymity import BallotAnonymity, shortest_run


class BallotsBody(Body):
    """What is known of released ballots; `lengths` are numbers of ballots with one choice, two choices, and so on."""

    voters: int
    left_out: int
    rankings: int
    positions: int
    positions_before: int
    lengths: tuple[int, ...]
    lengths_before: tuple[int, ...]


@dataclass(frozen=True)
class BallotsTask:
    """What a plan asks: the promise, and the method with its parameters."""

    promise: BallotAnonymity
    name: str
    method: Method[Any]
    params: Params


@dataclass(frozen=True)
class WrittenBallots:
    """What was decided, where it was written, and the fingerprint of the file."""

    ballots: Ballots
    path: Path
    fingerprint: Fingerprint


class BallotsProcess(Process[BallotsBody, Ballots, WrittenBallots, Ballots]):
    """A release of ballots."""

    kind = "ballots"

    def __init__(self, job: Job[Path], task: BallotsTask) -> None:
        self.job = job
        self.task = task

    def refuse(self) -> None:
        """A method must be able to give what is promised."""
        promise, method = self.task.promise, self.task.method
        if method.guarantees != "any" and promise.name not in method.guarantees:
            raise BadParameter(f"the method {self.task.name} can't give {promise.name}; choose another")

    def prepare(self) -> Ballots:
        """The ballots of the file."""
        self.job.progress("reading the ballots")
        return read_ballots(self.job.dataset)

    def make(self, prepared: Ballots, place: Place | None) -> WrittenBallots:
        """The ballots as the method shortened them."""
        if place is None:
            raise BadParameter("ballots are released as a file; name it")
        self.job.progress("shortening rankings")
        with self.job.watch.time("method"):
            made: Ballots = self.task.method.run(prepared, self.task.promise.k, self.task.params)
        write_ballots(made, place.aside)
        return WrittenBallots(made, place.aside, fingerprint(place.aside, place.path.name))

    def read_back(self, prepared: Ballots, made: WrittenBallots) -> Ballots:
        """The ballots that were written, which must be those that were decided."""
        back = read_ballots(made.path)
        if back != made.ballots:
            raise CannotGuarantee("the file does not read as what was written, so it is not published")
        return back

    def promises(self, prepared: Ballots, made: WrittenBallots, back: Ballots) -> tuple[Promise, ...]:
        """The promise, measured in what was read back."""
        return (self.task.promise.measure(back),)

    def measure_again(
        self, prepared: Ballots, made: WrittenBallots, back: Ballots, promises: tuple[Promise, ...]
    ) -> None:
        """The lines of the file, counted without parsing them."""
        again = shortest_run(made.path.read_text(encoding="utf-8"))
        if any(isinstance(one, Measured) and one.measured != again for one in promises):
            raise CannotGuarantee("two ways to count the voters of a ranking disagree, so nothing is published")

    def describe(
        self, prepared: Ballots, made: WrittenBallots, back: Ballots, promises: tuple[Promise, ...]
    ) -> Description[BallotsBody]:
        """How much was cut and left out."""
        body = BallotsBody(
            voters=prepared.voters,
            left_out=prepared.voters - back.voters,
            rankings=len(back.counts),
            positions=back.positions,
            positions_before=prepared.positions,
            lengths=back.lengths(prepared.longest),
            lengths_before=prepared.lengths(prepared.longest),
        )
        return Description(
            body,
            self.task.name,
            self.task.params.model_dump(mode="json", exclude_none=True),
            self.job.inputs,
            (made.fingerprint,),
            promises_before=(self.task.promise.measure(prepared),),
        )
