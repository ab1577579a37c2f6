"""Examples may take as long as a busy machine needs; what is too slow is caught by the timeout of the whole test.

`make quick` and `make soak` choose the profiles `quick` and `soak`, by `--hypothesis-profile`.
"""

from hypothesis import settings
from tests.examples import USUAL

settings.register_profile("quick", deadline=None, max_examples=USUAL // 5)
settings.register_profile("patient", deadline=None, max_examples=USUAL)
settings.register_profile("soak", deadline=None, max_examples=10 * USUAL)
settings.load_profile("patient")
