"""A kind of data that Tacit does not have: baskets, one line for each person, items with spaces between.

The guarantee is that every published item is in the baskets of at least `k` people; the method leaves rare items out.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tacit.engines.engine import Engine
from tacit.errors import BadParameter, CannotGuarantee
from tacit.evidence.page import BodyPage, Section, fragment_of
from tacit.plan.load import Plan
from tacit.plan.schema import ReleaseSection
from tacit.promise import Measured, Promise
from tacit.release.fingerprints import fingerprint
from tacit.release.release import Body, Fingerprint, Release
from tacit.runs.job import Job
from tacit.runs.kind import Kind, Look
from tacit.runs.run import Description, Place, Process

Baskets = tuple[frozenset[str], ...]


class BasketsBody(Body):
    """How many items were left out."""

    baskets: int
    left_out: int


@dataclass(frozen=True)
class ItemSupport:
    """Every item is in at least `k` baskets."""

    k: int


@dataclass(frozen=True, eq=False)
class WrittenBaskets:
    """What was written, and where."""

    path: Path
    fingerprint: Fingerprint


def read_baskets(path: Path) -> Baskets:
    """The baskets of a file."""
    return tuple(frozenset(line.split()) for line in path.read_text(encoding="utf-8").splitlines())


def least_support(baskets: Baskets) -> int:
    """The number of baskets that the rarest item is in."""
    return min(Counter(item for basket in baskets for item in basket).values(), default=0)


class BasketsProcess(Process[BasketsBody, Baskets, WrittenBaskets, Baskets]):
    """Rare items are left out."""

    kind = "baskets"

    def __init__(self, job: Job[Path], k: int) -> None:
        self.job = job
        self.k = k

    def refuse(self) -> None:
        """One person can't hide."""
        if self.k < 2:
            raise BadParameter(f"k is {self.k}; it must be at least 2")

    def prepare(self) -> Baskets:
        """The baskets of the file."""
        return read_baskets(self.job.dataset)

    def make(self, prepared: Baskets, place: Place | None) -> WrittenBaskets:
        """The frequent items of each basket."""
        assert place is not None
        support = Counter(item for basket in prepared for item in basket)
        lines = (" ".join(sorted(item for item in basket if support[item] >= self.k)) for basket in prepared)
        place.aside.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return WrittenBaskets(place.aside, fingerprint(place.aside, place.path.name))

    def read_back(self, prepared: Baskets, made: WrittenBaskets) -> Baskets:
        """The baskets that were written."""
        return read_baskets(made.path)

    def promises(self, prepared: Baskets, made: WrittenBaskets, back: Baskets) -> tuple[Promise, ...]:
        """The support of the rarest item."""
        return (BasketsKind().measure(ItemSupport(self.k), back),)

    def measure_again(
        self, prepared: Baskets, made: WrittenBaskets, back: Baskets, promises: tuple[Promise, ...]
    ) -> None:
        """Counted item by item."""
        support = min((sum(item in basket for basket in back) for item in set().union(*back)), default=0)
        if any(isinstance(one, Measured) and one.measured != support for one in promises):
            raise CannotGuarantee("two ways to count baskets disagree")

    def describe(
        self, prepared: Baskets, made: WrittenBaskets, back: Baskets, promises: tuple[Promise, ...]
    ) -> Description[BasketsBody]:
        """How much was left out."""
        gone = len(set().union(*prepared)) - len(set().union(*back))
        body = BasketsBody(baskets=len(back), left_out=gone)
        return Description(body, "baskets/frequent", {"k": self.k}, self.job.inputs, (made.fingerprint,))


class BasketsKind(Kind[Path]):
    """Baskets of items."""

    name = "baskets"
    title = "Baskets of items"
    body: ClassVar[type[Body]] = BasketsBody

    def claims(self, path: Path) -> bool:
        """By its name."""
        return path.suffix == ".baskets"

    def dataset(self, plan: Plan) -> Path:
        """The file that the plan names."""
        return plan.folder / plan.file.data.path

    def inputs(self, plan: Plan) -> tuple[Path, ...]:
        """That file alone."""
        return (self.dataset(plan),)

    def inspect(self, path: Path, engine: Engine, options: Mapping[str, Any]) -> Look:
        """How many baskets and items there are."""
        baskets = read_baskets(path)
        items = len(set().union(*baskets))

        def draft(named: str) -> str:
            data = f"data: {{kind: baskets, path: {named}}}"
            return f"version: 1\n{data}\nrelease: {{guarantees: [item-support: {{k: 2}}]}}\n"

        return Look({"baskets": len(baskets), "items": items}, [f"{len(baskets)} baskets, {items} items"], draft)

    def guarantees(self, section: ReleaseSection) -> tuple[Any, ...]:
        """The least number of baskets that an item is in."""
        return tuple(ItemSupport(**given) for entry in section.guarantees for given in entry.values())

    def process(self, job: Job[Path], plan: Plan, engine: Engine) -> Process[Any, Any, Any, Any]:
        """The stations of a release of baskets."""
        return BasketsProcess(job, self.guarantees(plan.release)[0].k)

    def view(self, dataset: Path, engine: Engine) -> Baskets:
        """The baskets as they are."""
        return read_baskets(dataset)

    def read(self, dataset: Path, path: Path, engine: Engine) -> Baskets:
        """The baskets of a file."""
        return read_baskets(path)

    def measure(self, guarantee: ItemSupport, view: Baskets) -> Measured:
        """The support of the rarest item."""
        support, items = least_support(view), len(set().union(*view))
        return Measured(
            name="item-support",
            side="at least",
            parameters={"k": guarantee.k},
            bound=guarantee.k,
            measured=support,
            holds=support >= guarantee.k,
            says=f"each item is in at least {guarantee.k} baskets; the rarest is in {support}",
            counted="items",
            parts=items,
            failing=0 if support >= guarantee.k else 1,
            failing_people=0,
        )

    def page(self, release: Release[Any]) -> BodyPage:
        """One section on what was left out."""
        html = fragment_of(
            "<p>{{ body.left_out }} items were left out of <b>{{ title }}</b>.</p>",
            body=release.body,
            title=release.title,
        )
        return BodyPage(sections=(Section("items", "What was left out", html),))


KIND = BasketsKind()
