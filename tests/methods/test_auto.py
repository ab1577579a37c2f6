"""The shares of time in a competition: nobody is tried who would take too long, and somebody always is."""

from dataclasses import dataclass, field

import pytest

from tacit.methods.auto import Auto, compete


@dataclass
class Clock:
    """Time that passes only when somebody works."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Outcome:
    """What became of a runner."""

    is_made: bool
    given: float | None = None
    why: str = ""


@dataclass
class Runner:
    """Takes what it takes, or what it is given if it can be stopped."""

    clock: Clock
    takes: float
    expected: float = 0.0
    stoppable: bool = False
    able: bool = True
    given: list[float] = field(default_factory=list)

    def attempt(self, seconds: float) -> Outcome:
        self.clock.now += min(self.takes, seconds) if self.stoppable else self.takes
        return Outcome(self.able, seconds)

    def leave_out(self, why: str) -> Outcome:
        return Outcome(False, None, why)


def held(*runners: Runner, seconds: float = 30.0) -> list[Outcome]:
    found: list[Outcome] = list(compete(runners, Auto(seconds=seconds), runners[0].clock))
    return found


def test_each_gets_an_equal_part_of_what_is_left() -> None:
    clock = Clock()
    first, second, third = held(Runner(clock, 1.0), Runner(clock, 2.0), Runner(clock, 5.0))
    assert (first.given, second.given, third.given) == pytest.approx((30 / 3, 29 / 2, 27))


def test_a_search_that_never_ends_leaves_time_for_the_others() -> None:
    clock = Clock()
    found = held(*(Runner(clock, float("inf"), stoppable=True) for _ in range(3)))
    assert [one.given for one in found] == pytest.approx([10.0, 10.0, 10.0])
    assert clock.now == pytest.approx(30.0)


def test_who_would_take_too_long_is_left_out_and_told() -> None:
    clock = Clock()
    found = held(Runner(clock, 20.0), Runner(clock, 99.0, expected=11.0), Runner(clock, 1.0, expected=9.0))
    assert [one.given is None for one in found] == [False, True, False]
    assert "about 11 seconds, and 10 seconds of the time limit are left" in found[1].why
    assert clock.now == 21.0


def test_somebody_is_tried_however_little_time_there_is() -> None:
    clock = Clock()
    failing = Runner(clock, 60.0, expected=60.0, able=False)
    found = held(failing, Runner(clock, 1.0, expected=99.0), Runner(clock, 1.0, expected=99.0), seconds=0.5)
    assert [one.given is None for one in found] == [False, False, True]
    assert all(one.given > 0 for one in found if one.given is not None)
