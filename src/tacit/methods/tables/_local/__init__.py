"""The compiled search behind `tables/local`; all but `params` needs numba and is imported when the method runs."""
