"""The bundled service in the test's own loop, with its clock, assistant and keys given in.

Requests go over a real socket, since an in-process transport would buffer streams.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from local_server.application import create_app
from local_server.assistant.allowances import ModelDescriber
from local_server.assistant.assistants import Assistants, ModelSelection
from local_server.assistant.demo import DemoAssistant
from local_server.assistant.reply import Assistant, ModelChoices
from local_server.auth import hash_key
from local_server.commands.options import CommandError, ObservabilityOptions
from local_server.commands.serve_command import ListenOptions, ServeOptions, serve_alone
from local_server.coordination import BackendConfig, ConversationLocks, Coordination
from local_server.observability import LogFormat, Meter
from local_server.serving import Service, allowed_hosts, bind_socket
from local_server.settings import RESOURCES, ConnectionTimeouts, ServiceSettings
from local_server.store.images import IMAGE_QUOTA_BYTES
from local_server.store.opening import ServiceStore, StoreAddress
from local_server.store.records import Mode, Owner
from tests.support.event_streams import Event, read_whole_stream

_PATIENT = ConnectionTimeouts(60, 60, 60)
_ANSWER_TIMEOUT_S = 20
KEY = "pk_live_of_the_tests"
READ_FILE = {
    "name": "read_file",
    "description": "Reads a file.",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
}


def new_client(base_url: str, key: str = KEY, accept: str = "") -> httpx.AsyncClient:
    """Make a client of its own, without the certificates that loopback does not need.

    It asks for the events of the extensions that `accept` names.
    """
    headers = {"X-API-Key": key} | ({"Parley-Accept": accept} if accept else {})
    unused = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return httpx.AsyncClient(
        base_url=base_url,
        headers=headers,
        trust_env=False,
        timeout=_ANSWER_TIMEOUT_S,
        verify=unused,
    )


class HandClock:
    """A clock that stands still until it is moved; each look at it is a microsecond later."""

    def __init__(self) -> None:
        self._now = datetime(2025, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(microseconds=1)
        return self._now

    def move(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


@dataclass(frozen=True)
class OwnService:
    """A service that answers, a client with a key for it, and what is behind it.

    Attributes:
        stop: Makes the service begin to stop, before the end of its block.
        connections: Counts the connections that the service has now.
    """

    client: httpx.AsyncClient
    store: ServiceStore
    clock: HandClock
    base_url: str
    stop: Callable[[], None]
    connections: Callable[[], int]

    async def create(self) -> str:
        """Make a conversation."""
        answer = await self.client.post("/v1/conversations")
        assert answer.status_code == 201
        conversation_id: str = answer.json()["data"]["id"]
        return conversation_id

    async def chat(self, conversation_id: str, message: str, **fields: Any) -> list[Event]:
        """Send a message and read the reply to its end."""
        body = {"conversation_id": conversation_id, "message": message, **fields}
        answer = await self.client.post("/v1/chat/stream", json=body)
        assert answer.status_code == 200, answer.text
        return read_whole_stream(answer.content)

    async def give_result(self, conversation_id: str, call_id: str, result: str) -> list[Event]:
        """Send a tool's result and read the continuation to its end."""
        answer = await self.post_result(conversation_id, call_id, result)
        assert answer.status_code == 200, answer.text
        return read_whole_stream(answer.content)

    async def post_result(
        self, conversation_id: str, call_id: str, result: str, **fields: Any
    ) -> httpx.Response:
        """Send a tool's result, whatever comes of it."""
        body = {"conversation_id": conversation_id, "tool_call_id": call_id, "result": result}
        body |= fields
        return await self.client.post("/v1/tool-result", json=body)

    async def messages(self, conversation_id: str) -> list[dict[str, Any]]:
        """Read the messages of a conversation."""
        answer = await self.client.get(f"/v1/conversations/{conversation_id}")
        messages: list[dict[str, Any]] = answer.json()["data"]["messages"]
        return messages

    async def add_key_once(self) -> None:
        """Make the key of the client valid where it is not yet."""
        if await self.store.keys.find(hash_key(KEY.encode())) is None:
            await self.add_key(KEY)

    async def add_key(
        self, key: str, project: str = "tests", mode: Mode = "live", per_minute: int = 100_000
    ) -> str:
        """Make a key valid; returns its id."""
        digest = hash_key(key.encode())
        return await self.store.keys.add(Owner(project, mode), digest, "", "pro", per_minute)


@asynccontextmanager
async def own_service(
    tmp_path: Path,
    *,
    assistant: Assistant | None = None,
    resources: Path = RESOURCES,
    proof_secret: str | None = None,
    launch_key: str | None = None,
    silence_s: float = 10,
    max_connections: int = 100,
    timeouts: ConnectionTimeouts = _PATIENT,
    locks: ConversationLocks | None = None,
    wrong_key_delay_s: float = 0,
    release_wait_s: float = 20,
    where: StoreAddress | None = None,
    meter: Meter | None = None,
    models: ModelChoices | None = None,
    accept: str = "",
    describer: ModelDescriber | None = None,
    image_quota_bytes: int = IMAGE_QUOTA_BYTES,
) -> AsyncIterator[OwnService]:
    """Serve until the end of the block; the client's key is of project `tests`, live."""
    clock = HandClock()
    store = await ServiceStore.open(where or tmp_path / "data", clock, image_quota_bytes)
    bound = bind_socket("127.0.0.1", 0)
    settings = ServiceSettings(
        allowed_hosts(bound),
        proof_secret=SecretStr(proof_secret) if proof_secret else None,
        launch_key=SecretStr(launch_key) if launch_key else None,
        resources=resources,
        data=tmp_path / "data",
        silence_s=silence_s,
        max_connections=max_connections,
        connection_timeouts=timeouts,
        wrong_key_delay_s=wrong_key_delay_s,
    )
    assistants = Assistants(assistant or DemoAssistant(0), DemoAssistant(0), models)
    made = Coordination.in_this_process(clock, release_wait_s)
    shared = replace(made, locks=locks or made.locks)
    app = create_app(settings, store, assistants, clock, shared, meter=meter, describer=describer)
    ready = asyncio.Event()
    service = Service(app, 0, lambda _service: ready.set())
    base_url = f"http://127.0.0.1:{bound.getsockname()[1]}"
    running = asyncio.create_task(service.serve([bound]))

    def connections() -> int:
        return len(service.server_state.connections)

    try:
        async with asyncio.timeout(20):
            await ready.wait()
        async with new_client(base_url, accept=accept) as client:
            own = OwnService(client, store, clock, base_url, service.stop, connections)
            await own.add_key_once()
            yield own
    finally:
        service.stop()
        await running
        bound.close()
        await store.aclose()


def refusal_of_serve(folder: Path, host: str = "127.0.0.1", *names: str) -> str:
    """Serve where that is not possible, and return the sentence for the person."""
    options = ServeOptions(folder, 0, ModelSelection(), ObservabilityOptions(LogFormat.TEXT))
    where = ListenOptions(host, 0, names, 8)
    with pytest.raises(CommandError) as raised:
        asyncio.run(serve_alone(options, where, BackendConfig(folder)))
    return str(raised.value)


async def read_until(lines: AsyncIterator[str], part: str) -> Sequence[str]:
    """Read lines until one contains a text, which is the last that is returned."""
    read: list[str] = []
    async with asyncio.timeout(20):
        async for line in lines:
            read.append(line)
            if part in line:
                return read
    raise AssertionError(f"{part!r} did not come: {read}")
