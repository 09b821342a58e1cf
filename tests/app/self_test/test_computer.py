"""What the self-test finds out about the computer: folders, keyring, trust, sandbox."""

import os
import ssl
from contextlib import suppress
from pathlib import Path

import keyring.errors
import pytest

from app.api.network import Trust
from app.self_test.environment_checks import (
    check_folders,
    check_keyring,
    check_sandbox,
    check_trust,
    rejects_untrusted_certificate,
)
from app.self_test.report import CheckFailed, NotAvailable
from local_tools.sandbox.types import SandboxState, nothing_holds
from tests.support.window import KeyringInMemory

pytestmark = pytest.mark.anyio


class _Forgetful(KeyringInMemory):
    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep nothing."""


class _Locked(KeyringInMemory):
    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.KeyringLocked(f"{service}, {username}: {len(password)} letters")


class _Sticky(KeyringInMemory):
    def delete_password(self, service: str, username: str) -> None:
        """Remove nothing."""


async def test_keyring_keeps_a_key_and_has_nothing_more_of_it_afterwards() -> None:
    kept = KeyringInMemory()
    kept.set_password("parley", "https://example.org:443", "pk_live_of_the_person")

    assert await check_keyring(lambda: kept)

    assert list(kept.secrets.values()) == ["pk_live_of_the_person"]


@pytest.mark.parametrize("found", [_Forgetful(), _Locked(), _Sticky()])
async def test_keyring_that_does_not_do_its_work_fails(found: KeyringInMemory) -> None:
    with pytest.raises(CheckFailed):
        await check_keyring(lambda: found)


async def test_missing_keyring_is_reported_as_not_available() -> None:
    with pytest.raises(NotAvailable):
        await check_keyring(lambda: None)


def test_folders_are_written_without_being_made(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()

    told = check_folders([tmp_path / "there", tmp_path / "new" / "deep"])

    # The same words before the first start and after it.
    assert told == f"{tmp_path / 'new' / 'deep'}, {tmp_path / 'there'}"
    assert list(tmp_path.iterdir()) == [tmp_path / "there"]
    assert list((tmp_path / "there").iterdir()) == []


def test_folder_that_cannot_be_written_is_named() -> None:
    # Nobody may write there, whoever runs this.
    with pytest.raises(CheckFailed, match="/proc/self"):
        check_folders([Path("/proc/self/none")])


def test_file_in_place_of_a_folder_is_named_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")

    for place in (tmp_path / "file", tmp_path / "link"):
        for folder in (place, place / "parley"):
            with pytest.raises(CheckFailed, match=f"{place} is not a folder"):
                check_folders([folder])


async def test_stranger_is_refused_by_whom_the_system_trusts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    # A system without certificates of authorities refuses everybody, and that is told instead.
    with suppress(NotAvailable):
        assert "proxy" in await check_trust(Trust())


async def test_trust_in_everybody_fails() -> None:
    lax = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    lax.check_hostname, lax.verify_mode = False, ssl.CERT_NONE

    assert not rejects_untrusted_certificate(lax)
    with pytest.raises(CheckFailed):
        await check_trust(Trust(lambda: lax))


def test_sandbox_is_available_only_when_all_of_it_holds() -> None:
    assert check_sandbox(SandboxState("bubblewrap", True, True, True, True)) == "bubblewrap"
    with pytest.raises(NotAvailable, match=r"landlock.*no namespaces"):
        check_sandbox(SandboxState("landlock", True, False, True, True, ("no namespaces",)))
    with pytest.raises(NotAvailable, match="nothing here"):
        check_sandbox(nothing_holds("none", "nothing here"))
