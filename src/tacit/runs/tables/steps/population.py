"""A population: people in the data hide among those who could be, with the labels that the release gives them."""

from typing import ClassVar, Self

from tacit.data.dataset import Dataset
from tacit.data.tables.published import PublishedTable
from tacit.data.tables.tally import Census, Tally
from tacit.plan.schema import ReleaseSection
from tacit.runs.tables.step import NoParameters, Step

NO_LABEL = "\0"


class PopulationStep(Step[NoParameters]):
    """Compares the released classes with those of a population."""

    name = "population"
    place = 50
    key = "population"
    example: ClassVar = {"path": "everybody.csv"}
    in_republication = "republication does not take a population into account; leave it out"

    def asked(self, dataset: Dataset, section: ReleaseSection | None) -> Self | None:
        """The step, if the plan names a population."""
        return None if dataset.population is None else self

    def people_beside(self, published: PublishedTable) -> Tally | None:
        """The people of the population, with the labels that the release gives them."""
        return generalised_population(published)


def generalised_population(published: PublishedTable) -> Tally | None:
    """The people of the population with the labels that the release gives them; None without a population."""
    people, recoding = published.table.tally.population, published.recoding
    if people is None:
        return None
    # People of the population whose rows are suppressed fit no class: they have labels that no class has.
    labels, rows = tuple((*labels, NO_LABEL) for labels in recoding.labels), people[recoding.combination]
    return Tally(recoding.columns, labels, published.codes, rows, Census(rows))


STEP = PopulationStep()
