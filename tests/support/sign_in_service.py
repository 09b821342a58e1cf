"""A tool server that wants people to sign in, and the place where they do, on one loopback port."""

import asyncio
import base64
import hashlib
import json
from asyncio import StreamReader, StreamWriter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs, quote, urlsplit

_ECHO = {
    "name": "echo",
    "description": "Give back what it is given.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
}


@dataclass
class Asked:
    """One request as it came."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return {key: values[0] for key, values in parse_qs(self.body.decode()).items()}


@dataclass
class Reply:
    status: int = 200
    document: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


class SignInService:
    """Answers like a server and its authorization server; a test may spoil answers beforehand.

    Attributes:
        spoilt: The answers for some paths, instead of the normal ones.
        metadata: Values that replace those in the metadata of the authorization server.
        challenge: The `WWW-Authenticate` of a refusal; by default it names the metadata.
        refused: The person refuses the sign-in.
    """

    def __init__(self, origin: str = "") -> None:
        """Use `origin` as its address if requests come by `answer` only, without a socket."""
        self._origin = origin
        self.asked: list[Asked] = []
        self.spoilt: dict[str, Reply] = {}
        self.metadata: dict[str, Any] = {}
        self.challenge: str | None = None
        self.refused = False
        self.expires_in = 3600
        self.valid: set[str] = set()
        self.refreshes: set[str] = set()
        self._codes: dict[str, dict[str, str]] = {}
        self._number = 0
        self._port = 0
        self._server: asyncio.Server | None = None

    @property
    def origin(self) -> str:
        return self._origin or f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        return f"{self.origin}/mcp"

    def paths(self) -> list[str]:
        return [f"{item.method} {item.path}" for item in self.asked]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._on_visitor, "127.0.0.1", 0)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_error: object) -> None:
        assert self._server is not None
        self._server.close()
        await self._server.wait_closed()

    async def _on_visitor(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            reply = self.answer(await _read(reader))
            body = b"" if reply.document is None else json.dumps(reply.document).encode()
            kind = {"Content-Type": "application/json"} if body else {}
            lines = [f"{key}: {value}" for key, value in {**kind, **reply.headers}.items()]
            head = [f"HTTP/1.1 {reply.status} X", *lines, f"Content-Length: {len(body)}"]
            head.append("Connection: close")
            writer.write("\r\n".join([*head, "", ""]).encode() + body)
            await writer.drain()
        except (EOFError, OSError):
            pass
        finally:
            writer.close()

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        return self.spoilt.get(asked.path) or self._reply(asked)

    def _reply(self, asked: Asked) -> Reply:
        if asked.path == "/mcp":
            return self._serve(asked)
        if asked.path.startswith("/.well-known/oauth-protected-resource"):
            servers = [self.origin]
            return Reply(document={"resource": self.url, "authorization_servers": servers})
        if asked.path == "/.well-known/oauth-authorization-server":
            return Reply(document=self._description())
        if asked.path == "/register":
            given = json.loads(asked.body)
            return Reply(201, {**given, "client_id": "client-1"})
        if asked.path == "/authorize":
            return self._authorize(asked)
        return self._token(asked) if asked.path == "/token" else Reply(404)

    def _description(self) -> dict[str, Any]:
        return {
            "issuer": self.origin,
            "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token",
            "registration_endpoint": f"{self.origin}/register",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
            **self.metadata,
        }

    def _authorize(self, asked: Asked) -> Reply:
        back, state = asked.query["redirect_uri"], quote(asked.query["state"])
        if self.refused:
            return Reply(302, headers={"Location": f"{back}?error=access_denied&state={state}"})
        self._number += 1
        code = f"code-{self._number}"
        self._codes[code] = asked.query
        return Reply(302, headers={"Location": f"{back}?code={code}&state={state}"})

    def _token(self, asked: Asked) -> Reply:
        form = asked.form
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.refreshes:
                return Reply(400, {"error": "invalid_grant"})
            self.refreshes.remove(form["refresh_token"])
            return self._given()
        wanted = self._codes.pop(form["code"])
        digest = hashlib.sha256(form["code_verifier"].encode()).digest()
        proof = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if (proof, form["redirect_uri"]) != (wanted["code_challenge"], wanted["redirect_uri"]):
            return Reply(400, {"error": "invalid_grant"})
        return self._given()

    def _given(self) -> Reply:
        self._number += 1
        access, refresh = f"sesame-access-{self._number}", f"sesame-refresh-{self._number}"
        self.valid.add(access)
        self.refreshes.add(refresh)
        return Reply(
            document={
                "access_token": access,
                "token_type": "Bearer",
                "refresh_token": refresh,
                "expires_in": self.expires_in,
            }
        )

    def _serve(self, asked: Asked) -> Reply:
        if asked.headers.get("authorization", "").removeprefix("Bearer ") not in self.valid:
            where = f"{self.origin}/.well-known/oauth-protected-resource/mcp"
            default = f'Bearer resource_metadata="{where}"'
            said = default if self.challenge is None else self.challenge
            return Reply(401, headers={"WWW-Authenticate": said} if said else {})
        if asked.method != "POST":
            return Reply(405)
        message = json.loads(asked.body)
        if "id" not in message:
            return Reply(202)
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        results: dict[str, Any] = {
            "initialize": {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "far", "version": "1"},
            },
            "tools/list": {"tools": [_ECHO]},
            "ping": {},
        }
        if message["method"] == "tools/call":
            text = str(message["params"]["arguments"].get("text"))
            results["tools/call"] = {"content": [{"type": "text", "text": text}]}
        if message["method"] in results:
            return Reply(document={**answer, "result": results[message["method"]]})
        return Reply(document={**answer, "error": {"code": -32601, "message": "No matches"}})


class Browser:
    """Opens pages as a person would who signs in at once.

    Attributes:
        opened: The addresses that it was told to open.
        idles: Nobody signs in.
        is_missing: There is none.
    """

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.idles = False
        self.is_missing = False
        self.has_opened = asyncio.Event()
        self.pages: list[bytes] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, url: str) -> bool:
        self.opened.append(url)
        self.has_opened.set()
        if not self.idles and not self.is_missing:
            task = asyncio.create_task(self._visit(url))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return not self.is_missing

    async def _visit(self, url: str) -> None:
        head, _ = await visit(url)
        line = next(item for item in head.split("\r\n") if item.lower().startswith("location:"))
        _, page = await visit(line.partition(":")[2].strip())
        self.pages.append(page)


async def visit(url: str, host: str = "") -> tuple[str, bytes]:
    """Ask for a page of this computer; gives head and body."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    target = f"{parts.path}?{parts.query}"
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {host or parts.netloc}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    body = await reader.read()
    writer.close()
    return head, body


async def _read(reader: StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines)
    headers = {key.strip().lower(): value.strip() for key, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    query = {key: values[0] for key, values in parse_qs(parts.query).items()}
    return Asked(method, parts.path, query, headers, body)
