"""A release that is asked for in Python: a dataset instead of a plan, and the words of a plan's release section."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.data.dataset import Dataset
from tacit.guarantees.guarantee import Guarantee
from tacit.plan.schema import ReleaseSection
from tacit.runs.job import Job

if TYPE_CHECKING:
    from tacit.runs.answers.budget import PrivacyBudget


@dataclass(frozen=True, eq=False)
class ReleaseCall:
    """The dataset, what is asked of it, and what is promised, as objects.

    `job_of` is the job of the call on this dataset, or on one in which a kind has read cells first. `budget` is what a
    release with differential privacy is charged to; None if none was given.
    """

    dataset: Dataset
    section: ReleaseSection
    guarantees: tuple[Guarantee, ...]
    job_of: Callable[[Dataset], Job[Dataset]]
    budget: "PrivacyBudget | None" = None
