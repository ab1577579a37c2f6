"""A release as a run would leave it, with numbers made by hand: 30,162 people, nine columns, three guarantees."""

from collections.abc import Mapping
from typing import Any

from tacit.guarantees.catalogue import parse_table_guarantee
from tacit.promise import Measured, WorstPart
from tacit.release.release import Fingerprint, Recipe
from tacit.release.tables import (
    ColumnReport,
    Marginal,
    Risk,
    Search,
    SinglingOut,
    SizeBin,
    Suppression,
    TableBody,
    TableRelease,
)

PEOPLE = 30_162
SUPPRESSED = 543
EDGES = (0.0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)


def example_release() -> TableRelease:
    """The release that keeps its promises."""
    output = Fingerprint(name="adult-release.csv", bytes=2_811_948, sha256="0c" * 32, rows=PEOPLE - SUPPRESSED)
    return TableRelease(
        kind="tables",
        created="2026-02-11T09:42:17+00:00",
        title="Adult census income",
        unit=None,
        inputs=(Fingerprint(name="adult.csv", bytes=3_974_305, sha256="3f" * 32, rows=PEOPLE),),
        plan=Fingerprint(name="plan.yaml", bytes=1_482, sha256="a7" * 32),
        outputs=(output,),
        promises=findings(),
        promises_before=findings_before(),
        recipe=recipe(),
        notes=("2,399 rows with a missing value were kept; a missing value is a value of its own.",),
        seconds={"read": 0.081, "count": 0.034, "search": 1.27, "write": 0.112, "check": 0.146},
        versions={"tacit": "0.1.0", "python": "3.11.9", "duckdb": "1.4.1", "numpy": "2.1.3"},
        body=example_body(),
    )


def example_body() -> TableBody:
    """What is known of the released table."""
    return TableBody(
        counted="rows",
        classes=412,
        risk_before=risk_before(),
        risk_after=risk_after(),
        suppressed=Suppression(rows=SUPPRESSED, share=SUPPRESSED / PEOPLE, limit=0.02, written=False),
        search=search(),
        columns=columns(),
        metrics={
            "loss": 0.31427,
            "distortion": 1.8125,
            "precision": 0.60833,
            "discernibility": 8_114_236.0,
            "average-class-size": 71.891,
            "entropy": 0.45219,
        },
    )


def altered(release: TableRelease, update: Mapping[str, Any]) -> TableRelease:
    """The release with other parts, of its body or of its envelope."""
    inside = {name: part for name, part in update.items() if name in TableBody.model_fields}
    outside = {name: part for name, part in update.items() if name not in TableBody.model_fields}
    return release.model_copy(update={**outside, "body": release.body.model_copy(update=inside)})


def broken_release() -> TableRelease:
    """The same release with a promise that fails."""
    release = example_release()
    first = release.measured[0].model_copy(
        update={
            "measured": 3.0,
            "holds": False,
            "says": "17 of 412 classes break the promise that each class has at least 5 people; the smallest has 3",
            "failing": 17,
            "failing_people": 61,
            "worst": tuple(
                one.model_copy(update={"people": 3, "rows": 3, "measured": 3.0}) for one in release.measured[0].worst
            ),
        }
    )
    return altered(release, {"promises": (first, *release.promises[1:])})


LABELS = (
    {"age": "[20, 40)", "education": "Higher education", "sex": "*", "native-country": "*"},
    {"age": "[60, 80)", "education": "Secondary education", "sex": "*", "native-country": "*"},
    {"age": "[40, 60)", "education": "Primary education", "sex": "*", "native-country": "*"},
)


def findings() -> tuple[Measured, ...]:
    """Three guarantees that hold."""
    return (
        _finding("k-anonymity", {"k": 5}, (6, 6, 7), "each class has at least 5 people; the smallest has 6"),
        _finding(
            "l-diversity",
            {"l": 3.0, "kind": "entropy", "c": None, "column": "occupation"},
            (3.1184, 3.1402, 3.3771),
            "each class has at least 3 effective values of occupation; the least diverse has 3.118",
        ),
        _finding(
            "t-closeness",
            {"t": 0.2, "distance": "hierarchical", "column": "occupation"},
            (0.19437, 0.18821, 0.18108),
            "the distribution of occupation in each class is within 0.2 of the input's (hierarchical distance); "
            "the most distant is 0.1944 away",
        ).model_copy(update={"compared_with": "the distribution of the input"}),
    )


def _finding(
    name: str, parameters: dict[str, float | int | str | None], measured: tuple[float, float, float], says: str
) -> Measured:
    guarantee = parse_table_guarantee({name: parameters})
    return Measured(
        name=name,
        title=guarantee.title,
        form=guarantee.form,
        side=guarantee.side,
        column=str(parameters["column"]) if "column" in parameters else None,
        parameters=parameters,
        bound=float(next(iter(parameters.values())) or 0),
        measured=measured[0],
        holds=True,
        says=says,
        parts=412,
        failing=0,
        failing_people=0,
        worst=tuple(
            WorstPart(people=people, rows=people, measured=value, published=published)
            for people, value, published in zip((6, 6, 7), measured, LABELS, strict=True)
        ),
        worst_positions=(11, 217, 98),
    )


def findings_before() -> tuple[Measured, ...]:
    """The same guarantees on the input, where they fail."""
    values = ((1.0, 19_204, 27_411), (1.0, 17_950, 26_018), (0.91338, 18_811, 27_102))
    return tuple(
        finding.model_copy(
            update={
                "measured": measured,
                "holds": False,
                "parts": 20_149,
                "failing": classes,
                "failing_people": people,
                "worst": (),
                "worst_positions": (),
            }
        )
        for finding, (measured, classes, people) in zip(findings(), values, strict=True)
    )


def recipe() -> Recipe:
    """A full-domain recipe, proved best."""
    plan = {
        "version": 1,
        "data": {"path": "adult.csv", "delimiter": ";"},
        "unit": None,
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": "adult_hierarchy_age.csv", "weight": 1.0},
            "sex": {"role": "quasi-identifier", "hierarchy": "adult_hierarchy_sex.csv"},
            "occupation": {"role": "sensitive", "hierarchy": "adult_hierarchy_occupation.csv"},
        },
        "release": {
            "guarantees": [
                {"k-anonymity": {"k": 5}},
                {"l-diversity": {"l": 3, "kind": "entropy", "column": "occupation"}},
                {"t-closeness": {"t": 0.2, "distance": "hierarchical", "column": "occupation"}},
            ],
            "method": "tables/lattice",
            "suppression": 0.02,
            "objective": "loss",
        },
    }
    return Recipe(
        method="tables/lattice",
        parameters={"suppression": 0.02, "seconds": 60},
        command="tacit protect plan.yaml -o adult-release.csv",
        plan=plan,
    )


def search() -> Search:
    """A full-domain search that was finished."""
    levels = {"age": 2, "education": 2, "marital-status": 1, "native-country": 2, "race": 0, "sex": 1, "workclass": 1}
    return Search(
        objective="loss", levels=levels, optimal=True, lower_bound=0.31427, candidates=12_960, evaluated=1_187
    )


def columns() -> tuple[ColumnReport, ...]:
    """Seven quasi-identifiers, one sensitive column, one identifier that was removed."""
    quasi = (
        (
            "age",
            4,
            2,
            72,
            4,
            0.2535,
            (
                ("[20, 40)", 16_203, 16_011),
                ("[40, 60)", 11_207, 11_040),
                ("[60, 80)", 2_101, 1_978),
                ("[0, 20)", 651, 590),
            ),
        ),
        (
            "education",
            3,
            2,
            16,
            3,
            0.3611,
            (
                ("Secondary education", 17_612, 17_391),
                ("Higher education", 11_721, 11_502),
                ("Primary education", 829, 726),
            ),
        ),
        (
            "marital-status",
            2,
            1,
            7,
            2,
            0.4402,
            (("spouse not present", 15_097, 14_801), ("spouse present", 15_065, 14_818)),
        ),
        ("native-country", 2, 2, 41, 1, 1.0, (("*", 30_162, 29_619),)),
        (
            "race",
            1,
            0,
            5,
            5,
            0.018,
            (
                ("White", 25_933, 25_611),
                ("Black", 2_817, 2_702),
                ("Asian-Pac-Islander", 895, 841),
                ("Amer-Indian-Eskimo", 286, 254),
                ("Other", 231, 211),
            ),
        ),
        ("sex", 1, 1, 2, 1, 1.0, (("*", 30_162, 29_619),)),
        (
            "workclass",
            2,
            1,
            7,
            3,
            0.1273,
            (("Non-Government", 25_874, 25_488), ("Government", 4_274, 4_131), ("Unemployed", 14, 0)),
        ),
    )
    made = [
        ColumnReport(
            name=name,
            role="quasi-identifier",
            weight=1.0,
            hierarchy=f"adult_hierarchy_{name}.csv",
            height=height,
            level=level,
            action="generalised" if level else "kept",
            distinct_before=before,
            distinct_after=after,
            loss=loss,
            distortion=float(level),
            precision=round(1 - level / height, 4),
            entropy=round(loss * 0.83, 4),
            marginals=tuple(Marginal(label=label, before=was, after=now) for label, was, now in values),
        )
        for name, height, level, before, after, loss, values in quasi
    ]
    jobs = (
        "Prof-specialty",
        "Craft-repair",
        "Exec-managerial",
        "Adm-clerical",
        "Sales",
        "Other-service",
        "Machine-op-inspct",
        "Transport-moving",
        "Handlers-cleaners",
        "Farming-fishing",
        "Tech-support",
        "Protective-serv",
        "Priv-house-serv",
        "Armed-Forces",
    )
    counts = (4_038, 4_030, 3_992, 3_721, 3_584, 3_212, 1_966, 1_572, 1_350, 989, 912, 644, 143, 9)
    occupation = ColumnReport(
        name="occupation",
        role="sensitive",
        hierarchy="adult_hierarchy_occupation.csv",
        height=2,
        action="kept",
        distinct_before=14,
        distinct_after=14,
        marginals=tuple(Marginal(label=job, before=n, after=n - n // 55) for job, n in zip(jobs, counts, strict=True)),
    )
    name = ColumnReport(name="name", role="identifier", action="removed", distinct_before=29_871)
    return (*made, occupation, name)


def _sizes(bins: tuple[tuple[int, int, int, int], ...]) -> tuple[SizeBin, ...]:
    return tuple(SizeBin(least=a, most=b, classes=c, people=p) for a, b, c, p in bins)


def risk_before() -> Risk:
    """Most people are nearly alone."""
    sizes = (
        (1, 1, 16_011, 16_011),
        (2, 2, 2_104, 4_208),
        (3, 4, 1_289, 4_330),
        (5, 9, 561, 3_514),
        (10, 19, 152, 1_871),
        (20, 49, 32, 228),
    )
    return Risk(
        people=PEOPLE,
        classes=20_149,
        prosecutor_highest=1.0,
        prosecutor_average=20_149 / PEOPLE,
        journalist_highest=1.0,
        journalist_average=20_149 / PEOPLE,
        marketer=20_149 / PEOPLE,
        unique=16_011,
        unique_share=16_011 / PEOPLE,
        threshold=0.2,
        above=24_549 / PEOPLE,
        edges=EDGES,
        distribution=(0.0, 0.0, 0.0, 0.0076, 0.062, 0.1165, 0.0715, 0.2116, 0.5308),
        sizes=_sizes(sizes),
        singling_out=(
            SinglingOut(
                columns=("age", "education", "native-country", "race", "workclass"),
                unique=12_611,
                share=12_611 / PEOPLE,
            ),
            SinglingOut(columns=("age", "education", "workclass"), unique=7_204, share=7_204 / PEOPLE),
            SinglingOut(columns=("age", "education"), unique=1_822, share=1_822 / PEOPLE),
            SinglingOut(columns=("age", "native-country"), unique=904, share=904 / PEOPLE),
            SinglingOut(columns=("native-country", "education"), unique=211, share=211 / PEOPLE),
            SinglingOut(columns=("age",), unique=2, share=2 / PEOPLE),
        ),
    )


def risk_after() -> Risk:
    """Nobody is."""
    people = PEOPLE - SUPPRESSED
    sizes = (
        (5, 9, 61, 447),
        (10, 19, 88, 1_229),
        (20, 49, 97, 3_006),
        (50, 99, 72, 5_077),
        (100, 199, 61, 8_640),
        (200, 499, 29, 8_217),
        (500, 999, 4, 3_003),
    )
    return Risk(
        people=people,
        classes=412,
        prosecutor_highest=1 / 6,
        prosecutor_average=412 / people,
        journalist_highest=1 / 6,
        journalist_average=412 / people,
        marketer=412 / people,
        unique=0,
        unique_share=0.0,
        threshold=0.2,
        above=0.0,
        edges=EDGES,
        distribution=(0.0, 0.6704, 0.1714, 0.1015, 0.0415, 0.0152, 0.0, 0.0, 0.0),
        sizes=_sizes(sizes),
        singling_out=(
            SinglingOut(columns=("age", "education", "native-country", "race", "workclass"), unique=0, share=0.0),
            SinglingOut(columns=("age", "education", "workclass"), unique=0, share=0.0),
            SinglingOut(columns=("age", "education"), unique=0, share=0.0),
            SinglingOut(columns=("age", "native-country"), unique=0, share=0.0),
            SinglingOut(columns=("native-country", "education"), unique=0, share=0.0),
            SinglingOut(columns=("age",), unique=0, share=0.0),
        ),
    )
