"""Files that belong together, and kills: at every step of a publication, while it is cleared, and at random moments.

Covers publication.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench.killing import accesses, killed, killed_at, moments
from bench.kills import NAMES, exposed, generations, left_aside, publish, publish_on

from tacit import publication
from tacit.atomic import aside
from tacit.publication import repair


def steps_until_done(work: Callable[[Path, int], None], folder: Path, look: Callable[[], None]) -> int:
    """Runs the work again and again, killed one step later each time, and looks at what it left."""
    step = 1
    while killed_at(step, work, (folder, step + 1)):
        look()
        step += 1
    look()
    return step


@pytest.mark.slow
def test_a_kill_at_any_step_leaves_files_that_belong_together_once_repaired(tmp_path: Path) -> None:
    publish(tmp_path, 1)
    seen = {1}

    def look() -> None:
        first, *others = (number or 0 for number in generations(tmp_path))
        assert min(first, *others) > 0
        assert all(other <= first for other in others)
        repair(tmp_path / NAMES[1])
        (after,) = set(generations(tmp_path))
        assert after is not None
        assert after >= first
        repair(*(tmp_path / name for name in NAMES))
        assert left_aside(tmp_path) == []
        seen.add(after)

    steps = steps_until_done(publish, tmp_path, look)
    assert steps > 30
    assert 5 < len(seen) < steps


def three_in_a_row(folder: Path, generation: int) -> None:
    """What is not enough: three files, each of which takes its place for itself."""
    first, second, third = (folder / name for name in NAMES)
    with aside(third) as c, aside(second) as b, aside(first) as a:
        for partial in (a, b, c):
            partial.write_text(f"{generation}\n" * 1000)


@pytest.mark.slow
def test_single_files_in_a_row_do_not_belong_together_after_every_kill(tmp_path: Path) -> None:
    """The twin that must fail."""
    three_in_a_row(tmp_path, 1)
    step = 1
    while killed_at(step, three_in_a_row, (tmp_path, 2)) and len(set(generations(tmp_path))) == 1:
        step += 1
    repair(*(tmp_path / name for name in NAMES))
    assert sorted(number or 0 for number in generations(tmp_path)) == [1, 1, 2]


@pytest.mark.slow
def test_kills_at_random_moments_while_one_publication_follows_the_other(tmp_path: Path) -> None:
    """Fifteen kills, or more until enough was published to say something."""
    publish(tmp_path, 1)
    for kills, seconds in enumerate(moments(150, most=0.3), start=1):
        killed(publish_on, (tmp_path,), seconds)
        assert exposed(tmp_path) == []
        repair(*(tmp_path / name for name in NAMES))
        (generation,) = set(generations(tmp_path))
        assert left_aside(tmp_path) == []
        if kills >= 15 and generation is not None and generation > 5:
            return
    pytest.fail("the machine is too slow to say anything")


# While what stood aside is being cleared away.


def cleared_from_the_first(group: publication._FileGroup) -> None:
    """What is not enough: the folder that names the others goes before them."""
    group.ready.unlink(missing_ok=True)
    for place in group.places:
        publication._remove(place)


def publish_cleared_from_the_first(folder: Path, generation: int) -> None:
    publication._FileGroup.clear = cleared_from_the_first  # type: ignore[method-assign]
    publish(folder, generation)


def left_by_kills_while_cleared(work: Callable[[Path, int], None], folder: Path) -> Iterator[list[Path]]:
    """What is left at each step of the clearing, the last one first, by a kill and a repair of the first path only.

    The clearing begins when all files stand in their places and their list is gone.
    """
    for step in range(accesses(work, (folder, 1)), 0, -1):
        assert killed_at(step, work, (folder, step + 1))
        if set(generations(folder)) != {step + 1} or list(folder.rglob("ready.json")):
            return
        repair(folder / NAMES[0])
        yield left_aside(folder)
        repair(*(folder / name for name in NAMES))


@pytest.mark.slow
def test_a_kill_while_a_publication_is_cleared_leaves_nothing_that_its_first_path_does_not_find(
    tmp_path: Path,
) -> None:
    left = list(left_by_kills_while_cleared(publish, tmp_path))
    assert len(left) > 2 * len(NAMES)
    assert left == [[]] * len(left)


@pytest.mark.slow
def test_folders_cleared_from_the_first_are_left_behind(tmp_path: Path) -> None:
    """The twin that must fail."""
    assert any(left_by_kills_while_cleared(publish_cleared_from_the_first, tmp_path))
