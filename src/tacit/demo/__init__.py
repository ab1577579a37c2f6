"""The demo: an invented hospital register, its hierarchies and its plan."""

from tacit.demo.files import write_demo
from tacit.demo.hospital import register

__all__ = ["register", "write_demo"]
