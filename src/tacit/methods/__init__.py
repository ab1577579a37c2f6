"""Methods: ways to make a release, one public file each, found by path."""
