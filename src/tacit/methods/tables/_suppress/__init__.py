"""How cells are chosen for suppression: patterns, a greedy start, what is left over, refinement."""
