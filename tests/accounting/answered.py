"""Cards by their names: their parameters, and their noisy answers, which tell noise, grid and event."""

import numpy as np

from tacit.catalogue import find_method
from tacit.randomness.stream import RandomBits

FAR = np.arange(-400, 401)
BITS = RandomBits.from_seed(1)


def parsed(name, **changes):
    card = find_method(name)
    return card.params.parse(name, {**card.example.model_dump(), **changes})


def answered(name, answer, **changes):
    """A noisy answer of the card, with its own parameters but for the changes."""
    return find_method(name).run(answer, parsed(name, **changes), BITS)
