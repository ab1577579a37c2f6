"""The most memory that this process held since it began.

Linux records a high-water mark for each process; elsewhere the operating system may give the highest value of the whole
life of the process. The figure is of the whole process, the counted data and the engine included.
"""

import sys
from pathlib import Path

STATUS = Path("/proc/self/status")
HIGH_WATER = "VmHWM:"


def peak_bytes() -> int | None:
    """The high-water mark of resident memory; None if the system does not give it."""
    try:
        lines = STATUS.read_text().splitlines()
    except OSError:
        return _highest_of_life()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(HIGH_WATER)), None)


def _highest_of_life() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes, others kilobytes.
    return most if sys.platform == "darwin" else most * 1024
