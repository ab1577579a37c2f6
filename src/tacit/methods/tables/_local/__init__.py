"""The compiled search behind `tables/local`; its modules need numba and are imported when the method runs."""
