"""The network in the settings of the whole program: a change holds for the connection at once."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from app.config.settings import ConnectionSettings, Settings, SettingsFile
from app.paths import paths_under
from app.self_test.ui_driver import click, find, press_enter, type_into
from app.ui.notice_bar import NoticeBar
from app.viewmodels.states import Dot
from tests.support.certificates import issue
from tests.support.fake_service import FakeService
from tests.support.proxy import proxy_to
from tests.support.tls_server import TlsServer, tls_server
from tests.support.widgets import label_texts
from tests.support.window import KeyringInMemory, Person, hosted_program, running_program

pytestmark = pytest.mark.anyio


def _has_chosen(folder: Path, server: TlsServer) -> KeyringInMemory:
    paths = paths_under(folder)
    paths.make()
    connection = ConnectionSettings(kind="hosted", base_url=server.address)
    SettingsFile(paths.settings_file).save(Settings(connection=connection))
    keyring = KeyringInMemory()
    keyring.set_password("parley", server.address, "pk_live_canary")
    return keyring


def _button(person: Person, name: str) -> QAbstractButton:
    return find(person.window, QAbstractButton, name)


async def _is(person: Person, dot: Dot) -> None:
    connection = person.program.connection
    await person.sees(lambda: connection.status.dot is dot, f"the connection is {dot.value}")


@pytest.mark.security(61)
async def test_accepted_certificate_authority_is_used_at_once_until_undone(tmp_path: Path) -> None:
    authority = issue("Our own authority", is_authority=True)
    file = tmp_path / "authority.pem"
    file.write_bytes(authority.pem)
    async with (
        tls_server(issue("s", by=authority).context(tmp_path)) as server,
        running_program(tmp_path, _has_chosen(tmp_path, server)) as person,
    ):
        await _is(person, Dot.BAD)
        bars = person.window.findChildren(NoticeBar)
        assert any("is not trusted" in text for bar in bars for text in label_texts(bar))
        assert server.requests == b""
        # There is no way around: nothing in the window ignores a certificate.
        names = [one.accessibleName() for one in person.window.findChildren(QAbstractButton)]
        assert not [name for name in names if "gnore" in name or "nyway" in name]

        person.window.commands["settings"].action.trigger()
        click(_button(person, "Network"))
        network = person.program.sections.network
        network.offer_authority(file)
        await person.sees(
            lambda: network.view.authority is not None,
            "the certificate authority is shown",
            network.changed,
        )
        click(_button(person, "Trust certificate"))
        await _is(person, Dot.GOOD)
        assert b"pk_live_canary" in server.requests
        await server.was_asked(b"GET /v1/conversations", b"GET /v1/skills")

        click(_button(person, "Undo: custom certificate"))
        await _is(person, Dot.BAD)
        server.requests = b""
        await _connects_again_in_vain(person)
        assert server.requests == b""


async def _connects_again_in_vain(person: Person) -> None:
    dots: list[Dot] = []
    connection = person.program.connection
    connection.status_changed.connect(lambda status: dots.append(status.dot))
    connection.retry()
    await person.sees(
        lambda: dots[-2:] == [Dot.WARN, Dot.BAD], "the connection was tried again and failed"
    )


@pytest.mark.security(62)
async def test_proxy_is_entered_in_the_settings_and_nothing_of_this_computer_meets_it(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, proxy_to(0) as proxy:
        async with hosted_program(tmp_path, service) as person:
            person.window.commands["settings"].action.trigger()
            click(_button(person, "Network"))
            click(_button(person, "Custom proxy"))
            field = find(person.window, QLineEdit, "Proxy address")
            asked = len(service.requests)
            type_into(field, proxy.address)
            press_enter(field)

            assert person.program.preferences.current.network.proxy_address == proxy.address
            await service.received(asked + 1)
            await _is(person, Dot.GOOD)
        assert proxy.heads == []
