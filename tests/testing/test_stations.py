"""Twins of a plug-in kind that read nothing back, or whose second measure is the first: each is caught.

Every twin is a package of its own, installed as pip would. It brings baskets as `tests/runs/baskets.py` has them, with
other stations.

Covers testing/stations, testing/planting.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.plugin.brought import install
from tests.runs.baskets import BasketsKind
from tests.runs.planned import PEOPLE, write_data

from tacit.guarantees.k_anonymity import KAnonymity
from tacit.promise import Measured
from tacit.testing import check_kind, kinds
from tacit.testing.planting import WRONG, functions_of, planted, spoilt
from tacit.testing.stations import packages_behind

KIND = """
from collections import Counter

from tacit.errors import CannotGuarantee
from tests.runs.baskets import BasketsKind, BasketsProcess, ItemSupport, read_baskets


def supports(baskets):
    return Counter(item for basket in baskets for item in basket)


def rarest(baskets):
    return min(supports(baskets).values(), default=0)


def most_baskets(baskets):
    return [sum(item in basket for basket in baskets) for item in sorted(set().union(*baskets))]


class Twin(BasketsProcess):
    kind = "baskets"

    def compare(self, promises, again):
        if any(one.measured != again for one in promises):
            raise CannotGuarantee("two ways to count baskets disagree")

{stations}

class TwinKind(BasketsKind):
    def process(self, job, plan, engine):
        return Twin(job, self.guarantees(plan.release)[0].k)

    def measure(self, guarantee, view):
        return super().measure(guarantee, view).model_copy(update=dict(measured=rarest(view)))


KIND = TwinKind()
"""
FIRST = """
    def promises(self, prepared, made, back):
        self.found = KIND.measure(ItemSupport(self.k), back)
        return (self.found,)
"""
APART = """
    def measure_again(self, prepared, made, back, promises):
        self.compare(promises, min(most_baskets(back), default=0))
"""
FROM_FILE = """
    def measure_again(self, prepared, made, back, promises):
        lines = made.path.read_text(encoding="utf-8").splitlines()
        self.compare(promises, min(most_baskets([line.split() for line in lines]), default=0))
"""
FROM_MEMORY = """
    def make(self, prepared, place):
        self.place = place
        made = super().make(prepared, place)
        self.decided = read_baskets(place.aside)
        return made

    def read_back(self, prepared, made):
        return self.decided
"""
LOOKS_WHETHER_IT_IS_THERE = FROM_MEMORY.replace(
    "        return self.decided", "        assert made.path.stat().st_size\n        return self.decided"
)
NOTHING = """
    def measure_again(self, prepared, made, back, promises):
        pass
"""
ECHO = """
    def measure_again(self, prepared, made, back, promises):
        self.compare(promises, promises[0].measured)
"""
REMEMBERED = """
    def measure_again(self, prepared, made, back, promises):
        self.compare(promises, self.found.measured)
"""
THE_SAME = """
    def measure_again(self, prepared, made, back, promises):
        self.compare(promises, KIND.measure(ItemSupport(self.k), back).measured)
"""
SAME_PART = """
    def measure_again(self, prepared, made, back, promises):
        self.compare(promises, sorted(supports(read_baskets(made.path)).values())[0])
"""
BOUND_ALONE = """
    def measure_again(self, prepared, made, back, promises):
        if min(most_baskets(back), default=0) < self.k:
            raise CannotGuarantee("some item is rare")
"""
READ = "noticed nothing; read the file that was written, not what is in memory"
REPEATS = "`measure_again` does not notice that the first measure found another number"


@pytest.fixture
def twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Path]:
    """An example for a twin that has these stations; what it does not need for its stations is not looked at."""
    package = {"twin_baskets/__init__.py": "", "twin_baskets/kind.py": KIND.format(stations="".join(request.param))}
    points = "[tacit.kinds]\nbaskets = twin_baskets.kind\n"
    monkeypatch.syspath_prepend(install(tmp_path / "site", "twin_baskets", package, points))
    for part in ("_check_promises", "_check_cards", "_check_attack"):
        monkeypatch.setattr(kinds, part, lambda trial, made: None)
    monkeypatch.setattr(kinds, "_check_compare", lambda trial: None)
    example = tmp_path / "x.baskets"
    example.write_text("bread milk\nbread\nbread salt\nsalt\n", encoding="utf-8")
    yield example
    for name in [name for name in sys.modules if name.partition(".")[0] == "twin_baskets"]:
        del sys.modules[name]


@pytest.mark.slow
@pytest.mark.parametrize("twin", [(FIRST, APART), (FIRST, FROM_FILE)], indirect=True, ids=["apart", "from-file"])
def test_a_kind_with_two_measures_passes(twin: Path) -> None:
    check_kind("baskets", twin)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("twin", "complaint"),
    [
        ((FIRST, FROM_FILE, FROM_MEMORY), READ),
        ((FIRST, FROM_FILE, LOOKS_WHETHER_IT_IS_THERE), READ),
        ((FIRST, NOTHING), REPEATS),
        ((FIRST, ECHO), REPEATS),
        ((FIRST, BOUND_ALONE), REPEATS),
        ((FIRST, REMEMBERED), "a defect in twin_baskets.kind.TwinKind.measure makes the first measure wrong"),
        ((FIRST, THE_SAME), "a defect in twin_baskets.kind.TwinKind.measure makes the first measure wrong"),
        ((FIRST, SAME_PART), "a defect in twin_baskets.kind.supports makes the first measure wrong"),
    ],
    indirect=["twin"],
    ids=["memory", "looks", "nothing", "echo", "bound", "remembered", "the-same", "same-part"],
)
def test_a_kind_whose_stations_find_nothing_out_is_caught(twin: Path, complaint: str) -> None:
    with pytest.raises(AssertionError, match=f"^kinds/baskets: .*{complaint}"):
        check_kind("baskets", twin)


@pytest.mark.slow
def test_a_measure_of_tables_that_is_wrong_is_disputed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own second measure finds out defects in the first: at least in the measure itself and in its check."""
    from tacit.testing import stations

    tried: dict[str, bool] = {}

    def noticed(run: Any, function: Any, packages: Any, honest: Any) -> bool:
        with planted(function, packages):
            back = run.read_back()
            try:
                changed = [one.measured for one in run.promises(back)] != [one.measured for one in honest]
            except Exception:  # noqa: BLE001 - a defect may break anything
                changed = False
        tried[str(function)] = changed
        return before(run, function, packages, honest)

    before = stations._is_noticed
    monkeypatch.setattr(stations, "_is_noticed", noticed)
    rows = [{"zip": row["zip"], "age": str(20 + 7 * at % 50)} for at, row in enumerate([*PEOPLE] * 2)]
    for part in ("_check_promises", "_check_cards", "_check_attack"):
        monkeypatch.setattr(kinds, part, lambda trial, made: None)
    monkeypatch.setattr(kinds, "_check_compare", lambda trial: None)
    check_kind("tables", write_data(tmp_path / "people.csv", rows), repeatable=False)
    assert tried["tacit.guarantees.k_anonymity.KAnonymity.measure"]
    assert tried["tacit.guarantees.guarantee.check"]


def number() -> int:
    return 3


def numbers() -> Iterator[int]:
    yield number()


class Counting:
    """Functions of each sort."""

    @property
    def own(self) -> int:
        return number()

    @staticmethod
    def still() -> list[int]:
        return [number()]

    @classmethod
    def of_class(cls) -> dict[str, int]:
        return {"one": number()}


@cache
def remembered() -> int:
    return number()


def everything() -> list[Any]:
    return [number(), list(numbers()), Counting().own, Counting.still(), Counting.of_class(), remembered()]


RIGHT: list[Any] = [3, [3], 3, [3], {"one": 3}, 3]
OWN = __name__.partition(".")[0]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("number", [3 + WRONG, [3 + WRONG], 3 + WRONG, [3 + WRONG], {"one": 3 + WRONG}, 3 + WRONG]),
        ("numbers", [3, [3 + WRONG], 3, [3], {"one": 3}, 3]),
        ("Counting.own", [3, [3], 3 + WRONG, [3], {"one": 3}, 3]),
        ("Counting.still", [3, [3], 3, [3 + WRONG], {"one": 3}, 3]),
        ("Counting.of_class", [3, [3], 3, [3], {"one": 3 + WRONG}, 3]),
    ],
)
def test_a_planted_defect_shows_while_it_is_there_and_not_afterwards(name: str, wrong: list[Any]) -> None:
    remembered.cache_clear()
    found = {str(one): one for one in functions_of(everything, {OWN})}
    assert everything() == RIGHT
    with planted(found[f"{__name__}.{name}"], {OWN}):
        assert everything() == wrong
    assert everything() == RIGHT


def test_numbers_are_spoilt_and_nothing_else() -> None:
    assert spoilt((1, 2.5, "a", None, True)) == (1 + WRONG, 2.5 + WRONG, "a", None, True)
    assert spoilt(Counter(a=1)) == Counter(a=1 + WRONG)
    assert spoilt(float("inf")) == WRONG
    assert spoilt(np.arange(2)).tolist() == [WRONG, 1 + WRONG]
    assert spoilt(np.array(["a"])).tolist() == ["a"]
    found = Measured(
        name="n", side="at least", parameters={}, bound=2, measured=3, holds=True, parts=1, failing=0, failing_people=0
    )
    assert spoilt(found) == found.model_copy(update={"measured": 3 + WRONG})


def test_packages_behind_a_kind_are_those_of_its_classes() -> None:
    assert packages_behind(BasketsKind()) == {"tests"}
    assert packages_behind(KAnonymity(k=2)) == {"tacit"}
    assert packages_behind(BasketsKind(), KAnonymity(k=2)) == {"tests", "tacit"}
