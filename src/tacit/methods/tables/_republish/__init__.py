"""The parts of `tables/republish`: who joins whom, and how buckets fall into classes."""
