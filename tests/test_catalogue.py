"""Every card of the package is found, named after its file, and says what a card must say.

Covers tacit/catalogue, tacit/cards.
"""

import re
import sys
from pathlib import Path
from subprocess import run

import pytest
from click.testing import CliRunner
from tests.metrics.tables.worlds import all_suppressed, loss_example, one_row, publication

from tacit.cards.asked import AskedMethod
from tacit.cards.attack import Attack
from tacit.cards.method import Method
from tacit.cards.metric import Metric
from tacit.catalogue import Catalogue, Folder, attacks, find_attack, find_method, find_metric, methods, metrics
from tacit.cli.methods import COMMAND as METHODS_COMMAND
from tacit.errors import BadPackage, BadParameter, TacitError
from tacit.guarantees.catalogue import guarantees
from tacit.testing import InstalledPart, check, check_metric, installed
from tacit.verbs.listing import faults


def parts() -> list[object]:
    """All that the package brings; guarantees are measured, methods and some attacks run, which takes a while."""
    cards = methods()
    ran = {f"methods/{name}" for name in cards if cards[name].about == "tables" or isinstance(cards[name], AskedMethod)}
    ran |= {f"guarantees/{name}" for name in guarantees()}
    ran |= {"methods/mechanisms/gaussian", *(f"attacks/{name}" for name in attacks() if name.startswith("statistics/"))}
    return [pytest.param(one, marks=[pytest.mark.slow] * (str(one) in ran), id=str(one)) for one in installed("tacit")]


@pytest.mark.parametrize("entry", parts())
def test_everything_keeps_its_contract(entry: InstalledPart) -> None:
    check(entry)


@pytest.mark.parametrize("name", metrics())
@pytest.mark.parametrize("world", [loss_example(), one_row(), all_suppressed()])
def test_every_metric_measures_its_example(name: str, world: object) -> None:
    found = check_metric(name, lambda: publication(world))
    assert set(found.per_column) <= set(world.columns)


def test_the_known_metrics_are_there() -> None:
    known = {"loss", "distortion", "precision", "discernibility", "average-class-size", "non-uniform-entropy"}
    assert known | {"suppression", "query-error", "risk", "singling-out"} <= {
        name.removeprefix("tables/") for name in metrics()
    }


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    folder = tmp_path / "shelved_here"
    card = "from tacit.catalogue import find_metric\nMETRIC = find_metric('loss')\n"
    for path, text in {
        "full_domain.py": card,
        "deep/two_words.py": card,
        "_private.py": "raise RuntimeError('imported')\n",
        "_hidden/card.py": "raise RuntimeError('imported')\n",
        "bare.py": "",
        "broken.py": "raise RuntimeError('imported')\n",
        "__init__.py": "",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == folder.name]:
        monkeypatch.delitem(sys.modules, name)
    return Catalogue((Folder(folder, folder.name),), "METRIC", Metric)


def test_names_come_from_paths_and_nothing_is_imported(shelf: Catalogue) -> None:
    assert list(shelf) == ["bare", "broken", "deep/two-words", "full-domain"]
    assert len(shelf) == 4
    assert "broken" in shelf
    assert "full_domain" not in shelf
    assert shelf["deep/two-words"].title == "Loss"
    assert shelf.find("full-domain") is shelf["full-domain"]


def test_a_public_file_without_its_card_is_an_error(shelf: Catalogue) -> None:
    with pytest.raises(TacitError, match=r"shelved_here\.bare defines no METRIC"):
        shelf["bare"]


def test_an_unknown_name_gets_the_closest(shelf: Catalogue) -> None:
    with pytest.raises(KeyError):
        shelf["fulldomain"]
    with pytest.raises(BadParameter, match="no metric 'fulldomain'; did you mean 'full-domain'"):
        shelf.find("fulldomain")
    with pytest.raises(BadParameter, match="the known ones are: bare, broken, deep/two-words, full-domain"):
        shelf.find("zzzz")


def test_a_missing_folder_is_empty(tmp_path: Path) -> None:
    nowhere = Catalogue((Folder(tmp_path / "nowhere", "nowhere"),), "ATTACK", Attack)
    assert list(nowhere) == []
    with pytest.raises(BadParameter, match="no attack 'linkage'; the known ones are: none"):
        nowhere.find("linkage")


def test_the_three_shelves_can_be_asked_by_name() -> None:
    assert find_metric("loss").title == "Loss"
    for find, noun in ((find_method, "method"), (find_metric, "metric"), (find_attack, "attack")):
        with pytest.raises(BadParameter, match=f"there is no {noun} 'surely/unknown'"):
            find("surely/unknown")
    assert all(isinstance(methods()[name], Method) for name in methods())


@pytest.mark.slow
def test_listing_imports_no_card() -> None:
    code = (
        "import sys; from tacit.catalogue import methods, metrics; assert list(metrics()); list(methods());"
        "print([m for m in sys.modules if m.startswith(('tacit.methods', 'tacit.metrics', 'numpy'))])"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def brought_metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that brings a metric, as pip leaves it."""
    about = tmp_path / "brought-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[tacit.metrics]\nbrought = brought_metrics\n")
    folder = tmp_path / "brought_metrics" / "baskets"
    folder.mkdir(parents=True)
    (tmp_path / "brought_metrics" / "__init__.py").write_text("")
    (folder / "lost_items.py").write_text(
        "from tacit.catalogue import find_metric\nMETRIC = find_metric('loss', 'tables')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [name for name in sys.modules if name.split(".")[0] == "brought_metrics"]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_an_installed_package_brings_cards(brought_metric: Path) -> None:
    assert "baskets/lost-items" in metrics()
    assert find_metric("lost-items", "baskets") is find_metric("baskets/lost-items")
    assert find_metric("lost-items", "baskets").title == "Loss"
    with pytest.raises(BadParameter, match="there is no metric 'lost-items'; did you mean 'baskets/lost-items'"):
        find_metric("lost-items")


def test_a_name_that_two_packages_bring_is_refused(brought_metric: Path) -> None:
    own = next(iter(metrics().folders[0].names()))
    twice = brought_metric / "brought_metrics" / (own.replace("-", "_") + ".py")
    twice.parent.mkdir(exist_ok=True)
    twice.write_text("")
    with pytest.raises(BadPackage, match=r"tacit\.metrics and brought_metrics both define"):
        find_metric(own)


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        ("surely_missing", "names 'surely_missing', which is not a package"),
        ("surely_missing.metrics", "can't be imported: No module named 'surely_missing'"),
        ("raising.metrics", "can't be imported: RuntimeError: it is broken"),
    ],
)
def test_an_entry_point_that_leads_nowhere_takes_nothing_else_with_it(
    brought_metric: Path, names: str, reason: str
) -> None:
    (brought_metric / "raising").mkdir()
    (brought_metric / "raising" / "__init__.py").write_text("raise RuntimeError('it is broken')\n")
    points = brought_metric / "brought-1.0.dist-info" / "entry_points.txt"
    points.write_text(f"[tacit.metrics]\nbrought = {names}\n")
    assert find_metric("loss").title == "Loss"
    (fault,) = faults()
    assert (fault.module, reason in str(fault)) == (names, True)
    with pytest.raises(BadParameter, match=r"there is no metric .lost-items.*.brought. of tacit") as refused:
        find_metric("lost-items")
    assert reason in str(refused.value)
    listed = CliRunner().invoke(METHODS_COMMAND, [])
    assert (listed.exit_code, listed.stderr.strip()) == (0, f"tacit: {fault}")
    with pytest.raises(TacitError, match=re.escape(reason)):
        installed(names.partition(".")[0])
    assert installed("tacit")


def test_a_card_that_cant_be_imported_is_named_with_its_reason(shelf: Catalogue) -> None:
    with pytest.raises(TacitError, match=r"METRIC of shelved_here\.broken can't be imported: RuntimeError: imported"):
        _ = shelf["broken"]


def test_a_broken_card_does_not_break_the_list(shelf: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    from tacit import catalogue
    from tacit.verbs.listing import entries

    title = shelf["full-domain"].title
    monkeypatch.setattr(catalogue, "metrics", lambda: shelf)
    found = entries()
    assert "can't be imported" in found["metrics/broken"]["gives"]
    assert found["metrics/full-domain"]["title"] == title
