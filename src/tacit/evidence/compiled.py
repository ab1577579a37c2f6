"""Templates that are compiled once, and kept where Python keeps compiled modules.

Compiling the templates of one report takes longer than filling them in. What is compiled stands where compiled modules
of that folder would stand, so it is trusted as far as these are, and `PYTHONDONTWRITEBYTECODE` and
`PYTHONPYCACHEPREFIX` hold for it too. Where nothing can be written there, templates are compiled at every start.

A file begins with a digest of the template's text, of the environment's options and of the versions of Python and
Jinja. One with another digest is stale and is written anew.
"""

import marshal
import sys
from contextlib import suppress
from hashlib import sha256
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from tacit.atomic import aside
from tacit.errors import TacitError


class CompiledTemplates(BytecodeCache):
    """Compiled templates, each beside its text; `options` are those of the environment that the code depends on."""

    def __init__(self, options: str) -> None:
        self.options = options

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The file in which the compiled template stands; nothing where its text stands in no file."""
        return cache_from_source(filename) if filename else ""

    def get_source_checksum(self, source: str) -> str:
        """A digest of all that the compiled form depends on."""
        parts = (MAGIC_NUMBER.hex(), jinja2.__version__, self.options, source)
        return sha256("\n".join(parts).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Takes the compiled form, if there is one of this text."""
        digest = bucket.checksum.encode()
        with suppress(OSError, EOFError, TypeError, ValueError):
            content = Path(bucket.key).read_bytes()
            if content.startswith(digest):
                bucket.code = marshal.loads(content[len(digest) :])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps the compiled form for the next start, if that is possible here."""
        if sys.dont_write_bytecode or not bucket.key:
            return
        with suppress(TacitError), aside(Path(bucket.key)) as partial:
            partial.write_bytes(bucket.checksum.encode() + marshal.dumps(bucket.code))
