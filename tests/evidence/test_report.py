"""The report: complete, well formed, silent towards the outside, and safe whatever the names in the data are.

Covers column_figures, risk_figures, tables/measured, evidence/findings, evidence/approval, evidence/plan_text.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.evidence.example_release import altered, broken_release, example_release
from tests.evidence.page import Page
from tests.examples import examples

from tacit.evidence.findings import promise_groups
from tacit.evidence.numerals import clean
from tacit.evidence.tables.report import render_report, write_report
from tacit.evidence.tables.risk_figures import risks
from tacit.release.tables import Risk, TableRelease

SECTIONS = (
    *("verdict", "key-figures", "promises", "classes", "risk", "singling-out", "loss", "values", "weakest"),
    *("recipe", "limits", "approval", "certificate", "not-promised"),
)
REQUESTS = {"src", "srcset", "action", "formaction", "poster", "background", "data", "ping", "xlink:href", "cite"}
HOSTILE = (
    *('"><script>alert(1)</script>', "</title></style><img src=x onerror=alert(1)>", "{{ 7 * 7 }}{% raw %}"),
    *("' onload='x", "<!--", "]]>", "&lt;b&gt;", "\x00\x1b[31m", "\u202egnp.exe", "</svg></desc>", "a\nb"),
    *("\u061ca\u200bb\ufeff", "\xad\u180e\U000e0041"),
)
TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(min_size=1, max_size=30))


def named_after(text: str) -> TableRelease:
    """The example with `text` wherever somebody else chose the words."""
    release = example_release()
    columns = tuple(
        column.model_copy(
            update={
                "name": f"{text}{position}",
                "hierarchy": text,
                "action": text,
                "marginals": tuple(one.model_copy(update={"label": f"{text}{one.label}"}) for one in column.marginals),
            }
        )
        for position, column in enumerate(release.body.columns)
    )
    findings = tuple(
        finding.model_copy(
            update={
                "column": f"{text}0",
                "says": f"x{text}",
                "worst": tuple(one.model_copy(update={"published": {f"{text}0": text}}) for one in finding.worst),
            }
        )
        for finding in release.measured
    )
    recipe = release.recipe.model_copy(
        update={
            "command": text,
            "method": text,
            "plan": {text: [text]},
            "parameters": {text: text},
        }
    )
    singled = tuple(
        one.model_copy(update={"columns": (text, text)}) for one in release.body.risk_before.singling_out[:1]
    )
    return altered(
        release,
        {
            "title": text,
            "notes": (text,),
            "unit": text,
            "created": text,
            "columns": columns,
            "promises": findings,
            "promises_before": findings,
            "recipe": recipe,
            "versions": {"tacit": text, text: text},
            "metrics": {"loss": 0.5, f"{text}?": 1.0},
            "outputs": (release.output.model_copy(update={"name": text}),),
            "search": release.body.search.model_copy(update={"levels": {text: 1}}),
            "risk_before": release.body.risk_before.model_copy(update={"singling_out": singled}),
            "risk_after": release.body.risk_after.model_copy(update={"singling_out": singled}),
        },
    )


@pytest.mark.parametrize("release", [example_release(), broken_release()], ids=["kept", "broken"])
def test_every_section_is_there_once_and_the_contents_lead_to_it(release: TableRelease) -> None:
    page = Page(render_report(release))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert set(SECTIONS) <= set(ids)
    leads = {value[1:] for tag, name, value in page.attributes if (tag, name) == ("a", "href") and value[0] == "#"}
    assert leads == set(SECTIONS) - {"verdict", "key-figures", "not-promised"}


@pytest.mark.slow
def test_the_verdict_says_whether_promises_are_kept() -> None:
    assert "This release keeps its promises." in Page(render_report(example_release())).text
    broken = Page(render_report(broken_release())).text
    assert "This release does NOT keep its promises." in broken
    assert "k-anonymity fails in 17 of 412 classes; 61 people are not protected as promised" in broken
    nothing = altered(example_release(), {"promises": (), "promises_before": ()})
    assert "This release promises nothing." in Page(render_report(nothing)).text


@pytest.mark.parametrize("release", [example_release(), broken_release()], ids=["kept", "broken"])
def test_nothing_is_asked_for_from_outside(release: TableRelease) -> None:
    page = Page(render_report(release))
    used = {name for _, name, _ in page.attributes}
    assert not used & REQUESTS
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "embed", "base", "use"}
    for tag, name, value in page.attributes:
        assert not name.startswith("on")
        assert "url(" not in value
        if name == "href":
            assert tag == "a"
            assert value.startswith(("#", "https://doi.org/"))
        else:
            assert "//" not in value
    assert not re.search(r"url\(|@import|@font-face|//|expression", page.style)


def test_the_policy_comes_before_anything_it_governs() -> None:
    page = Page(render_report(example_release()))
    names = [tag for tag, _ in page.tags]
    policy = next(value for value in page.values("content") if "default-src" in value)
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in policy
    assert "http-equiv" in page.tags[names.index("meta") + 1][1]
    assert names.index("meta") < names.index("style")


def leaves(node: Any, path: str = "") -> list[tuple[str, float]]:
    if isinstance(node, bool) or node is None or isinstance(node, str):
        return []
    if isinstance(node, int | float):
        return [(path, float(node))]
    items = node.items() if isinstance(node, dict) else enumerate(node)
    return [leaf for key, value in items for leaf in leaves(value, f"{path}.{key}")]


def numbered(node: Any, numbers: Any) -> Any:
    """The same fields with a number of its own in each place, so that none can stand in for another."""
    if isinstance(node, bool) or node is None or isinstance(node, str):
        return node
    if isinstance(node, int):
        return 10_007 + 13 * next(numbers)
    if isinstance(node, float):
        return round(0.0001 + 0.0003 * next(numbers), 7)
    if isinstance(node, dict):
        return {key: numbered(value, numbers) for key, value in node.items()}
    return [numbered(value, numbers) for value in node]


# Positions are places in arrays of a finished run and mean nothing to a reader.
UNSEEN = re.compile(r"\.worst_positions\.")


@pytest.mark.parametrize("distinct", [False, True], ids=["example", "numbered"])
def test_every_number_of_the_release_is_shown(distinct: bool) -> None:
    dump = example_release().model_dump()
    release = TableRelease.model_validate(numbered(dump, iter(range(10_000))) if distinct else dump)
    shown = Page(render_report(release)).numbers()
    missing = [path for path, number in leaves(release.model_dump()) if number not in shown and not UNSEEN.search(path)]
    assert not missing


def test_a_number_that_is_left_out_would_be_noticed() -> None:
    release = altered(example_release(), {"notes": ()})
    assert 2_399.0 not in Page(render_report(release)).numbers()


TAGS = Page(render_report(named_after("x"))).tags


@pytest.mark.slow
@given(text=TEXTS)
@examples(30)
def test_names_never_become_markup(text: str) -> None:
    hostile = Page(render_report(named_after(text)))
    assert hostile.tags == TAGS
    assert clean(text).split() == [] or clean(text).split()[0] in hostile.text
    assert clean(hostile.text) == hostile.text


def test_both_ends_of_a_band_of_risk_are_written_alike() -> None:
    rows = [str(row[0]) for figure in risks(example_release()) for row in figure.rows]
    assert rows
    assert not any(".0" in row.partition("</data>")[2] for row in (re.sub('value="[^"]*"', "", one) for one in rows))


def test_columns_of_a_group_keep_the_order_of_the_plan() -> None:
    first = example_release().measured[0]
    same = tuple(first.model_copy(update={"column": f"c{i}", "measured": 50.0 - i}) for i in range(12))
    (group,) = promise_groups(altered(example_release(), {"promises": same}))
    assert group.columns == tuple(f"c{i}" for i in range(12))
    assert group.first.promise.finding.column == "c11"


def test_what_is_not_seen_is_shown() -> None:
    page = Page(render_report(named_after("\u061ca\u200bb\ufeff\U000e0041"))).text
    assert r"\u061ca\u200bb\ufeff\U000e0041" in page
    assert clean(page) == page


def test_the_weakest_classes_can_be_found_in_the_release() -> None:
    """Labels of unchanged columns are shown too: without them, different classes look alike."""
    release = example_release()
    finding = release.measured[0]
    labels = {"race": "White", "age": "[20, 40)"}
    worst = tuple(one.model_copy(update={"published": labels}) for one in finding.worst)
    shown = altered(release, {"promises": (finding.model_copy(update={"worst": worst}),)})
    text = " ".join(Page(render_report(shown)).text.split())
    assert text.count("race White age [20, 40)") == len(worst)


def nobody(risk: Risk) -> Risk:
    zero = dict.fromkeys(("people", "classes", "unique"), 0) | dict.fromkeys(
        ("prosecutor_highest", "prosecutor_average", "journalist_highest", "journalist_average", "marketer"), 0.0
    )
    return risk.model_copy(update={**zero, "sizes": (), "singling_out": (), "above": 0.0, "unique_share": 0.0})


def test_a_release_in_which_nobody_is_left_can_be_reported() -> None:
    release = example_release()
    empty = tuple(one.model_copy(update={"measured": float("inf"), "worst": ()}) for one in release.measured)
    update = {
        "promises": empty,
        "promises_before": (),
        "columns": (),
        "metrics": {},
        "notes": (),
        "risk_before": nobody(release.body.risk_before),
        "risk_after": nobody(release.body.risk_after),
    }
    text = Page(render_report(altered(release, update))).text
    assert "∞" in text
    assert "nan" not in text.lower()


def many_columns(number: int) -> TableRelease:
    """The example with so many sensitive columns, l-diversity promised of each."""
    release = example_release()
    diversity, before = release.measured[1], release.measured_before[1]
    names = [f"bill_{i}" for i in range(number)]
    parameters = [{**diversity.parameters, "column": name} for name in names]
    several = tuple(
        diversity.model_copy(update={"column": name, "parameters": given, "measured": 3.2 + i})
        for i, (name, given) in enumerate(zip(names, parameters, strict=True))
    )
    earlier = tuple(
        before.model_copy(update={"column": name, "parameters": given})
        for name, given in zip(names, parameters, strict=True)
    )
    secret = release.body.columns[-2]
    columns = tuple(secret.model_copy(update={"name": name, "marginals": ()}) for name in names)
    update = {
        "promises": (release.promises[0], *several),
        "promises_before": (release.promises_before[0], *earlier),
        "columns": (*release.body.columns[:-2], *columns),
    }
    return altered(release, update)


@pytest.mark.parametrize("number", [20, 200])
def test_many_columns_are_grouped_and_folded(number: int) -> None:
    html = render_report(many_columns(number))
    page = Page(html)
    text = " ".join(page.text.split())
    assert html.count('<article class="promise">') == 2
    assert f"entropy l-diversity of {number} columns were measured again in the written file and hold" in text
    assert "The column that comes closest to the bound is bill_0" in text
    unfolded = re.sub(r"<details.*?</details>", "", html, flags=re.DOTALL)
    again = Page(unfolded)
    assert again.text.count("Rare and frequent values") <= 2
    assert len(again.tags) < len(Page(render_report(example_release())).tags) + 3 * number + 100
    assert all(f"bill_{i}" in page.text for i in range(number))


def test_the_weakest_of_a_group_is_shown() -> None:
    release = many_columns(5)
    failing = release.measured[3].model_copy(
        update={"measured": 2.5, "holds": False, "failing": 1, "failing_people": 7}
    )
    promises = tuple(failing if one.column == failing.column else one for one in release.measured)
    text = " ".join(Page(render_report(altered(release, {"promises": promises}))).text.split())
    assert f"comes closest to the bound is {failing.column}" in text
    assert "This release does NOT keep its promises" in text


def test_what_is_not_promised_comes_before_the_first_section() -> None:
    html = render_report(example_release())
    assert html.index('id="not-promised"') < html.index('id="promises"') < html.index('id="limits"')
    assert html.index('id="limits"') < html.index('id="classes"')


def test_shares_are_written_in_percent_and_risk_stands_with_risk() -> None:
    metrics = {"loss": 0.4151, "query-error": 1.13, "risk": 0.2, "singling-out": 0.0}
    html = render_report(altered(example_release(), {"metrics": metrics}))
    sections = {part.split('"')[0]: Page(f'<section id="{part}').text for part in sectioned(html)}
    assert "41.5\u202f%" in sections["loss"]
    assert "113.0\u202f%" in sections["loss"]
    assert "Re-identification risk" in sections["risk"]
    assert "Re-identification risk" not in sections["loss"]
    assert "Singling out" in sections["risk"]


def sectioned(html: str) -> list[str]:
    """What follows each `<section id="`, up to where it ends."""
    return [part.split("</section>")[0] + "</section>" for part in html.split('<section id="')[1:]]


def test_columns_without_a_loss_have_no_row_of_dashes() -> None:
    html = render_report(example_release())
    loss = Page(next(f'<section id="{part}' for part in sectioned(html) if part.startswith("loss")))
    assert "– → –" not in loss.text
    assert "removed: name" in " ".join(loss.text.split())
    assert "The loss is that of suppressed rows." in loss.text


def test_nobody_alone_in_the_release_is_told_of_every_combination() -> None:
    release = example_release()
    after = release.body.risk_after.model_copy(update={"singling_out": ()})
    html = render_report(altered(release, {"risk_after": after}))
    alone = Page(next(f'<section id="{part}' for part in sectioned(html) if part.startswith("singling-out")))
    assert alone.text.count("0\u202f% 0") == len(release.body.risk_before.singling_out)
    some = after.model_copy(update={"unique": 3})
    assert "not counted" in render_report(altered(release, {"risk_after": some}))


@pytest.mark.parametrize("given", [{}, {"purpose": "a study", "approved_by": "A. Turing", "title": "Incomes"}])
def test_the_report_has_lines_for_purpose_approval_and_signature(given: dict[str, str]) -> None:
    release = example_release()
    plan = {**release.recipe.plan, "about": given} if given else release.recipe.plan
    update = {"recipe": release.recipe.model_copy(update={"plan": plan})}
    html = render_report(altered(release, update))
    page = Page(html)
    assert page.values("class").count("blank") == 6 - len(given.keys() & {"purpose", "approved_by"})
    assert all(words in page.text for words in given.values())
    assert "signature" in page.text
    heading = re.search("<h1><bdi>([^<]*)", html)
    assert heading is not None
    assert heading[1] == given.get("title", "adult-release.csv")


def test_the_plan_is_folded_and_compact() -> None:
    html = render_report(example_release())
    found = re.search(r'<details class="plan">.*?<pre>(.*?)</pre></details>', html, re.DOTALL)
    assert found is not None
    text = Page(f"<pre>{found[1]}</pre>").text
    assert yaml.safe_load(text) == example_release().recipe.plan
    assert len(text.splitlines()) < 16


def test_different_bands_of_risk_are_drawn_apart() -> None:
    release = example_release()
    after = release.body.risk_after.model_copy(update={"edges": (0.0, 0.5, 1.0), "distribution": (0.75, 0.25)})
    together = Page(render_report(release)).text.count("People by their risk")
    apart = Page(render_report(altered(release, {"risk_after": after}))).text
    assert apart.count("People by their risk") == together + 1


def test_the_report_is_written_whole(tmp_path: Path) -> None:
    write_report(example_release(), tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text("utf-8") == render_report(example_release())
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_pictures_speak() -> None:
    html = render_report(example_release())
    pictures = re.findall(r"<svg[^>]*role=\"img\"[^>]*><title>([^<]+)</title><desc>([^<]+)</desc>", html)
    assert len(pictures) == html.count('role="img"') > 20


def test_a_release_from_a_seed_says_at_once_that_it_may_not_be_published() -> None:
    release = example_release()
    seeded = altered(release, {"seeded": True})
    assert "may not be published" in render_report(seeded)
    assert "made from a seed" not in render_report(release)
