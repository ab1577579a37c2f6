"""`tacit.protect` on a dataset asks the kinds which of them makes the release, as a plan does.

Covers runs/release_call, runs/release_kind, runs/evidence_kind, verbs/datasets, verbs/calls.
"""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

import tacit
from tacit.cards.method import Method
from tacit.data.tables.classes import classes_of
from tacit.engines.engine import Engine
from tacit.errors import BadParameter
from tacit.guarantees.guarantee import check
from tacit.params import Params
from tacit.promise import Promise
from tacit.release.fingerprints import fingerprint, frame_fingerprint
from tacit.release.release import Body, Fingerprint, Release
from tacit.runs import evidence_kinds, kinds
from tacit.runs.release_call import ReleaseCall
from tacit.runs.release_kind import ReleaseKind
from tacit.runs.run import Description, Place, Process
from tacit.runs.tables.count import count

FRAME = pd.DataFrame({"town": list("aabb"), "ill": ["flu", "cold", "flu", "flu"]})
ROLES = {"town": "quasi-identifier", "ill": "sensitive"}


class PostcardBody(Body):
    """Where the postcards go."""

    towns: int


class PostcardProcess(Process[PostcardBody, Any, Any, Any]):
    """A row for each town; what is promised is measured on the people of the towns."""

    kind = "postcards"

    def __init__(self, call: ReleaseCall, engine: Engine) -> None:
        self.job, self.engine, self.guarantees = call.job_of(call.dataset), engine, call.guarantees

    def refuse(self) -> None:
        """Nothing is refused."""

    def prepare(self) -> Any:
        return self.engine.cells(self.job.dataset.source, ["town"]).group_by("town").aggregate([])

    def make(self, prepared: Any, place: Place | None) -> Any:
        if place is not None:
            prepared.to_pandas().to_csv(place.aside, index=False)
        return SimpleNamespace(cards=prepared, place=place)

    def read_back(self, prepared: Any, made: Any) -> Any:
        return made.cards

    def promises(self, prepared: Any, made: Any, back: Any) -> tuple[Promise, ...]:
        classes = classes_of(count(self.job.dataset, self.engine))
        return tuple(check(guarantee, classes) for guarantee in self.guarantees)

    def measure_again(self, prepared: Any, made: Any, back: Any, promises: tuple[Promise, ...]) -> None:
        """Once is enough for a postcard."""

    def describe(self, prepared: Any, made: Any, back: Any, promises: Any) -> Description[PostcardBody]:
        place = made.place
        output = frame_fingerprint(back, "cards") if place is None else fingerprint(place.aside, place.path.name)
        given = (Fingerprint(name="data frame"),)
        return Description(PostcardBody(towns=back.num_rows), "postcards/plain", {}, given, (output,))


class Postcards(ReleaseKind):
    """Another kind of release of tables."""

    name, title, data, body = "postcards", "Postcards of a table", "tables", PostcardBody
    release_fields = frozenset({"guarantees", "method"})

    def called(self, call: ReleaseCall, engine: Engine) -> PostcardProcess:
        return PostcardProcess(call, engine)

    def frame_of(self, made: Any) -> Any:
        return made.cards

    def brief(self, release: Release[Any]) -> str:
        return f"{release.body.towns} postcards"

    def protect(self, *given: Any) -> Any:
        raise NotImplementedError

    check = attack = compare = protect


class PlansOnly(Postcards):
    """A kind that does not say what a call in Python does."""

    called, frame_of = ReleaseKind.called, ReleaseKind.frame_of


class PostcardMethod(Method[Params]):
    """The card of such a release."""

    kind = "postcards"


CARD = PostcardMethod(
    title="Postcards",
    params=Params,
    needs="a table",
    gives="a postcard for each town",
    paper="https://example.org",
    example=Params(),
    run=print,
)


@pytest.fixture
def postcards(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(Postcards, monkeypatch)


def bring(kind: type[ReleaseKind], monkeypatch: pytest.MonkeyPatch) -> None:
    point = SimpleNamespace(name="postcards", load=kind)
    monkeypatch.setattr(evidence_kinds, "entry_points_of", lambda group: (point,))
    own = kinds.find_method
    monkeypatch.setattr(kinds, "find_method", lambda name: CARD if name == "postcards/plain" else own(name))


def protect(**options: Any) -> Any:
    return tacit.protect(tacit.read(FRAME, ROLES), [tacit.KAnonymity(k=2)], method="postcards/plain", **options)


@pytest.mark.slow
@pytest.mark.usefixtures("postcards")
def test_a_kind_of_release_of_tables_from_a_package_is_reached_from_python(tmp_path: Path) -> None:
    made = protect()
    assert isinstance(made.data, pd.DataFrame)
    assert sorted(made.data["town"]) == ["a", "b"]
    assert made.release.kind == "postcards"
    assert repr(made) == "ProtectedData(k-anonymity 2; 2 postcards)"
    written = protect(output=tmp_path / "cards.csv")
    assert sorted(pd.read_csv(written.output)["town"]) == ["a", "b"]
    assert (tmp_path / "cards.evidence.json").exists()


@pytest.mark.usefixtures("postcards")
def test_what_a_kind_does_not_heed_is_refused_in_python_too() -> None:
    with pytest.raises(BadParameter, match="protect: `suppression` does not apply to postcards of a table"):
        protect(suppression=0.1)


def test_a_kind_that_is_made_from_plans_only_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(PlansOnly, monkeypatch)
    with pytest.raises(BadParameter, match="postcards/plain makes postcards of a table, and only from a plan"):
        protect()


def test_a_method_of_another_command_is_refused_by_name() -> None:
    with pytest.raises(BadParameter, match="counts/suppression makes no release; it is for `tacit tabulate PLAN"):
        tacit.protect(tacit.read(FRAME, ROLES), [tacit.KAnonymity(k=2)], method="counts/suppression")


PROMISE = [tacit.KAnonymity(k=2)]
CALLS: dict[str, Callable[[Any], Any]] = {
    "check": lambda data: tacit.check(data, PROMISE),
    "measure": tacit.measure,
    "protect": lambda data: tacit.protect(data, PROMISE),
    "tabulate": lambda data: tacit.tabulate(data, ["town"]),
    "compare": lambda data: tacit.compare(data, PROMISE),
    "attack": lambda data: tacit.attack(data, FRAME),
}


@pytest.mark.parametrize("verb", CALLS)
def test_what_says_nothing_of_its_columns_is_to_be_read_first(verb: str) -> None:
    """Whoever starts gives the data frame itself, or what `protect` returned."""
    made = tacit.protect(tacit.read(FRAME, ROLES), PROMISE)
    for given in (FRAME, made, None):
        with pytest.raises(
            BadParameter, match=rf"`tacit.{verb}` was given a {type(given).__name__}, .*add `columns=.*tacit.read"
        ):
            CALLS[verb](given)
