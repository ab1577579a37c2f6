"""What a card draws, recorded: every noise with the secret numbers it was added to, every choice with its regrets.

A card is run on one dataset with real randomness, then on a neighbour so that the same is published: each noisy sum and
each choice is replayed. So later questions, which may depend on earlier answers, are the same, and the two transcripts
differ in secrets alone. Their losses are those of independent noises and choices, whose laws are written out.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tests.accounting.exact_laws import Loss, Pair, flips, gaussian_pair, laplace_pair, pair, softmax

from tacit.catalogue import methods
from tacit.methods.statistics._logistic import noise as _logistic_noise
from tacit.noise import grid as _grid
from tacit.noise import noise as _noise
from tacit.randomness import selection
from tacit.randomness.stream import RandomBits

DRAWING = [card for name, card in methods().items() if name.split("/")[0] in ("mechanisms", "statistics", "synthesize")]
"""All cards that draw, imported now: a module that is first imported while functions are swapped would keep them."""
LAWS = {"exponential_choice": softmax, "permute_and_flip": flips}


@dataclass(frozen=True)
class Sum:
    """Secret numbers and the noise that was added to each."""

    steps: np.ndarray
    noise: Any

    def against(self, other: "Sum", weaker: float) -> list[Pair]:
        assert self.noise == other.noise
        shifts = np.abs(self.steps - other.steps)
        if isinstance(self.noise, Cube):
            # The loss of cube noise is at most that of Laplace noise on its largest shift, and reaches it.
            shifts = np.array([shifts.max()])
        laplace = hasattr(self.noise, "rate")
        size = float(self.noise.rate * weaker if laplace else self.noise.sigma / weaker)
        return [(laplace_pair if laplace else gaussian_pair)(size, int(shift)) for shift in shifts if shift]


@dataclass(frozen=True)
class Chosen:
    """The regrets among which one was chosen, the rate, and how."""

    regrets: np.ndarray
    rate: float
    way: str

    def against(self, other: "Chosen", weaker: float) -> list[Pair]:
        assert (self.rate, self.way, self.regrets.size) == (other.rate, other.way, other.regrets.size)
        law = LAWS[self.way]
        return [pair(law(self.regrets, self.rate * weaker), law(other.regrets, self.rate * weaker))]


@dataclass(frozen=True)
class Cube:
    """Noise in the shape of a cube."""

    rate: Any


@dataclass
class Transcript:
    """What was drawn and what was published, in order."""

    stages: list[Any] = field(default_factory=list)
    published: list[Any] = field(default_factory=list)


@contextmanager
def recorded(patch: Any, replayed: Transcript | None = None) -> Iterator[Transcript]:
    """Everything that cards draw, published as before where a transcript is replayed."""
    made, noises = Transcript(), []

    def publish(found: Any) -> Any:
        result = found if replayed is None else replayed.published[len(made.published)]
        made.published.append(result)
        return result

    def watch(draw: Any) -> Any:
        def drawn(noise: Any, size: int, bits: RandomBits) -> Any:
            noises.append(noise)
            return draw(noise, size, bits)

        return drawn

    def cube(rate: Any, size: int, bits: RandomBits) -> Any:
        noises.append(Cube(rate))
        return cube_noise(rate, size, bits)

    def added(steps: Any, noise: Any) -> Any:
        made.stages.append(Sum(np.array(steps), noises.pop()))
        return publish(clamped_sum(steps, noise))

    def choosing(name: str) -> Any:
        def choose(regrets: Any, rate: Any, size: int, bits: RandomBits, times: Any = None) -> Any:
            assert size == 1
            among = np.array(regrets) if times is None else np.repeat(regrets, times)
            made.stages.append(Chosen(among, float(rate), name))
            return publish(real[name](regrets, rate, size, bits, *([] if times is None else [times])))

        return choose

    clamped_sum, cube_noise = _grid.clamped_sum, _logistic_noise.cube_noise
    real = {name: getattr(selection, name) for name in LAWS}
    swaps = {clamped_sum: added, cube_noise: cube} | {real[name]: choosing(name) for name in LAWS}
    with patch.context() as held:
        for noise in (_noise.LaplaceNoise, _noise.GaussianNoise):
            held.setattr(noise, "draw", watch(noise.draw))
        for name, module in list(sys.modules.items()):
            if name.startswith(("tacit.methods.", "tacit.noise.")):
                for attribute, found in list(vars(module).items()):
                    if callable(found) and getattr(found, "__hash__", None) and found in swaps:
                        held.setattr(module, attribute, swaps[found])
        yield made


@dataclass(frozen=True)
class Run:
    """A card on one of two neighbours; `weaker` is by how much its noise is made less than it is."""

    card: Any
    params: Any
    weaker: float = 1.0
    seed: int = 1

    def losses(self, first: Any, second: Any, patch: Any, along: Any = None) -> tuple[list[Pair], Any]:
        """The pairs of independent outputs that tell two neighbours apart, and the event that is claimed for them.

        What is published is drawn from the first of them, or from the dataset `along`: each noisy sum and each choice
        can come out on any dataset, and an event must cover those too that hardly ever do.
        """
        path = None
        if along is not None:
            with recorded(patch) as path:
                self.card.run(along, self.params, RandomBits.from_seed(self.seed))
        with recorded(patch, path) as here:
            answer = self.card.run(first, self.params, RandomBits.from_seed(self.seed))
        with recorded(patch, here) as there:
            other = self.card.run(second, self.params, RandomBits.from_seed(self.seed))
        assert answer.event == other.event
        stages = zip(here.stages, there.stages, strict=True)
        return [pair for one, two in stages for pair in one.against(two, self.weaker)], answer.event


def sides(pairs: list[Pair]) -> tuple[list[Loss], list[Loss]]:
    """All losses in one direction and in the other."""
    return [one.there for one in pairs], [one.back for one in pairs]
