"""The patient table of W4, raw and generalised."""

RAW = [
    dict(zip(("zip", "age", "nationality", "disease"), line.split(), strict=True))
    for line in (
        "13053 28 Russian Heart",
        "13068 29 American Heart",
        "13068 21 Japanese Flu",
        "13053 23 American Flu",
        "14853 50 Indian Cancer",
        "14853 55 Russian Heart",
        "14850 47 American Flu",
        "14850 59 American Flu",
        "13053 31 American Cancer",
        "13053 37 Indian Cancer",
        "13068 36 Japanese Cancer",
        "13068 32 American Cancer",
    )
]


def _generalised(row: dict[str, str]) -> dict[str, str]:
    age = int(row["age"])
    zip_ = "1485*" if row["zip"].startswith("1485") else "130**"
    return {**row, "zip": zip_, "age": "<30" if age < 30 else "30-40" if age <= 40 else ">40", "nationality": "*"}


GENERALISED = [_generalised(row) for row in RAW]
QUASI = ("zip", "age", "nationality")
DISEASES = ["Cancer", "Flu", "Heart"]
