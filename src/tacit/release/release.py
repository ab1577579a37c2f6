"""A release: the frozen result of a run. Reports, certificates, pages and replays read this and nothing else.

The envelope is the same for every kind of data: which files went in and came out, what was promised, what it cost, how
it was made. The body says what only its kind can say. Its JSON form is `evidence.json`; `EVIDENCE_SCHEMA` names the
version of the envelope's fields, and `kind` names the body.
"""

from typing import Any, Generic, Self, TypeVar

from pydantic import SerializeAsAny

from tacit.fact import Fact, Number
from tacit.promise import Measured, Promise, Proven
from tacit.release.attacks import AttackResult
from tacit.release.packages import Packages, with_attacks
from tacit.visible import visible

EVIDENCE_SCHEMA = "tacit/evidence/2"


class Fingerprint(Fact):
    """A file as it was: its name, size and SHA-256, and its number of rows where it is data.

    For the data behind private answers only the name is given: with a hash, somebody who knows all rows but one could
    test guesses of the last, and a size reveals something about it.
    """

    name: str
    bytes: int | None = None
    sha256: str | None = None
    rows: int | None = None


class Charge(Fact):
    """One charge in a ledger: its number and its hash, which expose a ledger that has lost it."""

    number: int
    hash: str


class Expense(Fact):
    """The privacy that was charged for the release: the total, the events in JSON that it was accounted from, and the
    charges in the ledger."""

    epsilon: Number
    delta: Number
    events: tuple[dict[str, Any], ...] = ()
    charges: tuple[Charge, ...] = ()


class Recipe(Fact):
    """How the release was made, enough to make it again; `plan` is the plan as plain values."""

    method: str
    parameters: dict[str, Any]
    command: str
    plan: dict[str, Any]


class Body(Fact):
    """What a release of one kind says in addition to its envelope; each kind has its own class.

    `attacks` is what adversaries learnt from the release: a run leaves it empty, an attack fills it later.
    """

    attacks: tuple[AttackResult, ...] = ()

    @property
    def stands(self) -> bool:
        """Whether nothing in the body speaks against what was claimed; an audit that refutes a claim says no."""
        return True


B = TypeVar("B", bound=Body)


class Release(Fact, Generic[B]):
    """The outcome of one run: the run builds it from its parts, and it does not change.

    An attack comes later. It builds another release from this one and its board, which differs only in `body.attacks`,
    and in `packages` if the attacks came from other packages.

    The first of `inputs` is the data, the others are the files that were read beside it; the first of `outputs` is the
    file that is published. `plan` is the plan file as it was. A `seeded` release drew its randomness from a seed that
    somebody knows, so it may not be published. `peak_memory_bytes` is the most that the process held until then, or
    None if the system does not say. `packages` are those besides Tacit whose kind, methods, guarantees, metrics,
    attacks or steps took part: to read the evidence of such a kind, the package that defines it must be installed.
    """

    evidence: str = EVIDENCE_SCHEMA
    kind: str
    created: str
    title: str
    unit: str | None = None
    inputs: tuple[Fingerprint, ...]
    plan: Fingerprint
    outputs: tuple[Fingerprint, ...]
    promises: tuple[Promise, ...] = ()
    promises_before: tuple[Promise, ...] = ()
    spent: Expense | None = None
    recipe: Recipe
    seeded: bool = False
    notes: tuple[str, ...] = ()
    seconds: dict[str, float]
    peak_memory_bytes: int | None = None
    versions: dict[str, str]
    packages: Packages = ()
    body: SerializeAsAny[B]

    def __repr__(self) -> str:
        """What was made of what, and whether it holds; no label of a class."""
        told = ", ".join(promise.name for promise in self.promises) or "nothing promised"
        held = "holds" if self.holds else "FAILS"
        return f"Release({self.kind}: {visible(self.input.name)} -> {visible(self.output.name)}; {told}: {held})"

    __str__ = __repr__

    @property
    def input(self) -> Fingerprint:
        """The data that it was made of."""
        return self.inputs[0]

    @property
    def output(self) -> Fingerprint:
        """The file that is published."""
        return self.outputs[0]

    @property
    def measured(self) -> tuple[Measured, ...]:
        """The promises that were measured in what was written."""
        return tuple(promise for promise in self.promises if isinstance(promise, Measured))

    @property
    def measured_before(self) -> tuple[Measured, ...]:
        """The same measures on the data as it was."""
        return tuple(promise for promise in self.promises_before if isinstance(promise, Measured))

    @property
    def proven(self) -> tuple[Proven, ...]:
        """The promises that were proven of the way in which it was made."""
        return tuple(promise for promise in self.promises if isinstance(promise, Proven))

    @property
    def holds(self) -> bool:
        """Whether every promise holds, and nothing in the body speaks against it."""
        return self.body.stands and all(promise.holds for promise in self.promises)

    @property
    def may_be_published(self) -> bool:
        """Whether it keeps its promises and nobody knows its randomness."""
        return self.holds and not self.seeded

    def attacked(self, results: tuple[AttackResult, ...], packages: Packages = ()) -> Self:
        """Another release, built like this one from its own parts, with what adversaries learnt since it was made.

        `packages` are those that brought the attacks.
        """
        body = type(self.body)(**{**dict(self.body), "attacks": results})
        return type(self)(**{**dict(self), "body": body, "packages": with_attacks(self.packages, packages)})
