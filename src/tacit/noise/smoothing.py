"""From continuous Gaussian noise to the grid without losing its guarantee, in any number of dimensions.

Rounding x + N(0, sigma**2) at random to the grid, by a discrete Gaussian of variance 4 steps centred there, gives each
grid point z the probability of discrete Gaussian noise of variance sigma**2 + 4, up to a factor: completing the square
in exp(-(c - x)**2 / 2 sigma**2) exp(-(z - c)**2 / 8) leaves the sum over the grid of exp(-(z - c)**2 / 8), which by
Poisson summation does not depend on c but for a factor within 1 +- 2 sum_m exp(-8 pi**2 m**2) < 1 +- 1e-33. So
discrete Gaussian noise of variance sigma**2 + 4 is post-processing of the continuous mechanism, up to this factor in
each coordinate. Sigma is raised by one part in 10**9, which pays for the factor and for the float rounding of the
calibration.
"""

from fractions import Fraction

from tacit.noise.noise import root_above

_VARIANCE = 4
_RAISE = 1 + Fraction(1, 10**9)
_ACCOUNTED = 1 + Fraction(1, 10**10)


def on_grid(sigma: Fraction) -> Fraction:
    """The parameter, in steps, of discrete noise that is at least as private as continuous noise of `sigma` steps."""
    return root_above((sigma * _RAISE) ** 2 + _VARIANCE)


def accounted(sigma: Fraction) -> Fraction:
    """The continuous sigma that stands for `on_grid(sigma)` in the books.

    It has a tenth of the raise, so that an accountant that rounds its epsilon up still finds what was promised.
    """
    return sigma * _ACCOUNTED
