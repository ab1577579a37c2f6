"""People with several rows: the file does not show who they are, so a twin that keeps the unit is counted instead."""

from dataclasses import replace
from typing import ClassVar, Self

from tacit.data.dataset import Dataset
from tacit.engines.engine import Engine
from tacit.plan.schema import ReleaseSection
from tacit.runs.tables.read_back import ReadBack, read_back, require_as_decided
from tacit.runs.tables.recode import twin
from tacit.runs.tables.step import NoParameters, ReleasedRows, Step


class UnitStep(Step[NoParameters]):
    """Counts people, not rows."""

    name = "unit"
    place = 60
    key = "unit"
    example: ClassVar = "person"
    in_republication = None

    def asked(self, dataset: Dataset, section: ReleaseSection | None) -> Self | None:
        """The step, if the plan names the column that identifies people."""
        return None if dataset.unit is None else self

    def read_again(self, released: ReleasedRows, engine: Engine) -> ReadBack:
        """The twin as it reads, found to be what was decided."""
        dataset, published = released.rows.dataset, released.published
        assert dataset.unit is not None
        target = replace(released.target, shuffle_key=None)
        with twin(engine, dataset, published, target, (dataset.unit,)) as source:
            counted = read_back(engine, source, dataset.reading, published.table.tally.sensitive)
        require_as_decided(counted, published, target)
        return counted


STEP = UnitStep()
