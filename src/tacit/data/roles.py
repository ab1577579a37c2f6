"""Roles: what a column tells about a person."""

from typing import Literal

Role = Literal["identifier", "quasi-identifier", "sensitive", "insensitive"]
