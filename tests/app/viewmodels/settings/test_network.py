"""The proxy and the authority in the settings: what is chosen holds, is shown, and is undone."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.api.ca_certificate import read_ca_certificate
from app.config.settings import NetworkSettings, SettingsFile
from app.self_test.ui_driver import until
from app.viewmodels.preferences import Preferences
from app.viewmodels.settings.network import NetworkSources, NetworkView, NetworkViewModel
from tests.support.certificates import Issued, issue
from tests.support.project_fixtures import projects_desk
from tests.support.window import KeyringInMemory

pytestmark = pytest.mark.anyio


@dataclass(frozen=True)
class _Bench:
    """The view model about the network, over settings of its own."""

    network: NetworkViewModel
    preferences: Preferences
    file: Path

    @property
    def holds(self) -> NetworkSettings:
        """What the file of the settings says."""
        return SettingsFile(self.file).current.network

    async def sees(self, is_so: Callable[[NetworkView], bool]) -> NetworkView:
        """Wait until what is shown is so."""
        network = self.network
        await until(lambda: is_so(network.view), [network.changed], "the view", 5)
        return network.view


@asynccontextmanager
async def _bench(folder: Path, found: str | None = None) -> AsyncIterator[_Bench]:
    async with projects_desk(folder, KeyringInMemory()) as desk:
        preferences = Preferences(desk.settings)
        sources = NetworkSources(find_proxy=lambda _host: found)
        network = NetworkViewModel(preferences, desk.connection, sources)
        try:
            yield _Bench(network, preferences, folder / "config" / "settings.toml")
        finally:
            await network.aclose()


@pytest.fixture(scope="module")
def authority() -> Issued:
    return issue("Our own authority", is_authority=True, days=(-1, 30))


def _file_of(issued: Issued, folder: Path) -> Path:
    file = folder / "authority.pem"
    file.write_bytes(issued.pem)
    return file


async def test_address_of_a_proxy_holds_once_it_is_right_and_is_undone(tmp_path: Path) -> None:
    async with _bench(tmp_path) as bench:
        bench.network.use_proxy("address", "http://me:word@proxy.example")
        assert "password" in bench.network.view.proxy_problem
        assert bench.preferences.current.network == NetworkSettings()

        bench.network.use_proxy("address", "proxy.example:3128")
        assert bench.network.view.proxy_problem == ""
        assert bench.holds == NetworkSettings(
            proxy="address", proxy_address="http://proxy.example:3128"
        )

        bench.preferences.undo()
        assert bench.network.view.proxy == "none"
        assert bench.holds == NetworkSettings()


@pytest.mark.parametrize(
    ("found", "named"), [(None, ""), ("http://proxy.example:1", "http://proxy.example:1")]
)
async def test_proxy_of_the_system_is_named(found: str | None, named: str, tmp_path: Path) -> None:
    async with _bench(tmp_path, found) as bench:
        bench.network.use_proxy("system")

        view = await bench.sees(lambda view: view.system_proxy is not None)
        assert view.system_proxy == named
        assert bench.holds.proxy == "system"


@pytest.mark.security(61)
async def test_authority_counts_once_its_fingerprint_was_shown_and_accepted(
    authority: Issued, tmp_path: Path
) -> None:
    file = _file_of(authority, tmp_path)
    async with _bench(tmp_path) as bench:
        bench.network.offer_authority(file)
        view = await bench.sees(lambda view: view.authority is not None)
        assert view.authority
        assert view.authority.is_offered
        assert view.authority.name == "Our own authority"
        assert view.authority.fingerprint == read_ca_certificate(file).fingerprint
        assert "Valid until" in view.authority.words
        assert bench.preferences.current.network == NetworkSettings()

        bench.network.accept_authority()
        await bench.sees(lambda view: bool(view.authority and not view.authority.is_offered))
        assert bench.holds.authority_fingerprint == read_ca_certificate(file).fingerprint

        bench.network.forget_authority()
        assert bench.network.view.authority is None
        assert bench.holds == NetworkSettings()


async def test_declined_authority_leaves_no_trace(authority: Issued, tmp_path: Path) -> None:
    async with _bench(tmp_path) as bench:
        bench.network.offer_authority(_file_of(authority, tmp_path))
        await bench.sees(lambda view: view.authority is not None)

        bench.network.decline_authority()
        bench.network.accept_authority()

        assert bench.network.view.authority is None
        assert bench.preferences.current.network == NetworkSettings()


async def test_file_that_is_no_authority_is_explained(tmp_path: Path) -> None:
    async with _bench(tmp_path) as bench:
        bench.network.offer_authority(_file_of(issue("server"), tmp_path))

        view = await bench.sees(lambda view: bool(view.authority_problem))
        assert "not the certificate of a certificate authority" in view.authority_problem
        assert view.authority is None


@pytest.mark.security(61)
async def test_certificate_that_was_exchanged_is_said_not_to_count(
    authority: Issued, tmp_path: Path
) -> None:
    file = _file_of(authority, tmp_path)
    async with _bench(tmp_path) as bench:
        bench.network.offer_authority(file)
        await bench.sees(lambda view: view.authority is not None)
        bench.network.accept_authority()
        await bench.sees(lambda view: bool(view.authority and view.authority.name))

        file.write_bytes(issue("Somebody else", is_authority=True).pem)
        bench.network.refresh()

        view = await bench.sees(lambda view: bool(view.authority and view.authority.problem))
        assert view.authority
        assert "is not trusted" in view.authority.problem
        assert view.authority.name == ""
