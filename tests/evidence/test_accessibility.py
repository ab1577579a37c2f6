"""Pages that everybody can read: in order, by keyboard, aloud, on a phone and on paper.

What can be told from the markup of the templates is told always. axe-core, the engine behind most accessibility tools,
is fetched by npm, where that can be done, and run in Chromium, if there is one.

Covers evidence/page, evidence/tables/report.
"""

import re
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from tests.evidence.browser import CHROMIUM, Browser, browser
from tests.evidence.page import Page
from tests.evidence.pages import all_pages

PAGES = ("report", "broken", "attacked", "twenty", "public", "comparison")
AXE = "axe-core@4.10.3"
NPM = shutil.which("npm")
WIDTHS = (400, 1280)
LOOKS = {
    (400, False): "{rules: {'color-contrast': {enabled: false}}}",
    (1280, False): "",
    (1280, True): "{runOnly: ['color-contrast']}",
}
"""Width, darkness, and what axe looks at: colours depend on darkness alone, everything else on the width alone."""


@pytest.mark.parametrize("name", PAGES)
def test_headings_go_down_one_step_at_a_time(name: str) -> None:
    levels = [int(level) for level in re.findall(r"<h([1-6])[ >]", all_pages()[name])]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


@pytest.mark.parametrize("name", PAGES)
def test_every_head_of_a_table_has_words_and_a_scope(name: str) -> None:
    heads = re.findall(r"<th([ >].*?)</th>", all_pages()[name], re.DOTALL)
    assert heads
    for head in heads:
        attributes, _, content = head.partition(">")
        assert re.search(r'scope="(col|row)"', attributes), head
        assert re.sub(r"<[^>]*>", "", content).strip(), head


@pytest.mark.parametrize("name", PAGES)
def test_what_scrolls_can_be_reached_by_keyboard_and_has_a_name_of_its_own(name: str) -> None:
    boxes = re.findall(r'<div class="scroll"[^>]*>', all_pages()[name])
    assert all('tabindex="0"' in box and 'role="region"' in box for box in boxes)
    labels = [re.search('aria-label="([^"]+)"', box) for box in boxes]
    names = [found[1] for found in labels if found is not None]
    assert len(names) == len(boxes)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", PAGES)
def test_language_title_landmarks_and_lists(name: str) -> None:
    page = Page(all_pages()[name])
    tags = [tag for tag, _ in page.tags]
    assert page.values("lang") == ["en"]
    assert [tags.count(tag) for tag in ("main", "h1")] == [1, 1]
    labelled = [value for tag, key, value in page.attributes if (tag, key) == ("section", "aria-label")]
    assert len(set(labelled)) == len(labelled)
    assert "outline: none" not in page.style


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script, or a reason to skip."""
    if NPM is None:
        pytest.skip("no npm here to fetch axe-core with")
    folder = tmp_path_factory.mktemp("axe")
    fetched = subprocess.run([NPM, "pack", AXE, "--silent"], cwd=folder, capture_output=True, timeout=60)
    if fetched.returncode:
        pytest.skip("npm can't fetch axe-core")
    with tarfile.open(next(folder.glob("*.tgz"))) as package:
        script = package.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode("utf-8")


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as shown:
        yield shown


def shown_at(chromium: Browser, folder: Path, name: str, width: int, dark: bool = False) -> None:
    path = folder / f"{name}.html"
    path.write_text(all_pages()[name], encoding="utf-8")
    chromium.show(path, width, dark)


needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here to draw the page with")


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(chromium: Browser, axe: str, tmp_path: Path, name: str) -> None:
    for (width, dark), rules in LOOKS.items():
        shown_at(chromium, tmp_path, name, width, dark)
        chromium.value(f"document.querySelectorAll('details').forEach(one => one.open = true);{axe};0")
        found = f"axe.run({rules}).then(found => [found.violations, found.passes.length])"
        violations, passed = chromium.value(f"{found}.then(([all, passed]) => [all.map(one => one.id), passed])")
        assert violations == [], (width, dark)
        assert passed > 0, (width, dark)


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_off_and_no_name_is_broken(chromium: Browser, tmp_path: Path, name: str, width: int) -> None:
    """The page is as wide as its window, and a short name of a row stands on as few lines as it has words."""
    shown_at(chromium, tmp_path, name, width)
    assert chromium.value("document.documentElement.scrollWidth") == width
    broken = """[...document.querySelectorAll('tbody th bdi, h3 bdi, .names bdi')].filter(one => {
        const words = one.textContent.split(/[\\s-]+/).length;
        const range = document.createRange(); range.selectNodeContents(one);
        return one.textContent.length < 25 && new Set([...range.getClientRects()].map(r => r.top)).size > words;
    }).map(one => one.textContent)"""
    assert chromium.value(broken) == []


@pytest.mark.slow
@needs_chromium
def test_the_release_is_in_sight_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    """Of every attack, the rate on the release lies within the window."""
    shown_at(chromium, tmp_path, "attacked", 400)
    script = """[...document.querySelectorAll('#attacks .facts div, #attacks td[data-name=release]')]
        .filter(one => one.textContent.trim().startsWith('release') || one.dataset.name)
        .map(one => one.getBoundingClientRect()).map(box => [box.left, box.right])"""
    places = chromium.value(script)
    assert len(places) == 2
    assert all(0 <= left < right <= 400 for left, right in places)


@pytest.mark.slow
@needs_chromium
def test_twenty_columns_take_few_pages_of_paper(chromium: Browser, tmp_path: Path) -> None:
    pages = {}
    for name in ("report", "twenty"):
        shown_at(chromium, tmp_path, name, 1280)
        pages[name] = max(int(number) for number in re.findall(rb"/Count (\d+)", chromium.paper()))
    assert pages["twenty"] <= pages["report"] + 1 <= 12
