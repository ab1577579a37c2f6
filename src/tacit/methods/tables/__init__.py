"""Methods for tables: one record per row, quasi-identifiers with hierarchies."""
