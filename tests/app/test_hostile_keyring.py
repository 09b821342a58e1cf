"""Keyrings that are missing, keep nothing, or were planted: no key reaches them, or a file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.common.error_messages import ErrorCode, explain
from app.common.errors import UserFacingError
from app.config.key_store import KeyLocation
from app.viewmodels.states import BannerView, Dot
from tests.support.fake_service import FakeService
from tests.support.plugins import LoopBackend
from tests.support.project_fixtures import projects_desk
from tests.support.window import KeyringInMemory

_KEY = "pk_test_canary0123456789"
_ROOT = Path(__file__).parents[2]

# Writes a marker when it is imported, and another one with whatever key it is given.
_PLANTED = """
from pathlib import Path
from keyring.backend import KeyringBackend

_HERE = Path(__file__).parent
(_HERE / "loaded").touch()

class Planted(KeyringBackend):
    priority = 99
    def get_password(self, service, username):
        return None
    def set_password(self, service, username, password):
        (_HERE / "stolen").write_text(password)
"""

_PROGRAM = """
import asyncio, sys
from pydantic import SecretStr
from app.config.key_store import KeyStore, system_backend

async def main():
    # A keyring that begins may take its time.
    store = KeyStore(system_backend, timeout_s=40)
    key = SecretStr(sys.stdin.readline().strip())
    kept = await store.save("https://a:443", key)
    read = await store.load("https://a:443")
    again = await KeyStore(system_backend).load("https://a:443")
    print(kept.value, read == key, again == key)

asyncio.run(main())
"""
_NAIVE = "import keyring; keyring.set_password('parley', 'a', input())"

_UNLOCK = (
    'printf "\\n" | gnome-keyring-daemon --unlock --components=secrets --daemonize >&2; exec "$@"'
)


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop."""
    return qt_loop


def _surroundings(home: Path, attack: str) -> dict[str, str]:
    """Plant a keyring, chosen by a variable or by a file; return a program's variables."""
    planted = home / "planted"
    planted.mkdir()
    (planted / "planted.py").write_text(_PLANTED)
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    environ = {"HOME": str(home), "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(runtime)}
    name = "keyring.backends.null.Keyring" if attack == "null" else "planted.Planted"
    if attack == "file":
        config = home / ".config" / "python_keyring"
        config.mkdir(parents=True)
        (config / "keyringrc.cfg").write_text(
            f"[backend]\ndefault-keyring={name}\nkeyring-path={planted}\n"
        )
        return environ
    return {**environ, "PYTHON_KEYRING_BACKEND": name, "PYTHONPATH": str(planted)}


def _run(program: str, environ: dict[str, str], *before: str) -> str:
    done = subprocess.run(
        [*before, sys.executable, "-c", program],
        input=f"{_KEY}\n",
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=_ROOT,
        env=environ,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _with_key(folder: Path) -> list[Path]:
    """Return the files under a folder that have the key in them."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file for file in files if _KEY.encode() in file.read_bytes()]


@pytest.mark.security(65)
@pytest.mark.parametrize("attack", ["variable", "file", "null"])
def test_planted_choice_of_a_keyring_counts_for_nothing(attack: str, tmp_path: Path) -> None:
    environ = _surroundings(tmp_path, attack)

    told = _run(_PROGRAM, environ)

    assert told.split() == ["session", "True", "False"]
    assert not (tmp_path / "planted" / "loaded").exists()
    assert _with_key(tmp_path) == []


@pytest.mark.security(65)
@pytest.mark.parametrize("attack", ["variable", "file"])
def test_same_choice_catches_a_program_that_asks_keyring_itself(
    attack: str, tmp_path: Path
) -> None:
    """So that the test above cannot pass because the attack is none."""
    _run(_NAIVE, _surroundings(tmp_path, attack))

    assert (tmp_path / "planted" / "stolen").read_text() == _KEY


@pytest.mark.security(65)
@pytest.mark.skipif(
    not all(map(shutil.which, ("dbus-run-session", "gnome-keyring-daemon"))),
    reason="dbus-run-session and gnome-keyring-daemon are not installed",
)
def test_real_keyring_is_used_whatever_was_planted_and_shows_no_key_in_a_file(
    tmp_path: Path,
) -> None:
    environ = _surroundings(tmp_path, "file")

    told = _run(_PROGRAM, environ, "dbus-run-session", "--", "sh", "-ec", _UNLOCK, "sh")

    assert told.split() == ["keyring", "True", "True"]
    assert not (tmp_path / "planted" / "loaded").exists()
    keyrings = tmp_path / ".local" / "share" / "keyrings"
    # With an empty password the keyring's own file is as open as its owner wants it.
    assert [file for file in _with_key(tmp_path) if keyrings not in file.parents] == []


class _Null(KeyringInMemory):
    """A keyring that says yes and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        """Forgets at once."""


@pytest.mark.anyio
@pytest.mark.security(65)
async def test_key_without_a_keyring_lasts_for_the_session_and_touches_no_file(
    tmp_path: Path,
) -> None:
    async with FakeService(_KEY) as service:
        async with projects_desk(tmp_path, _Null()) as desk:
            banners: list[BannerView | None] = []
            desk.connection.banner_changed.connect(banners.append)
            kept = await desk.connection.use_hosted(service.base_url, service.api_key, "Mine")

            assert kept is KeyLocation.SESSION
            words = explain(UserFacingError(ErrorCode.KEY_NOT_KEPT))
            assert banners[-1] == BannerView(Dot.WARN, words)
            assert "until Parley closes" in words.sentence
            assert desk.connection.status.dot is Dot.GOOD
            assert _with_key(tmp_path) == []

            await desk.connection.start()
            assert desk.connection.workspace is not None

        asked = len(service.requests)
        async with projects_desk(tmp_path, _Null()) as desk:
            # What is kept of the project can be read; nothing is asked without the key.
            assert desk.connection.workspace is not None
            assert desk.connection.status.dot is Dot.BAD
        assert len(service.requests) == asked
    assert _with_key(tmp_path) == []
