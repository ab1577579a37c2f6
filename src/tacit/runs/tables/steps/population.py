"""A population: who is in the data hides among the people who could be, with the labels that the release gives them."""

from tacit.data.dataset import Dataset
from tacit.data.tables.population import beside_population
from tacit.data.tables.published import Published
from tacit.data.tables.tally import Census, Tally
from tacit.plan.schema import ReleaseSection
from tacit.runs.tables.step import Step

NO_LABEL = "\0"


class PopulationStep(Step):
    """The released classes are compared with those of the population."""

    name = "population"
    place = 50

    def is_asked(self, dataset: Dataset, section: ReleaseSection) -> bool:
        """Whether the plan names a population."""
        return dataset.population is not None

    def beside(self, published: Published, tally: Tally) -> Tally:
        """The released tally beside the population."""
        people = generalised_population(published)
        return tally if people is None else beside_population(tally, people)


def generalised_population(published: Published) -> Tally | None:
    """The people of the population with the labels that the release gives them; None without a population."""
    people, recoding = published.table.tally.population, published.recoding
    if people is None:
        return None
    # People of the population whose rows are suppressed fit no class: they have labels that no class has.
    labels, rows = tuple((*labels, NO_LABEL) for labels in recoding.labels), people[recoding.combination]
    return Tally(recoding.columns, labels, published.codes, rows, Census(rows))


STEP = PopulationStep()
