"""What the figures say in sentences."""

from typing import Any

import pytest
from tests.evidence.example_release import altered, broken_release, example_release

from tacit.evidence.reading import (
    cards,
    classes_lead,
    counting,
    effort,
    optimality,
    plain,
    risk_lead,
    singling_lead,
    verdict,
)
from tacit.release.tables import TableRelease


def changed(**update: Any) -> TableRelease:
    return altered(example_release(), update)


def with_recipe(**update: Any) -> TableRelease:
    release = example_release()
    return altered(release, {"search": release.body.search.model_copy(update=update)})


def test_the_verdict_has_three_states() -> None:
    assert verdict(example_release()).state == "holds"
    assert verdict(broken_release()).state == "fails"
    assert verdict(changed(promises=())).state == "empty"


def test_one_promise_is_told_in_the_singular() -> None:
    release = example_release()
    reason = verdict(altered(release, {"promises": release.measured[:1]})).reason
    assert reason == "k-anonymity was measured again in the written file and holds."


def test_cards_show_the_change() -> None:
    shown = {card.name: (card.before, card.value) for card in cards(example_release())}
    assert shown["Guarantees"] == (None, "3 of 3")
    assert shown["Unique people"] == ("16,011", "0")
    assert shown["Classes"] == ("20,149", "412")
    assert plain(shown["Highest risk"][1]) == "16.7 %"
    assert {card.name: card.value for card in cards(changed(metrics={}))}["Loss"] == "not measured"


def test_leads_name_what_matters() -> None:
    release = example_release()
    assert plain(classes_lead(release)) == (
        "Before, 16,011 people were alone in a class (53.1 %). Now nobody is; the smallest class has 6 people."
    )
    assert "from 81.4 % to 0 %" in plain(risk_lead(release))
    assert plain(singling_lead(release)) == (
        "Before, 12,611 people were alone with age, education, native-country, race and workclass (41.8 %); "
        "in the release nobody is."
    )


def test_leads_of_a_release_that_changes_nothing() -> None:
    release = changed(risk_after=example_release().body.risk_before)
    assert plain(classes_lead(release)).endswith("Now 16,011 people are.")
    assert plain(singling_lead(release)).endswith("in the release 12,611 are.")
    without = release.body.risk_before.model_copy(update={"singling_out": ()})
    assert singling_lead(altered(release, {"risk_before": without})) == ""


@pytest.mark.parametrize(
    ("update", "text"),
    [
        ({"optimal": True}, "Proved best"),
        ({"optimal": None}, "makes no claim"),
        ({"optimal": False, "lower_bound": None}, "a better release of this method may exist"),
        (
            {"optimal": False, "lower_bound": 0.25},
            "no release of this method can score below 0.25, and this release reached 0.3143",
        ),
        ({"optimal": False, "lower_bound": 0.25, "objective": "?"}, "no release of this method can score below 0.25."),
    ],
)
def test_optimality(update: dict[str, Any], text: str) -> None:
    assert text in optimality(with_recipe(**update))


def test_effort() -> None:
    assert plain(effort(example_release().body.search)) == "1,187 of 12,960 candidates were evaluated (9.2 %)."
    assert effort(with_recipe(candidates=None).body.search) == ""
    assert effort(with_recipe(candidates=1, evaluated=None).body.search) == "1 candidate."
    assert effort(with_recipe(candidates=0, evaluated=0).body.search) == "0 of 0 candidates were evaluated."
    vast = effort(with_recipe(candidates=3 * 10**36, evaluated=13_551).body.search)
    assert vast == "13,551 of some 10^36 candidates were evaluated."


def test_counting_says_what_a_person_is() -> None:
    assert "Each row counts as one person" in counting(example_release())
    assert "patient tells them apart" in counting(changed(unit="patient"))
