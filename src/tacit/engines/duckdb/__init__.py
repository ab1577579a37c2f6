"""DuckDB inside the process: one pass counts distinct combinations, one pass recodes."""

from tacit.engines.duckdb.database import DuckDB as DuckDB
