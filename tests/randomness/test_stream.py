import os
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from tests.randomness.tolerance import bernstein

from tacit.errors import BadParameter, PolicyRefused
from tacit.randomness.stream import RandomBits


def test_the_keystream_is_aes_256_in_counter_mode():
    # NIST known-answer test: AES-256, key of zeros, block of zeros.
    assert RandomBits(bytes(32), seeded=True).octets(16).hex() == "dc95c078a2408989ad48a21492842087"


def test_a_seed_repeats_and_seeds_differ():
    first, again = RandomBits.from_seed(7), RandomBits.from_seed(7)
    assert first.octets(100) == again.octets(100)
    others = {RandomBits.from_seed(seed).octets(16) for seed in (7, 8, "7", "8", -7)}
    assert len(others) == 5
    assert first.seeded


def test_the_operating_system_never_repeats():
    assert RandomBits.from_os().octets(16) != RandomBits.from_os().octets(16)
    assert not RandomBits.from_os().seeded
    assert not RandomBits.from_os().child("a").seeded


def test_pieces_are_the_same_as_the_whole():
    whole = RandomBits.from_seed(1).octets(3_000_000)
    piecewise = RandomBits.from_seed(1)
    assert b"".join(piecewise.octets(n) for n in (1, 15, 2_999_984)) == whole


def test_a_child_does_not_depend_on_what_was_drawn_elsewhere():
    quiet, busy = RandomBits.from_seed(1), RandomBits.from_seed(1)
    busy.octets(1000)
    busy.child("other").octets(10)
    assert quiet.child("noise").octets(64) == busy.child("noise").octets(64)


def test_children_of_one_name_differ_and_repeat_in_order():
    one, two = RandomBits.from_seed(1), RandomBits.from_seed(1)
    first = [one.child("noise").octets(16) for _ in range(3)]
    second = [two.child("noise").octets(16) for _ in range(3)]
    assert first == second
    assert len({*first, one.child("sample").octets(16), one.octets(16)}) == 5


@pytest.mark.parametrize("seed", [1.5, None, True, b"x"])
def test_a_seed_of_another_type_is_refused(seed):
    with pytest.raises(BadParameter, match="seed"):
        RandomBits.from_seed(seed)


def test_a_stream_is_not_copied():
    with pytest.raises(PolicyRefused, match="copied"):
        pickle.dumps(RandomBits.from_os())


def test_its_name_shows_no_key():
    assert repr(RandomBits.from_seed(1)) == "RandomBits(seeded)"


def _in_a_fork(act) -> bytes:
    """What `act` returns in a forked process."""
    out, into = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns where the runner has threads
        child = os.fork()
    if child == 0:
        try:
            os.write(into, act())
        finally:
            os._exit(0)
    os.close(into)
    os.waitpid(child, 0)
    with os.fdopen(out, "rb") as pipe:
        return pipe.read()


def test_a_fork_takes_a_new_key_from_the_operating_system():
    bits = RandomBits.from_os()
    bits.octets(8)
    children = [_in_a_fork(lambda: bits.octets(16)) for _ in range(2)]
    assert len({*children, bits.octets(16)}) == 3
    assert all(len(found) == 16 for found in children)


def test_a_seeded_stream_refuses_to_go_on_in_a_fork_but_has_children():
    bits = RandomBits.from_seed(3)

    def act() -> bytes:
        try:
            bits.octets(1)
        except PolicyRefused:
            return b"refused" + bits.child("here").octets(4)
        return b"went on"

    assert _in_a_fork(act) == b"refused" + RandomBits.from_seed(3).child("here").octets(4)


def test_threads_share_no_bits():
    bits = RandomBits.from_seed(5)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: bits.octets(16), range(500)))
    whole = RandomBits.from_seed(5).octets(16 * 500)
    assert sorted(found) == sorted(whole[i : i + 16] for i in range(0, len(whole), 16))


def test_every_bit_of_a_word_is_a_fair_coin():
    words = RandomBits.from_seed(2).words(200_000)
    for bit in range(64):
        share = float(((words >> np.uint64(bit)) & np.uint64(1)).mean())
        assert abs(share - 0.5) <= bernstein(0.5, words.size)
