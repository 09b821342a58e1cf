"""Project keys: in the system's keyring, or in memory where there is none.

The library keyring loads any backend that a configuration file names, and would hand it the key.
So only the backends listed below are used, and each key that was written is read back.
"""

import asyncio
import importlib
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from typing import Protocol, TypeVar

from pydantic import SecretStr

_SERVICE = "parley"
# An unlock prompt can wait for minutes, and D-Bus can hang.
_KEYRING_TIMEOUT_S = 10.0
BACKENDS: dict[str, tuple[str, ...]] = {
    # KDE's wallet answers there, too; keyring's own backend for it needs dbus-python.
    "linux": ("keyring.backends.SecretService:Keyring",),
    "darwin": ("keyring.backends.macOS:Keyring",),
    "win32": ("keyring.backends.Windows:WinVaultKeyring",),
}
"""The keyring backends that may be used, by `sys.platform`."""

_T = TypeVar("_T")


class KeyLocation(Enum):
    """Where a key is now."""

    KEYRING = "keyring"
    SESSION = "session"


class Backend(Protocol):
    """The part of a keyring backend that is used here."""

    def get_password(self, service: str, username: str) -> str | None:
        """Return the secret, or None."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep the secret."""

    def delete_password(self, service: str, username: str) -> None:
        """Remove the secret."""


class KeyStore:
    """Keeps one key for each origin (scheme, host and port), so that none travels elsewhere.

    Every call returns within `timeout_s` seconds: a keyring that does not answer counts as
    missing, and the key is then kept in memory until the program ends. `find_backend` is called
    in a thread, and may take its time.
    """

    def __init__(
        self,
        find_backend: Callable[[], Backend | None],
        *,
        timeout_s: float = _KEYRING_TIMEOUT_S,
    ) -> None:
        self._find_backend = find_backend
        self._timeout_s = timeout_s
        self._session_keys: dict[str, SecretStr] = {}

    async def load(self, origin: str) -> SecretStr | None:
        """Return the key kept for this origin, or None."""
        if origin in self._session_keys:
            return self._session_keys[origin]
        found = await _in_thread(lambda: self._read(origin), self._timeout_s)
        return SecretStr(found) if found else None

    def place_of(self, origin: str) -> KeyLocation:
        """Return where the key that `load` has found is kept."""
        return KeyLocation.SESSION if origin in self._session_keys else KeyLocation.KEYRING

    async def save(self, origin: str, key: SecretStr) -> KeyLocation:
        """Keep the key, and say where."""
        if await _in_thread(lambda: self._write(origin, key), self._timeout_s):
            self._session_keys.pop(origin, None)
            return KeyLocation.KEYRING
        self._session_keys[origin] = key
        return KeyLocation.SESSION

    async def forget(self, origin: str) -> None:
        """Remove the key from wherever it is."""
        self._session_keys.pop(origin, None)
        await _in_thread(lambda: self._delete(origin), self._timeout_s)

    def _read(self, origin: str) -> str | None:
        backend = self._find_backend()
        return backend.get_password(_SERVICE, origin) if backend else None

    def _write(self, origin: str, key: SecretStr) -> bool:
        backend = self._find_backend()
        if backend is None:
            return False
        backend.set_password(_SERVICE, origin, key.get_secret_value())
        return backend.get_password(_SERVICE, origin) == key.get_secret_value()

    def _delete(self, origin: str) -> None:
        backend = self._find_backend()
        if backend and backend.get_password(_SERVICE, origin) is not None:
            backend.delete_password(_SERVICE, origin)


def system_backend() -> Backend | None:
    """Return the system's own keyring, or None; never one that a file or a variable names."""
    for name in BACKENDS.get(sys.platform, ()):
        module, _, attribute = name.partition(":")
        try:
            backend_class = getattr(importlib.import_module(module), attribute)
            # Asking for the priority is how a backend says that it cannot work here.
            if backend_class.priority > 0:
                backend: Backend = backend_class()
                return backend
        except (ImportError, RuntimeError, _keyring_error()):
            continue
    return None


def _keyring_error() -> type[Exception]:
    """Return what keyring raises."""
    # Imported here, so that a start without keys does not wait for it.
    from keyring.errors import KeyringError  # noqa: PLC0415

    return KeyringError


async def _in_thread(call: Callable[[], _T], timeout_s: float) -> _T | None:
    """Run a keyring call in a thread that may be abandoned; None when it fails or hangs.

    A thread of asyncio's pool would hold up the program's end for as long as it hangs.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[_T | None] = loop.create_future()

    def settle(value: _T | None) -> None:
        if not answer.done():
            answer.set_result(value)

    def run() -> None:
        value: _T | None = None
        try:
            value = call()
        except (_keyring_error(), RuntimeError, OSError):
            value = None
        finally:
            # The loop may be closed by now: then nobody waits for the answer.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle, value)

    threading.Thread(target=run, name="keyring", daemon=True).start()
    try:
        async with asyncio.timeout(timeout_s):
            return await answer
    except TimeoutError:
        return None
