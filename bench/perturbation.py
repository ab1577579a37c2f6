"""Microaggregation of the literature's two files, and noise, swapping and PRAM against their theory."""

import csv
from pathlib import Path
from time import process_time
from typing import Any

from bench.section import Section

FILES = {
    "Census (1,080 x 13)": ("CASCrefmicrodata.csv", (5.692, 9.088, 14.156)),
    "Tarragona (834 x 13)": ("Tarragona.csv", (16.933, 22.462, 33.193)),
}
SIZES = (3, 5, 10)
HEADER = ("what", "setting", "measured", "theory or MDAV", "CPU s")
REMARK = (
    "Microaggregation: SSE/SST in per cent of the standardised columns, against plain MDAV; without local search "
    "(`passes: 0`) the figures equal those of plain MDAV to the digit, and local search lowers them. Every group was "
    "counted again and has at least k rows. The other methods: 200,000 rows; the measured figure is one draw from the "
    "operating system's randomness, and the tests compare such figures with tolerances at an error rate of 1e-9."
)
ROWS = 200_000


def measure(data: Path) -> Section | None:
    """Losses of microaggregation, and the moments of what is random."""
    folder = data / "tables" / "sdcmicro"
    if not folder.exists():
        return None
    rows = [row for title, (name, plain) in FILES.items() for row in _microaggregation(title, folder / name, plain)]
    rows += [_noise(), _swapping(), _pram()]
    return Section("perturbation", "Perturbation: microaggregation, noise, swapping, PRAM", HEADER, rows, (REMARK,))


def _columns(path: Path) -> Any:
    import numpy as np

    from tacit.data.columns import columns_of

    with path.open(newline="", encoding="utf-8") as file:
        header, *cells = csv.reader(file)
    return columns_of(dict(zip(header, np.array(cells, dtype=np.float64).T, strict=True)))


def _microaggregation(title: str, path: Path, plain: tuple[float, ...]) -> list[list[str]]:
    import numpy as np

    from tacit.methods.columns._space import space_of, sse_share
    from tacit.methods.columns.microaggregate import Microaggregate, groups

    columns = _columns(path)
    rows = []
    for k, theirs in zip(SIZES, plain, strict=True):
        begin = process_time()
        found = groups(columns, Microaggregate(k=k))
        seconds = process_time() - begin
        assert np.bincount(found).min() >= k
        share = 100 * sse_share(space_of(columns), found)
        first = 100 * sse_share(space_of(columns), groups(columns, Microaggregate(k=k, passes=0)))
        assert round(first, 3) == theirs
        assert share <= theirs
        rows.append([f"microaggregation, {title}", f"k = {k}", f"{share:.3f}", f"{theirs:.3f}", f"{seconds:.2f}"])
    return rows


def _noise() -> list[str]:
    import numpy as np

    from tacit.data.columns import Numbers, columns_of
    from tacit.methods.columns.noise import AddedNoise, add_noise
    from tacit.randomness.stream import RandomBits

    values = np.linspace(0, 1000, ROWS)
    begin = process_time()
    noisy = add_noise(columns_of({"x": values}), AddedNoise(share=0.1), RandomBits.from_os())["x"]
    seconds = process_time() - begin
    assert isinstance(noisy, Numbers)
    share = float((noisy.values - values).var() / values.var())
    return ["noise: its share of the variance", "share = 0.1", f"{share:.4f}", "0.1000", f"{seconds:.2f}"]


def _swapping() -> list[str]:
    import numpy as np

    from tacit.methods.columns.rank_swap import partners
    from tacit.randomness.stream import RandomBits

    width = 100
    begin = process_time()
    found = partners(ROWS, width, RandomBits.from_os())
    seconds = process_time() - begin
    assert np.abs(found - np.arange(ROWS)).max() < width
    square = float(((found - np.arange(ROWS))[width:-width] ** 2).mean())
    theory = width * (width + 1) / 6
    setting = f"{width} ranks"
    return ["rank swapping: mean squared distance", setting, f"{square:.1f}", f"{theory:.1f}", f"{seconds:.2f}"]


def _pram() -> list[str]:
    import numpy as np

    from tacit.data.columns import CodedCategories, columns_of
    from tacit.methods.columns.pram import Pram, estimate, randomise, symmetric_matrix
    from tacit.randomness.stream import RandomBits

    words = np.array(["a", "b", "c"])[np.repeat([0, 1, 2], [ROWS // 2, ROWS // 4, ROWS // 4])]
    columns = columns_of({"x": words})
    begin = process_time()
    published = randomise(columns, Pram(categories=("a", "b", "c"), epsilon=1.0), RandomBits.from_os())["x"]
    seconds = process_time() - begin
    assert isinstance(published, CodedCategories)
    found = estimate(np.bincount(published.codes, minlength=3), symmetric_matrix(3, 1.0))
    measured = f"{found.shares[0]:.4f} ± {found.errors[0]:.4f}"
    return ["PRAM: estimated share of a category", "epsilon = 1", measured, "0.5000", f"{seconds:.2f}"]
