"""Keys: in the real keyring where there is one, for this session where there is none."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import keyring.errors
import pytest
from pydantic import SecretStr

from app.config.key_store import Backend, KeyLocation, KeyStore

ORIGIN = "https://chat.example.org:443"
KEY = SecretStr("pk_test_0123456789abcdef")

_UNDER_A_KEYRING = """
import asyncio
from pydantic import SecretStr
from app.config.key_store import KeyStore, system_backend

def store():
    # A keyring that begins may take its time.
    return KeyStore(system_backend, timeout_s=40)

async def main():
    kept = await store().save("https://a:443", SecretStr("pk_test_abc"))
    read = await store().load("https://a:443")
    other = await store().load("https://b:443")
    await store().forget("https://a:443")
    gone = await store().load("https://a:443")
    print(kept.value, read.get_secret_value(), other, gone)

asyncio.run(main())
"""


class BackendInMemory:
    """A keyring that keeps what it is told, unless it is told to fail."""

    def __init__(self, *, fails: bool = False, forgets: bool = False) -> None:
        self.secrets: dict[tuple[str, str], str] = {}
        self._fails = fails
        self._forgets = forgets

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.secrets.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        if not self._forgets:
            self.secrets[(service, username)] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        del self.secrets[(service, username)]

    def _check(self) -> None:
        if self._fails:
            raise keyring.errors.KeyringLocked("the user closed the prompt")


@pytest.mark.anyio
async def test_a_key_is_kept_for_its_origin_alone() -> None:
    backend = BackendInMemory()

    assert await KeyStore(lambda: backend).save(ORIGIN, KEY) is KeyLocation.KEYRING

    assert await KeyStore(lambda: backend).load(ORIGIN) == KEY
    assert await KeyStore(lambda: backend).load("https://chat.example.org:8443") is None


@pytest.mark.anyio
@pytest.mark.parametrize(
    "find",
    [
        lambda: None,
        lambda: BackendInMemory(fails=True),
        lambda: BackendInMemory(forgets=True),
    ],
    ids=["no keyring", "locked", "drops what it is given"],
)
async def test_without_a_working_keyring_a_key_lasts_for_the_session(
    find: Callable[[], Backend | None],
) -> None:
    store = KeyStore(find)

    assert await store.save(ORIGIN, KEY) is KeyLocation.SESSION

    assert await store.load(ORIGIN) == KEY
    assert await KeyStore(find).load(ORIGIN) is None


@pytest.mark.anyio
async def test_a_forgotten_key_is_gone() -> None:
    backend = BackendInMemory()
    store = KeyStore(lambda: backend)
    await store.save(ORIGIN, KEY)

    await store.forget(ORIGIN)

    assert await store.load(ORIGIN) is None
    assert backend.secrets == {}


@pytest.mark.anyio
async def test_a_keyring_that_hangs_counts_as_missing() -> None:
    released = threading.Event()

    def hang() -> None:
        released.wait()

    try:
        assert await KeyStore(hang, timeout_s=0.05).save(ORIGIN, KEY) is KeyLocation.SESSION
    finally:
        released.set()


def test_the_real_keyring_keeps_a_key(tmp_path: Path) -> None:
    for tool in ("dbus-run-session", "gnome-keyring-daemon"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    unlock = (
        'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >&2;'
        ' exec "$@"'
    )

    done = subprocess.run(
        [
            "dbus-run-session",
            "--",
            "sh",
            "-ec",
            unlock,
            "sh",
            sys.executable,
            "-c",
            _UNDER_A_KEYRING,
        ],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=Path(__file__).parents[2],
        env={
            "HOME": str(tmp_path),
            "XDG_RUNTIME_DIR": str(runtime),
            "PATH": "/usr/bin:/bin",
            # A planted choice of backend must count for nothing.
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        },
    )

    assert done.stdout.split() == ["keyring", "pk_test_abc", "None", "None"], done.stderr
