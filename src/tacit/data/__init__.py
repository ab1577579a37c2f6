"""What the package knows about data: schema, roles, hierarchies, tallies, classes."""
