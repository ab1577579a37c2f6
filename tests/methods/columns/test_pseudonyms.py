"""Pseudonyms, masks and vaults: HMAC and HKDF written out, keys and vaults that are private and never replaced.

Covers pseudonym, methods/*/mask, vault, columns/_sealed.
"""

import hashlib
import stat
import string
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.randomness.tolerance import frequencies_fit

from tacit.data.columns import categories_of, columns_of
from tacit.errors import BadData, BadParameter, CannotGuarantee, PolicyRefused
from tacit.methods.columns._keys import derived, read_key, write_key
from tacit.methods.columns.mask import Mask, mask_columns, masks
from tacit.methods.columns.pseudonym import Pseudonym, pseudonymise, pseudonyms
from tacit.methods.columns.vault import ReversibleVault, Vault, open_vault, pseudonymise_reversibly
from tacit.randomness.stream import RandomBits

NAMES = ["Ada", "Grace", "Ada", "", "Emmy"]


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "key"
    write_key(path, RandomBits.from_os())
    return path


def plain_hmac(key, message):
    """HMAC written out (RFC 2104)."""
    padded = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in padded) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in padded) + inner).digest()


def test_pseudonyms_are_hmac_as_published():
    assert pseudonyms(["Hi There"], b"\x0b" * 20, 64) == (
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",  # RFC 4231, test case 1
    )
    assert pseudonyms(["", "é"], b"k" * 32, 10) == ("", plain_hmac(b"k" * 32, "é".encode()).hex()[:10])


def test_a_key_for_a_purpose_is_hkdf_written_out():
    """RFC 5869: extract with a salt of zeros, expand with the purpose and the byte 1."""
    extracted = plain_hmac(bytes(32), b"s" * 32)
    assert derived(b"s" * 32, "vault") == plain_hmac(extracted, b"tacit vault\x01")
    assert derived(b"s" * 32, "vault") != derived(b"s" * 32, "pseudonym")


def test_the_same_key_gives_the_same_pseudonym_and_another_key_another(tmp_path, key_file):
    other = tmp_path / "other"
    write_key(other, RandomBits.from_os())
    columns = columns_of({"x": NAMES, "y": ["Emmy", "Ada", "", "Ada", "Zoe"]})
    params = Pseudonym(key_file=str(key_file), prefix="P-", digits=16)
    found = pseudonymise(columns, params, RandomBits.from_os())
    again = pseudonymise(columns, params, RandomBits.from_seed(3))
    assert found["x"].texts() == again["x"].texts()
    assert found["x"].texts()[0] == found["x"].texts()[2] == found["y"].texts()[1]
    assert found["x"].texts()[3] == ""
    assert all(text.startswith("P-") and len(text) == 18 for text in found["x"].texts() if text)
    assert set(found["x"].values) & set(
        pseudonymise(columns, Pseudonym(key_file=str(other), prefix="P-", digits=16), RandomBits.from_os())["x"].values
    ) == {""}
    assert list(found["x"].values) == sorted(found["x"].values)


def test_without_a_key_file_pseudonyms_hold_within_one_release():
    columns = columns_of({"x": NAMES})
    one = pseudonymise(columns, Pseudonym(), RandomBits.from_os())["x"].texts()
    other = pseudonymise(columns, Pseudonym(), RandomBits.from_os())["x"].texts()
    assert one[0] == one[2] != one[1]
    assert set(one) & set(other) == {""}


@pytest.mark.slow
def test_two_values_never_share_a_pseudonym(key_file):
    many = columns_of({"x": [str(i) for i in range(200_000)]})
    with pytest.raises(CannotGuarantee, match="same pseudonym of 8 digits"):
        pseudonymise(many, Pseudonym(digits=8), RandomBits.from_seed(1))
    assert len(set(pseudonymise(many, Pseudonym(), RandomBits.from_seed(1))["x"].values)) == 200_000


def test_key_files_are_private_and_never_replaced(tmp_path, key_file):
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert len(read_key(key_file)) == 32
    with pytest.raises(PolicyRefused, match="never replaced"):
        write_key(key_file, RandomBits.from_os())
    with pytest.raises(PolicyRefused, match="seed"):
        write_key(tmp_path / "seeded", RandomBits.from_seed(1))
    for content in (b"", b"abc", b"\xff" * 64, b"00" * 31, b"00" * 33):
        (tmp_path / "bad").write_bytes(content)
        with pytest.raises(BadData, match="not a key file"):
            read_key(tmp_path / "bad")
    with pytest.raises(BadData, match="can't be read"):
        read_key(tmp_path / "nowhere")


def shape(text):
    return "".join(
        "9" if unicodedata.category(c)[0] == "N"
        else "A" if unicodedata.category(c) in ("Lu", "Lt")
        else "a" if unicodedata.category(c)[0] in "LM"
        else c
        for c in text
    )  # fmt: skip


@given(st.lists(st.text(max_size=12), max_size=6), st.integers(0, 3), st.integers(0, 3))
def test_masks_keep_length_classes_and_what_is_kept(values, first, last):
    found = masks(values, Mask(keep_first=first, keep_last=last), RandomBits.from_seed(1))
    for value, shown in zip(values, found, strict=True):
        assert shape(shown) == shape(value)
        # A value that would be kept whole is masked whole.
        begin, end = (first, len(value) - last) if len(value) > first + last else (0, len(value))
        assert (shown[:begin], shown[end:]) == (value[:begin], value[end:])
        inside = shown[begin:end]
        assert all(c in string.ascii_letters + string.digits or unicodedata.category(c)[0] not in "NLM" for c in inside)
    assert masks(values, Mask(style="class"), RandomBits.from_seed(1)) == tuple(map(shape, values))


def test_masked_characters_are_uniform():
    found = "".join(masks([f"7{'B' * 1}{'z' * 1}"] * 20_000, Mask(), RandomBits.from_seed(2)))
    for place, alphabet in enumerate((string.digits, string.ascii_uppercase, string.ascii_lowercase)):
        drawn = np.array([alphabet.index(c) for c in found[place::3]])
        assert frequencies_fit(drawn, np.full(len(alphabet), 1 / len(alphabet)))
        skewed = np.where(np.arange(len(alphabet)) == 0, 2.0, 1.0)
        assert not frequencies_fit(drawn, skewed / skewed.sum())


def test_equal_values_get_equal_masks_and_missing_ones_stay():
    found = mask_columns(
        columns_of({"x": ["DE-123", "DE-123", "", "FR-9"]}), Mask(keep_first=2), RandomBits.from_seed(1)
    )
    texts = found["x"].texts()
    assert texts[0] == texts[1]
    assert texts[0].startswith("DE-")
    assert texts[2] == ""
    assert mask_columns(columns_of({"x": ["A1", "B2"]}), Mask(style="class"), RandomBits.from_seed(1))["x"].values == (
        "A9",
    )
    with pytest.raises(BadData, match="works on categories"):
        mask_columns(columns_of({"x": [1.0]}), Mask(), RandomBits.from_seed(1))


def sealed(tmp_path, key_file, names=NAMES, **more):
    params = ReversibleVault(key_file=str(key_file), vault_file=str(tmp_path / "vault"), **more)
    return pseudonymise_reversibly(columns_of({"x": names}), params, RandomBits.from_os())["x"]


def test_a_vault_leads_back_and_grows(tmp_path, key_file):
    found = sealed(tmp_path, key_file)
    assert set(found.values).isdisjoint({"Ada", "Grace", "Emmy"})
    vault = open_vault(tmp_path / "vault", key_file)
    assert vault.reveal(found).texts() == tuple(NAMES)
    more = sealed(tmp_path, key_file, ["Zoe", "Ada"])
    vault = open_vault(tmp_path / "vault", key_file)
    assert vault.reveal(more).texts() == ("Zoe", "Ada")
    assert vault.reveal(found).texts() == tuple(NAMES)
    assert repr(vault) == "Vault(4 pseudonyms)"
    with pytest.raises(BadData, match="does not know 1 of the 2"):
        vault.reveal(categories_of(["nobody", more.texts()[0]]))


def test_a_vault_gives_the_pseudonyms_of_the_same_key(tmp_path, key_file):
    plain = pseudonymise(columns_of({"x": NAMES}), Pseudonym(key_file=str(key_file)), RandomBits.from_os())["x"]
    assert sealed(tmp_path, key_file).texts() == plain.texts()


def test_a_vault_tells_nothing_and_opens_with_its_key_only(tmp_path, key_file):
    sealed(tmp_path, key_file)
    path = tmp_path / "vault"
    content = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not any(name.encode() in content for name in ("Ada", "Grace", "Emmy"))
    other = tmp_path / "other"
    write_key(other, RandomBits.from_os())
    with pytest.raises(BadData, match="does not open"):
        open_vault(path, other)
    with pytest.raises(BadData, match="does not open"):
        sealed(tmp_path, other)
    assert path.read_bytes() == content
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(BadData):
            open_vault(path, key_file)
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(BadData):
            open_vault(path, key_file)
    with pytest.raises(BadData, match="can't be read"):
        open_vault(tmp_path / "nowhere", key_file)


def test_two_writings_never_share_a_nonce_even_from_a_seed(tmp_path, key_file):
    params = ReversibleVault(key_file=str(key_file), vault_file=str(tmp_path / "vault"))
    written = []
    for _ in range(2):
        pseudonymise_reversibly(columns_of({"x": NAMES}), params, RandomBits.from_seed(1))
        written.append((tmp_path / "vault").read_bytes())
    assert written[0] != written[1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key", "vault"]


def test_a_pseudonym_that_stands_for_somebody_else_is_refused():
    vault = Vault({"p": "Ada"})
    assert vault.with_more({"p": "Ada", "q": "Emmy"}).originals == {"p": "Ada", "q": "Emmy"}
    with pytest.raises(PolicyRefused, match="1 pseudonym stands for other originals"):
        vault.with_more({"p": "Emmy"})


def test_parameters_out_of_range_are_refused():
    with pytest.raises(BadParameter, match="digits"):
        Pseudonym.parse("columns/pseudonym", {"digits": 4})
    with pytest.raises(BadParameter, match="key_file"):
        ReversibleVault.parse("columns/vault", {"vault_file": "v"})
