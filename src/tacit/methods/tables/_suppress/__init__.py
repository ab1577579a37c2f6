"""How cells are chosen for suppression: patterns, a greedy start, leftover rows, refinement."""
