"""The parts of `tables/republish`: who joins whom, and how buckets are split into classes."""
