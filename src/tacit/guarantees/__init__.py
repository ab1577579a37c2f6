"""Promises about a release.

Each file defines one promise, with its own check, under the constant `GUARANTEE`."""
