"""What cards of tables and columns are run on: tables and columns drawn from a seed, and guarantees to promise.

A generated table has the quasi-identifiers `age`, `zip` and `job` and the sensitive column `disease`, some of whose
cells are empty. Generated columns are called `first` and `second`; their texts are `no` and `yes`, and a number is
missing in each.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy as np
from pydantic import ValidationError

from tacit.cards.columns import CellValues
from tacit.data.columns import Columns, columns_of
from tacit.data.dataset import Dataset
from tacit.errors import TacitError
from tacit.guarantees.catalogue import guarantees
from tacit.guarantees.guarantee import Guarantee, TableGuarantee, is_given
from tacit.verbs.datasets import check
from tacit.verbs.reading import read

ROWS = 60
SEED = 20_250_101
ROLES: Mapping[str, Any] = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
    "job": {"role": "quasi-identifier"},
    "disease": {"role": "sensitive"},
}
DISEASES = ("flu", "cold", "asthma", "")


def generated_table(seed: int = SEED) -> Dataset:
    """A table with one row per person."""
    import pyarrow as pa

    generator = np.random.default_rng(seed)
    cells = {
        "age": generator.integers(20, 60, ROWS).astype(str),
        "zip": generator.integers(1000, 1040, ROWS).astype(str),
        "job": generator.choice(["nurse", "cook", "clerk"], ROWS),
        "disease": generator.choice(DISEASES, ROWS),
    }
    return read(pa.table({name: pa.array(values.tolist()) for name, values in cells.items()}), ROLES)


def generated_columns(cells: CellValues, others: tuple[str, ...] = (), seed: int = SEED) -> Columns:
    """Two columns to be treated, of numbers or of texts, and others that are read beside them."""
    generator = np.random.default_rng(seed)
    numbers = {name: generator.normal(50, 10, ROWS).round(1) for name in ("first", "second", *others)}
    texts = {name: generator.choice(["no", "yes"], ROWS) for name in ("first", "second")}
    for name in ("first", "second"):
        numbers[name][generator.integers(ROWS)] = np.nan
    return columns_of(numbers | texts if cells == "texts" else numbers)


def trial_guarantees(given: tuple[str, ...] | Literal["any"]) -> Iterator[TableGuarantee]:
    """The guarantees about one release of a table that a method says it gives, with parameters within their bounds.

    Those that can't be measured on a generated table are left out, and those whose parameters can't be guessed.
    """
    for kind in guarantees().values():
        able = issubclass(kind, TableGuarantee) and kind.subject in ("class", "candidates")
        if able and is_given(kind, given):
            yield from (one for one in guessed(kind) if isinstance(one, TableGuarantee) and _is_measurable(one))


def _is_measurable(guarantee: TableGuarantee) -> bool:
    """Whether the guarantee can be measured on a generated table; one about numbers or a population can't."""
    try:
        check(generated_table(), [guarantee])
    except TacitError:
        return False
    return True


def guessed(kind: type[Guarantee]) -> tuple[Guarantee, ...]:
    """One instance with allowed parameters; none if they can't be guessed from their bounds."""
    schema = kind.model_json_schema()
    needed = {name: _inside(schema["properties"][name]) for name in schema.get("required", ())}
    try:
        return (kind.model_validate(needed),)
    except ValidationError:
        return ()


def _inside(schema: Mapping[str, Any]) -> Any:
    """A value that the schema of a parameter allows: the least whole number, the middle of a range, or a little above
    its beginning where it has no end."""
    if "enum" in schema:
        return schema["enum"][0]
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None:
        return None
    if schema.get("type") == "integer":
        return low + 1 if "exclusiveMinimum" in schema else low
    return low + 0.5 if high is None else (low + high) / 2
