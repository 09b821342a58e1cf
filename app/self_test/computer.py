"""What the program needs of the computer: folders, a keyring, and whom to trust on the network."""

import asyncio
import os
import secrets
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from pydantic import SecretStr
from PySide6.QtCore import QCoreApplication

from app.api.errors import ConnectFailed
from app.api.system_proxy import system_proxy
from app.api.trust import Trust
from app.key_store import Backend, Kept, KeyStore
from app.self_test.checks import CheckFailed, NotAvailable
from app.self_test.stranger import authorities_of, refuses_stranger

translate = QCoreApplication.translate

_NEEDED_BYTES: Final = 4096
_KEYRING_TIMEOUT_S: Final = 5.0
# Nobody has it: it is only looked up in the settings of the system's proxy.
_SOMEWHERE: Final = "parley.invalid"

FindBackend = Callable[[], Backend | None]


def check_folders(folders: Iterable[Path]) -> str:
    """Writes where the program would keep its own, without making or opening anything of it.

    Where a folder is not there yet, the nearest one above it is written to. What was written has
    no name, or loses it at once.

    Returns:
        The folders that the program uses, whether they are there yet or not.

    Raises:
        CheckFailed: one of them cannot be written, or something else stands in its place.
    """
    wanted = sorted(set(folders))
    for folder in sorted({_begun(folder) for folder in wanted}):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b" " * _NEEDED_BYTES)
        except OSError as error:
            words = translate("SelfTest", "{folder} cannot be written: {reason}")
            raise CheckFailed(words.format(folder=folder, reason=error.strerror)) from error
    return ", ".join(str(folder) for folder in wanted)


async def check_keyring(find_backend: FindBackend) -> str:
    """Keeps a key in the system's keyring, reads it back, and removes it.

    The key is a random one under a random name: those of the person are not looked at.

    Raises:
        NotAvailable: this system has no keyring.
        CheckFailed: it did not keep the key, or not only until it was removed.
    """
    found: list[bool] = []

    def find() -> Backend | None:
        backend = find_backend()
        found.append(backend is not None)
        return backend

    origin, key = f"self-test:{secrets.token_hex(8)}", SecretStr(secrets.token_urlsafe(24))
    first = KeyStore(find, timeout_s=_KEYRING_TIMEOUT_S)
    if await first.save(origin, key) is Kept.SESSION:
        raise _not_kept(found)
    later = KeyStore(find, timeout_s=_KEYRING_TIMEOUT_S)
    try:
        if await later.load(origin) != key:
            raise CheckFailed(translate("SelfTest", "the key that was read is another one"))
    finally:
        await later.forget(origin)
    if await later.load(origin) is not None:
        raise CheckFailed(translate("SelfTest", "the key could not be removed"))
    return translate("SelfTest", "a key was kept, read and removed")


def _not_kept(found: list[bool]) -> CheckFailed | NotAvailable:
    if found and not found[0]:
        return NotAvailable(
            translate("SelfTest", "no keyring runs here; keys last until Parley ends")
        )
    return CheckFailed(translate("SelfTest", "the keyring kept nothing; it may be locked"))


async def check_trust(trust: Trust) -> str:
    """Meets a stranger, who must be refused; counts whom the system trusts, and names its proxy.

    Nothing leaves the program: the stranger is made here, and met in memory.

    Raises:
        NotAvailable: the system trusts nobody, so that no hosted project can be reached.
        CheckFailed: the stranger was trusted, or a variable could lead astray.
    """
    if led := [name for name in os.environ if name.upper().endswith("_PROXY")]:
        words = translate("SelfTest", "these variables could lead astray: {names}")
        raise CheckFailed(words.format(names=", ".join(led)))
    try:
        context = await trust.context_for(_SOMEWHERE)
    except ConnectFailed as error:
        words = translate("SelfTest", "the system does not say whom it trusts")
        raise CheckFailed(words) from error
    if not await asyncio.to_thread(refuses_stranger, context):
        raise CheckFailed(translate("SelfTest", "a certificate of nobody was trusted"))
    known = await asyncio.to_thread(authorities_of, context)
    if known == 0:
        words = translate("SelfTest", "this system has no certificates of authorities")
        raise NotAvailable(words)
    return f"{_whom(known)}; {await _proxy_words()}"


def _whom(known: int | None) -> str:
    if known is None:
        return translate("SelfTest", "the system decides whom to trust")
    return translate("SelfTest", "%n authorities of the system", "", known)


async def _proxy_words() -> str:
    """Whether there is a proxy; which one is nobody's business."""
    if await asyncio.to_thread(system_proxy, _SOMEWHERE):
        return translate("SelfTest", "the system names a proxy")
    return translate("SelfTest", "the system names no proxy")


def _begun(folder: Path) -> Path:
    """What there is of a folder: itself, or the nearest one above it."""
    # Without following links: of one that leads nowhere no folder can be made either.
    place = next(one for one in (folder, *folder.parents) if os.path.lexists(one))
    if not place.is_dir():
        words = translate("SelfTest", "{place} is in the way: it is no folder")
        raise CheckFailed(words.format(place=place))
    return place
