"""Examples may take as long as a busy machine needs; what is too slow is caught by the timeout of the whole test."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
