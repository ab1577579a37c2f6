"""Imports everything that a verb may need when it runs, so that a fork of this process begins with its work.

DuckDB is imported and not opened: its threads would not survive a fork.
"""

from importlib import import_module
from pkgutil import walk_packages

import bench.kills  # noqa: F401
import tacit
from tacit.evidence.page import ENVIRONMENT

LEFT_OUT = ("tacit.__main__", "tacit.service", "tacit.testing")

for found in walk_packages(tacit.__path__, "tacit."):
    if not found.name.startswith(LEFT_OUT):
        import_module(found.name)
for name in ("duckdb", "pyarrow.compute", "pyarrow.parquet", "scipy.sparse"):
    import_module(name)
for name in ENVIRONMENT.list_templates(extensions=["html"]):
    ENVIRONMENT.get_template(name)
