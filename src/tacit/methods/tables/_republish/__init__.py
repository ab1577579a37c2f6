"""The parts of `tables/republish`: what a series remembers, who joins whom, and how buckets fall into classes."""
