"""Reversible pseudonyms: keyed pseudonyms, and a vault that leads back from each to its original.

The vault is a file of its own, encrypted and authenticated (AES-256-GCM) under the same secret as the pseudonyms but a
key derived for that purpose; without the key it tells nothing but its size. `open_vault` reads it back and
`Vault.reveal` undoes the pseudonyms. A vault that is there is opened and added to, so one vault serves several
releases. Keep key, vault and release in three places: whoever has all of them has the original data.

As with all pseudonyms the data stays personal data. Whoever must not be able to go back should use `columns/pseudonym`
without a key file. A nonce is never drawn from a seed, for two vaults sealed under the same one would betray both.
"""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from tacit.cards.columns import ColumnMethod
from tacit.data.columns import CodedCategories, Columns
from tacit.data.tables.hierarchy import MISSING
from tacit.methods.columns._keys import derived, read_key
from tacit.methods.columns._sealed import Vault, open_vault, write_vault
from tacit.methods.columns.pseudonym import Digits, KeyFile, Prefix, Pseudonym, pseudonyms, with_pseudonyms
from tacit.params import Params
from tacit.randomness.stream import RandomBits

__all__ = ["METHOD", "ReversibleVault", "Vault", "open_vault", "pseudonymise_reversibly"]


class ReversibleVault(Params):
    """Where key and vault are, and what pseudonyms look like."""

    key_file: KeyFile
    vault_file: Annotated[str, Field(min_length=1, description="the encrypted file that leads back to the originals")]
    digits: Digits = 20
    prefix: Prefix = ""


def pseudonymise_reversibly(columns: Columns, params: ReversibleVault, bits: RandomBits) -> Columns:
    """Every column with pseudonyms in place of its values, all of which the vault then knows."""
    found = columns.categories("a vault")
    key = read_key(Path(params.key_file))
    looks = Pseudonym(digits=params.digits, prefix=params.prefix)
    treated = {name: with_pseudonyms(name, column, key, looks) for name, column in found.items()}
    path = Path(params.vault_file)
    vault = open_vault(path, Path(params.key_file)) if path.exists() else Vault({})
    for column in found.values():
        vault = vault.with_more(_originals(column, key, looks))
    write_vault(vault, path, Path(params.key_file), bits)
    return Columns(treated)


def _originals(column: CodedCategories, key: bytes, looks: Pseudonym) -> dict[str, str]:
    made = pseudonyms(column.values, derived(key, "pseudonym"), looks.digits)
    pairs = zip(made, column.values, strict=True)
    return {looks.prefix + pseudonym: value for pseudonym, value in pairs if value != MISSING}


METHOD = ColumnMethod(
    title="Reversible pseudonyms with a vault",
    params=ReversibleVault,
    run=pseudonymise_reversibly,
    needs="columns of identifiers, a secret key and a place for the vault",
    gives="pseudonyms that the holder of key and vault can reverse",
    cells="texts",
    for_identifiers=True,
    secret_files=("key_file", "vault_file"),
    writes_secrets=True,
    conceals=True,
    paper="https://doi.org/10.6028/NIST.SP.800-38D",
    example=ReversibleVault(key_file="pseudonyms.key", vault_file="pseudonyms.vault"),
)
