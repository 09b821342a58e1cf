"""Asking for newer versions, by real TLS on the loopback: what is sent, shown, and not believed."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from app.api.ca_certificate import PinnedCaCertificate, read_ca_certificate
from app.api.network import Network, ProxySettings, Trust
from app.config.settings import SettingsFile
from app.updates.release import PURPOSE
from app.updates.update_check import LastTrustedRelease, make_update_checker
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.updates import UpdateState, UpdatesViewModel, UpdateView
from tests.support.certificates import issue
from tests.support.signals import emitted
from tests.support.tls_server import TlsServer, tls_server

pytestmark = pytest.mark.anyio

_KEY = Ed25519PrivateKey.generate()


def _signed(version: str, days: int = 30, published: int = 0) -> bytes:
    now = datetime.now(UTC)
    said = {
        "version": version,
        "published": (now + timedelta(days=published)).isoformat(),
        "expires": (now + timedelta(days=days)).isoformat(),
        "notes": "<b>Faster</b>\u202e",
        "link": "https://example.org/get",
    }
    signed = json.dumps(said).encode()
    return json.dumps(
        {
            "release": base64.b64encode(signed).decode(),
            "signature": base64.b64encode(_KEY.sign(PURPOSE + signed)).decode(),
        }
    ).encode()


def _answer(body: bytes, status: str = "200 OK", more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


@asynccontextmanager
async def _updates(
    folder: Path, server: TlsServer, authority: Path, *, at_start: bool = False
) -> AsyncIterator[UpdatesViewModel]:
    """Yield what asks this server, which the packager set; `authority` vouches for servers."""
    public = base64.b64encode(_KEY.public_key().public_bytes_raw()).decode()
    written = {"address": f"{server.address}/parley.json", "key": public}
    (folder / "updates.json").write_text(json.dumps(written), encoding="utf-8")
    chosen = PinnedCaCertificate(authority, read_ca_certificate(authority).fingerprint)
    network = Network(lambda: ProxySettings(authority=chosen), Trust())
    preferences = Preferences(SettingsFile(folder / "settings.toml"))
    trusted = LastTrustedRelease(folder / "release.json")
    look = make_update_checker(network, trusted)
    updates = UpdatesViewModel(preferences, folder, lambda: "0.1.0", look, trusted)
    updates.choose_at_start(at_start)
    try:
        yield updates
    finally:
        await updates.aclose()


async def _asked(updates: UpdatesViewModel) -> UpdateView:
    """Asks, and gives what is shown in the end."""
    updates.check()
    assert updates.view.state is UpdateState.LOOKING
    await emitted(updates.changed)
    return updates.view


@pytest.mark.security(74)
async def test_answers_are_shown_or_refused_and_nothing_but_the_question_is_sent(
    tmp_path: Path,
) -> None:
    authority = issue("Ours", is_authority=True)
    file = tmp_path / "authority.pem"
    file.write_bytes(authority.pem)
    elsewhere = "Location: https://127.0.0.1:9/other\r\n"
    forged = json.dumps({**json.loads(_signed("9.0")), "signature": "AAAA"}).encode()
    expected = (
        (_answer(_signed("0.2.0")), UpdateState.NEWER, "Version 0.2.0"),
        (_answer(_signed("0.1.0")), UpdateState.CURRENT, "up to date"),
        (
            _answer(_signed("0.3.0", published=-2)),
            UpdateState.FAILED,
            "older than what was received",
        ),
        (_answer(_signed("0.0.9")), UpdateState.FAILED, "older version"),
        (_answer(_signed("0.2.0", days=-1)), UpdateState.FAILED, "expired"),
        (_answer(forged), UpdateState.FAILED, "not signed"),
        (_answer(b"", "302 Found", elsewhere), UpdateState.FAILED, "redirected to"),
        (_answer(b"", "404 Not Found"), UpdateState.FAILED, "not answer properly. Try again"),
        (_answer(b"", "503 Service Unavailable"), UpdateState.FAILED, "not answer properly"),
        (_answer(_signed("0.2.0") + b" " * 70_000), UpdateState.FAILED, "too large"),
    )
    async with (
        tls_server(issue("s", by=authority).context(tmp_path)) as server,
        _updates(tmp_path, server, file) as updates,
    ):
        updates.begin()
        assert updates.view.state is UpdateState.IDLE
        for answer, state, words in expected:
            server.answer, server.requests = answer, b""
            view = await _asked(updates)
            assert (view.state, words in view.words) == (state, True), view
            assert (view.link != "") == (state is UpdateState.NEWER)
            lines = server.requests.lower().split(b"\r\n")
            assert lines[0] == b"get /parley.json http/1.1"
            names = {line.partition(b":")[0] for line in lines[1:] if line}
            assert names == {b"host", b"accept", b"accept-encoding", b"connection", b"user-agent"}
            assert b"user-agent: parley" in lines
        # Who asks sees the answer where it was asked.
        assert updates.notice is None


async def test_server_that_nobody_vouches_for_is_told_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    file = tmp_path / "authority.pem"
    file.write_bytes(issue("Ours", is_authority=True).pem)
    async with (
        tls_server(issue("s").context(tmp_path)) as server,
        _updates(tmp_path, server, file) as updates,
    ):
        view = await _asked(updates)

        assert view.state is UpdateState.FAILED
        assert "add a custom certificate in Settings, under “Network”." in view.words
        failed = [line for line in caplog.messages if "The check for updates" in line]
        assert failed == [f"The check for updates at {updates.host} failed: connect_tls_unknown"]
        assert server.requests == b""


async def test_opted_in_user_is_told_of_an_update_at_start_until_dismissed(tmp_path: Path) -> None:
    authority = issue("Ours", is_authority=True)
    file = tmp_path / "authority.pem"
    file.write_bytes(authority.pem)
    async with (
        tls_server(issue("s", by=authority).context(tmp_path)) as server,
        _updates(tmp_path, server, file, at_start=True) as updates,
    ):
        assert await _told_at_start(updates, server, "0.1.0") == ""
        assert await _told_at_start(updates, server, "0.3") == "Version 0.3 is available."
        assert updates.view.state is UpdateState.NEWER
        updates.dismiss_notice()
        assert updates.notice is None
        assert await _told_at_start(updates, server, "0.3") == ""
        assert await _told_at_start(updates, server, "0.4") == "Version 0.4 is available."


async def _told_at_start(updates: UpdatesViewModel, server: TlsServer, version: str) -> str:
    """Announces a version, and gives what the window says of it after a start."""
    server.answer = _answer(_signed(version))
    updates.begin()
    await emitted(updates.changed)
    return updates.notice.words.sentence if updates.notice else ""
