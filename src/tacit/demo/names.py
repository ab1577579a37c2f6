"""Invented names, mail addresses and telephone numbers.

First names are common ones; surnames are put together from syllables; mail addresses use the domains that RFC 2606
keeps for examples; telephone numbers come from the five ranges that the German regulator keeps for media productions
(Bundesnetzagentur, notice 148/2021). So no entry can reach a real person, nor name one except by chance.
"""

import numpy as np
from numpy.typing import NDArray

from tacit.arrays import IntArray

TextArray = NDArray[np.str_]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


MEN = _words(
    "Adrian Anton Ben Bruno Carlo Daniel David Elias Emil Felix Finn Georg Hugo Jan Jonas Karl Leon Luca "
    "Marco Martin Max Milan Nico Oskar Paul Peter Robert Samuel Simon Stefan Thomas Tom Viktor Walter"
)
WOMEN = _words(
    "Ada Alina Anna Carla Clara Doris Elena Elisa Emma Eva Frida Greta Hanna Helena Ida Ines Irma Julia Karin "
    "Lara Lea Lena Lina Maria Marta Mia Nina Nora Olga Paula Petra Rosa Sara Vera"
)
STARTS = _words("Al Ber Bran Dol Eich Fel Gan Hal Kel Lin Mor Nor Pal Ros Sel Tor Val Wen")
MIDDLES = _words("ba da del en er go in la ma ne ri ta vi zo")
ENDS = _words("berg cci dorf feld gren hart ker lund mann nelli ric ski stein tano wald witz")

DOMAINS = ("example.org", "example.com", "example.net")
PHONE_RANGES = ("+49 30 23125 ", "+49 40 66969 ", "+49 69 90009 ", "+49 89 99998 ", "+49 221 4710 ")


def draw_first_names(women: IntArray, generator: np.random.Generator) -> TextArray:
    """A first name for each person."""
    position = generator.integers(0, len(MEN), size=women.size)
    return np.asarray(np.where(women, np.array(WOMEN)[position], np.array(MEN)[position]))


def draw_surnames(people: int, generator: np.random.Generator) -> TextArray:
    """A surname for each person, of two or three syllables."""
    start = np.array(STARTS)[generator.integers(0, len(STARTS), size=people)]
    middle = np.array(MIDDLES)[generator.integers(0, len(MIDDLES), size=people)]
    end = np.array(ENDS)[generator.integers(0, len(ENDS), size=people)]
    long = generator.random(people) < 0.6
    return np.strings.add(np.strings.add(start, np.where(long, middle, "")), end)


def compose_names(first: TextArray, surname: TextArray) -> TextArray:
    """First name, blank, surname."""
    return joined(first, " ", surname)


def draw_mail(first: TextArray, surname: TextArray, generator: np.random.Generator) -> TextArray:
    """A mail address for each person, with a number that keeps namesakes apart."""
    number = generator.integers(10, 10_000, size=first.size).astype(np.str_)
    domain = np.array(DOMAINS)[generator.integers(0, len(DOMAINS), size=first.size)]
    return joined(np.strings.lower(first), ".", np.strings.lower(surname), number, "@", domain)


def draw_phones(people: int, generator: np.random.Generator) -> TextArray:
    """A telephone number for each person; all differ as long as the ranges last."""
    order = generator.permutation(len(PHONE_RANGES) * 1000)
    number = order[np.arange(people) % order.size]
    last = np.strings.zfill((number % 1000).astype(np.str_), 3)
    return joined(np.array(PHONE_RANGES)[number // 1000], last)


def joined(first: TextArray, *rest: TextArray | str) -> TextArray:
    """The texts of each row, one after the other."""
    for part in rest:
        first = np.strings.add(first, part)
    return first
