"""Ranked ballots: a kind of data that Tacit does not have, brought by a package of its own.

`ballots.py` has the nouns and the file, `guarantees/`, `methods/`, `metrics/` and `attacks/` have one public file for
each card, `run.py` says what happens at the stations of a release, `report.py` how it is shown, and `kind.py` ties them
together. The entry points of the distribution name the folders and the kind; nothing else is registered.
"""
