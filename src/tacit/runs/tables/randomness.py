"""Where the randomness of a release comes from."""

from tacit.plan.schema import ReleaseSection
from tacit.randomness.stream import RandomBits

FROM_A_SEED = (
    "This release was made from a seed: anyone who knows it can remove the randomness, so it may not be published."
)


def bits_of(section: ReleaseSection) -> RandomBits:
    """The randomness of a release: the operating system's, or that of the plan's seed."""
    return RandomBits.from_os() if section.seed is None else RandomBits.from_seed(section.seed)
