"""The parts of freeform generalisation."""
