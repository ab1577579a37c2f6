"""A comparison of ways to protect data: what was found, in lines, as a page and as a risk–utility map."""
