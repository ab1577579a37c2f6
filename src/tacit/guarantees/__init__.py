"""Promises about a release. Each file defines one, with its own check, under the constant `GUARANTEE`."""
