"""Signing in at a server: in the person's browser, kept in the keyring, sent to nobody else."""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from ipaddress import ip_address
from typing import Any

import httpx2
import pytest

from app.api.network import Network, ProxySettings, Trust
from app.config.key_store import KeyStore
from app.mcp_servers.sign_ins import SignIns
from local_tools.errors import ToolError
from local_tools.mcp.config import RemoteAddress, ServerConfig
from local_tools.mcp.oauth import SignIn
from local_tools.mcp.oauth_callback import Callback, PageWords
from local_tools.mcp.oauth_http import OAuthHttpClient
from local_tools.mcp.oauth_tokens import SignInAuth, SignInTokens
from local_tools.mcp.server import ServerEnvironment
from local_tools.web.fetching import Address
from tests.support.mcp_server_fixtures import around, no_client, serving
from tests.support.sign_in_service import Asked, Browser, Reply, SignInService, visit

pytestmark = pytest.mark.anyio


class Stage:
    """A server, a browser and a keyring."""

    def __init__(self, service: SignInService) -> None:
        self.service = service
        self.browser = Browser()
        self.keys = KeyStore(lambda: None)
        self.hosts: list[str] = []
        self.place = RemoteAddress(service.url)
        self.config = ServerConfig("far", self.place)
        self.sign_ins = self.anew()

    def anew(self) -> SignIns:
        """As the program has them after it was started again."""
        return SignIns(self.keys, Network(ProxySettings, Trust()), self.browser.open)

    def around(self, sign_ins: SignIns | None = None) -> ServerEnvironment:
        return replace(around(), client_for=(sign_ins or self.sign_ins).client_for)

    async def sign_in(self) -> None:
        async with asyncio.timeout(20):
            await self.sign_ins.sign_in(self.place, self.hosts.append, PageWords())

    async def kept(self) -> str:
        found = await self.keys.load(f"tool-sign-in:{self.service.url}")
        return found.get_secret_value() if found else ""


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with SignInService() as service:
        yield Stage(service)


@pytest.mark.security(64)
async def test_a_person_signs_in_once_and_out_again(
    stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service = stage.service
    async with serving(stage.config, stage.around()) as watched:
        assert (watched.server.life, watched.server.reason) == (
            "signed_out",
            "You need to sign in to it.",
        )
    # Nobody but the server was asked, and no page was opened.
    assert set(service.paths()) == {"POST /mcp"}
    assert stage.browser.opened == []

    await stage.sign_in()
    assert stage.hosts == ["127.0.0.1"]
    assert b"You are signed in." in stage.browser.pages[0]
    assert stage.sign_ins.is_signed_in(stage.place)
    async with serving(stage.config, stage.around()) as watched:
        call = watched.server.call
        assert (await call("echo", {"text": "hello"}, lambda _: None)).text == "hello"
        # What it was given ends, and is renewed without anybody.
        service.valid.clear()
        assert (await call("echo", {"text": "again"}, lambda _: None)).text == "again"
        watched.server.tail.add(f"I was given {next(iter(service.valid))}")
        assert watched.server.tail.lines[-1] == "I was given •••"
    sign_ins = stage.anew()
    async with serving(stage.config, stage.around(sign_ins)) as watched:
        assert watched.server.life == "ready"
        assert sign_ins.is_signed_in(stage.place)
        service.valid.clear()
        service.refreshes.clear()
        with pytest.raises(ToolError):
            await watched.server.call("echo", {}, lambda _: None)
        await watched.until_life("signed_out")
    assert len(stage.browser.opened) == 1
    await sign_ins.sign_out(stage.place)
    assert await stage.kept() == ""
    assert not sign_ins.is_signed_in(stage.place)
    assert "sesame" not in caplog.text


async def test_a_server_that_wants_more_is_asked_for_it_at_the_next_sign_in(stage: Stage) -> None:
    await stage.sign_in()
    said = 'Bearer error="insufficient_scope", scope="notes:write"'
    stage.service.spoilt["/mcp"] = Reply(403, headers={"WWW-Authenticate": said})
    async with serving(stage.config, stage.around()) as watched:
        assert watched.server.life == "signed_out"
        assert watched.server.reason.startswith("It needs more permissions")
    del stage.service.spoilt["/mcp"]
    await stage.sign_in()
    pages = [item for item in stage.service.asked if item.path == "/authorize"]
    assert [page.query.get("scope") for page in pages] == [None, "notes:write"]
    async with serving(stage.config, stage.around()) as watched:
        assert watched.server.life == "ready"


async def test_expired_token_is_refreshed_before_its_use(stage: Stage) -> None:
    stage.service.expires_in = 0
    await stage.sign_in()
    async with serving(stage.config, stage.around()) as watched:
        assert watched.server.life == "ready"
    knock, *said = [item.headers for item in stage.service.asked if item.path == "/mcp"]
    assert "authorization" not in knock
    keys = [headers["authorization"] for headers in said]
    assert "Bearer sesame-access-2" not in keys
    assert len(set(keys)) == len(keys)


async def test_a_sign_in_that_is_given_up_leaves_nothing(stage: Stage) -> None:
    stage.browser.idles = True
    signing_in = asyncio.create_task(stage.sign_in())
    await stage.browser.has_opened.wait()
    signing_in.cancel()
    await asyncio.wait([signing_in])
    back = httpx2.URL(stage.browser.opened[0]).params["redirect_uri"]
    with pytest.raises(ConnectionRefusedError):
        await visit(back)
    assert await stage.kept() == ""


async def test_sign_in_that_the_user_refused_says_so(stage: Stage) -> None:
    stage.service.refused = True
    with pytest.raises(ToolError, match=r"^The sign-in was refused: access_denied\.$"):
        await stage.sign_in()
    assert await stage.kept() == ""


@pytest.mark.parametrize(
    ("path", "reply", "words"),
    [
        ("/register", Reply(403, {"error": "sesame"}), "does not accept new programs"),
        ("/token", Reply(400, {"error": "sesame"}), "was not accepted"),
        ("/token", Reply(200, {"access_token": "a\r\nb", "token_type": "Bearer"}), "not accepted"),
        ("/.well-known/oauth-authorization-server", Reply(500), "not accept new|be trusted"),
        (
            "/.well-known/oauth-authorization-server",
            Reply(200, {"issuer": "https://other.example", "authorization_endpoint": "https://x/a",
                        "token_endpoint": "https://x/t"}),
            "a sign-in service that can be trusted",
        ),
    ],
)  # fmt: skip
async def test_a_failed_sign_in_says_why(stage: Stage, path: str, reply: Reply, words: str) -> None:
    if reply.status == 500:
        stage.service.spoilt["/register"] = Reply(404)
    stage.service.spoilt[path] = reply
    with pytest.raises(ToolError, match=words) as caught:
        await stage.sign_in()
    assert "sesame" not in str(caught.value)
    assert await stage.kept() == ""


HOSTILE = (
    *("file:///etc/passwd", "javascript:alert(1)", "vbscript:x", "data:text/html,x", "smb://h/s"),
    *("http://example.com/a", "http://10.0.0.1/a", "http://127.0.0.1.example.com/", "ftp://h/a"),
    *("ms-msdt:/id PCWDiagnostic", "ms-officecmd:x", "search-ms:query=x", "vscode://x", "ssh://h"),
    *("\\\\host\\share", "//host/share", "C:\\Windows\\System32\\calc.exe", "/bin/sh", "calc.exe"),
    *("http://a;calc.exe", "http://a/$(calc)", "http://a/`calc`", 'http://a/"&calc', "http://a|b"),
    *("https://me:pw@example.com/a", "https:\\\\example.com", "https://", "https:///a", "https:a"),
    *("https://exa mple.com/", "https://example.com\r\nX: y", "https://ex\u0430mple.com/", "", " "),
    *("HTTP://example.com/", "http://[::1%25lo]/", "http://0x7f.1/", "http://localhost@evil.com/"),
    *("mailto:a@b", "tel:1", "about:blank", "intent://x#Intent;end", "x-apple:x", "http://\u202e/"),
    *("https://example.com/a#fragment", "https://example.com:99999/"),
)


@pytest.mark.security(48)
async def test_no_page_is_opened_that_is_not_on_https() -> None:
    assert len(HOSTILE) >= 40
    far = OAuthHttpClient("https://tools.example.com/mcp", no_client, _never)
    for endpoint in HOSTILE[:-2]:
        with pytest.raises(ToolError):
            far.check_page(f"{endpoint}?state=x")
    assert far.check_page("https://login.example.com/a?state=x") == "login.example.com"
    for url in ("http://127.0.0.1:631/?state=x", "https://localhost/?state=x", "https://[::1]/"):
        with pytest.raises(ToolError):
            far.check_page(url)
    # And the whole way, from what a server says to the browser.
    browser = Browser()
    browser.is_missing = True
    for endpoint in HOSTILE:
        service = SignInService("https://tools.example.com")
        service.metadata = {"authorization_endpoint": endpoint}
        asker = Through(service, service.url, no_client, _never)
        with pytest.raises(ToolError):
            await SignIn(service.url, asker, browser.open, lambda _: None).run()
        assert "GET /.well-known/oauth-authorization-server" in service.paths()
    # What cannot be read at all leaves the server's own page, as servers of 2025 have it.
    assert browser.opened
    assert {url.partition("://")[0] for url in browser.opened} == {"https"}


class Through(OAuthHttpClient):
    """Asks without a network."""

    def __init__(self, service: SignInService, *given: Any) -> None:
        super().__init__(*given)
        self._service = service

    async def ask(self, request: httpx2.Request) -> httpx2.Response:
        url, headers = request.url, dict(request.headers)
        asked = Asked(request.method, url.path, dict(url.params), headers, request.content)
        reply = self._service.answer(asked)
        return httpx2.Response(
            reply.status, json=reply.document, headers=reply.headers, request=request
        )


@pytest.mark.security(48)
async def test_redirect_without_the_expected_state_is_rejected() -> None:
    async with Callback() as callback:
        host = httpx2.URL(callback.url).netloc.decode()
        waiting = asyncio.create_task(callback.answer())
        assert "400" in (await visit(f"{callback.url}?code=c&state="))[0]
        callback.expect("right")
        for query in (
            "code=evil&state=wrong",
            "code=evil",
            "error=x&state=wrong",
            "state=right" * 0,
        ):
            head, page = await visit(f"{callback.url}?{query}")
            assert "400" in head
            assert b"evil" not in page
        assert "400" in (await visit(f"{callback.url}?code=c&state=right", "evil.example"))[0]
        assert "400" in (await visit(f"http://{host}/other?code=c&state=right"))[0]
        assert not waiting.done()
        head, _ = await visit(f"{callback.url}?code=c&state=right&iss=i")
        assert "default-src 'none'" in head
        assert (await waiting).code == "c"
        assert "400" in (await visit(f"{callback.url}?code=d&state=right"))[0]


@pytest.mark.security(48)
@pytest.mark.security(59)
async def test_a_description_elsewhere_is_neither_asked_for_nor_followed(stage: Stage) -> None:
    async with SignInService() as other:
        elsewhere = f"{other.origin}/.well-known/oauth-protected-resource"
        stage.service.challenge = f'Bearer resource_metadata="{elsewhere}"'
        redirect = Reply(302, headers={"Location": elsewhere})
        stage.service.spoilt["/.well-known/oauth-protected-resource/mcp"] = redirect
        stage.service.spoilt["/.well-known/oauth-protected-resource"] = Reply(404)
        await stage.sign_in()
        assert other.asked == []
    assert await stage.kept()


def answering(asked: list[httpx2.Request]) -> Any:
    async def client_for(_place: RemoteAddress) -> httpx2.AsyncClient:
        def answer(request: httpx2.Request) -> httpx2.Response:
            asked.append(request)
            return httpx2.Response(200, json={})

        return httpx2.AsyncClient(transport=httpx2.MockTransport(answer), trust_env=False)

    return client_for


async def _never(_url: str) -> None:
    return None


@pytest.mark.security(72)
async def test_a_server_on_the_internet_leads_to_nobody_in_a_private_network() -> None:
    hosts = {"tools.example.com": "93.184.216.34", "inner.example.com": "10.0.0.5"}
    hosts |= {"login.example.com": "93.184.216.35", "mixed.example.com": "::ffff:192.168.0.1"}

    async def resolve(host: str, _port: int) -> tuple[Address, ...]:
        return (ip_address(hosts[host]),)

    async def resolver(_url: str) -> Any:
        return resolve

    asked: list[httpx2.Request] = []
    asker = OAuthHttpClient("https://tools.example.com/mcp", answering(asked), resolver)
    for url in (
        *("https://inner.example.com/", "https://mixed.example.com/", "https://10.0.0.5/"),
        *("https://127.0.0.1/", "https://localhost/", "https://[::1]/", "https://169.254.169.254/"),
        *("http://127.0.0.1/", "http://login.example.com/", "https://[::ffff:10.0.0.5]/"),
    ):
        with pytest.raises(ToolError):
            await asker.ask(httpx2.Request("GET", url))
    assert asked == []
    await asker.ask(httpx2.Request("POST", "https://login.example.com/token", data={"a": "b"}))
    (request,) = asked
    # The machine that was looked at is the one that is asked, in the name of its host.
    assert str(request.url) == "https://93.184.216.35/token"
    assert request.headers["host"] == "login.example.com"
    assert request.extensions["sni_hostname"] == "login.example.com"
    assert request.content == b"a=b"


async def test_concurrent_requests_refresh_the_token_once() -> None:
    asked: list[httpx2.Request] = []
    kept: list[SignInTokens] = []

    class Asker:
        async def ask(self, request: httpx2.Request) -> httpx2.Response:
            asked.append(request)
            await asyncio.sleep(0)
            return httpx2.Response(200, json={"access_token": "new", "expires_in": 60})

    async def keep(new: SignInTokens) -> None:
        kept.append(new)

    def answer(request: httpx2.Request) -> httpx2.Response:
        is_new = request.headers.get("authorization") == "Bearer new"
        return httpx2.Response(200 if is_new else 401)

    old = SignInTokens(
        server_url="https://a.example/mcp",
        access_token="old",
        refresh_token="r",
        token_url="https://a.example/token",
        client_id="c",
        client_secret="s",
        client_auth="client_secret_basic",
    )
    client = httpx2.AsyncClient(
        transport=httpx2.MockTransport(answer),
        auth=SignInAuth(old, Asker(), keep, lambda _: None),
        trust_env=False,
    )
    async with client:
        answers = await asyncio.gather(*(client.post(old.server_url) for _ in range(4)))
        assert {item.status_code for item in answers} == {200}
        # To another place it is not sent at all.
        assert (await client.get("https://b.example/mcp")).status_code == 401
    assert len(asked) == 1
    assert asked[0].headers["authorization"].startswith("Basic ")
    assert [(item.access_token, item.refresh_token) for item in kept] == [("new", "r")]
    assert "old" not in repr(old)
