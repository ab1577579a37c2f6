"""The exponential mechanism (McSherry and Talwar 2007): it chooses candidate i with odds e**(epsilon u_i / 2s).

It is epsilon-private if no neighbour changes a score u by more than s; with e**(epsilon u_i / s) if a neighbour
moves all scores in one direction. Its loss has range epsilon, which composes better than epsilon alone. Taking the
best score after adding Gumbel noise is the same mechanism; here it is drawn exactly, without floats (W24).
"""

from numpy.typing import ArrayLike

from tacit.accounting.events import Exponential
from tacit.accounting.exact import exact
from tacit.cards.mechanisms import ONE_NUMBER, AnswerShape, Mechanism
from tacit.noise.private_answer import marked
from tacit.noise.scores import Choice, Selection, loss_bound, regrets, score_rate, score_steps
from tacit.randomness.selection import exponential_choice
from tacit.randomness.stream import RandomBits
from tacit.sensitivity.neighbouring_answers import scores as neighbouring_scores


class ExponentialMechanism(Selection):
    """A choice with exponential weights."""


def spends(params: ExponentialMechanism, shape: AnswerShape = ONE_NUMBER) -> Exponential:
    """What a choice spends."""
    return Exponential(exact(params.epsilon))


@marked
def choose(scores: ArrayLike, params: ExponentialMechanism, bits: RandomBits) -> Choice:
    """One candidate, the better its score the likelier."""
    chosen = exponential_choice(regrets(score_steps(scores, params)), score_rate(params), 1, bits)
    return Choice(chosen, spends(params))


def worst_chance(weight: float, candidates: int) -> float:
    """The chance that the only best is not chosen where each other has this weight against its 1."""
    others = (candidates - 1) * weight
    return others / (1 + others)


def error(params: ExponentialMechanism, candidates: int, level: float = 0.95) -> float:
    """What the chosen score stays behind the best by, at most, with probability `level`, whatever the scores are."""
    return loss_bound(worst_chance, params, candidates, level)


METHOD = Mechanism(
    title="Exponential mechanism",
    params=ExponentialMechanism,
    run=choose,
    spends=spends,
    error=error,
    neighbours=lambda params: neighbouring_scores(params.sensitivity, params.monotonic),
    needs="a score for each candidate, of known sensitivity; the candidates themselves are public",
    gives="one candidate; the better its score, the likelier it is",
    paper="https://doi.org/10.1109/FOCS.2007.66",
    example=ExponentialMechanism(epsilon=0.5, sensitivity=1.0),
)
