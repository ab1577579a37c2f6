"""Methods for tables: one row a record, quasi-identifiers with hierarchies."""
