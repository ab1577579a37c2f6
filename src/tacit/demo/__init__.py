"""The bundled sample: an invented hospital register, its hierarchies and its plan."""

from tacit.demo.hospital import register, write_sample

__all__ = ["register", "write_sample"]
