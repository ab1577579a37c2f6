"""What is installed: the name under which it is found on an index, and its version, in one place.

The package is imported and run as `tacit`. On PyPI that name belongs to another project, so every line that installs
something must say `tacit-privacy`. The version is not looked up: a clone that was never installed has one too.
"""

NAME = "tacit-privacy"
VERSION = "0.1.0"
