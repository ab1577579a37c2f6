"""The demo: an invented hospital register, its hierarchies and its plan."""

from tacit.demo.hospital import register, write_demo

__all__ = ["register", "write_demo"]
