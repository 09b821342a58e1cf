"""Several real services on one real database and one real Redis, as processes of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from local_server.cluster.postgres import PostgresAddress
from local_server.commands.key_command import MadeKey, create_key, revoke_key
from local_server.store.records import Mode
from tests.support.event_streams import Event, read_whole_stream
from tests.support.own_service import READ_FILE, new_client
from tests.support.postgres import FreshDatabase
from tests.support.redis import RunningRedis
from tests.support.service import end, read_line

_COMMAND: Final = (sys.executable, "-m", "local_server.cli", "serve", "--port", "0")


@dataclass(frozen=True)
class Service:
    """One service that answers; `base_url` is its address."""

    base_url: str
    process: subprocess.Popen[bytes]

    def client(self, key: str) -> httpx.AsyncClient:
        """Make a client with a key."""
        return new_client(self.base_url, key)


@dataclass(frozen=True)
class Deployment:
    """What services share: a database, a Redis, and a folder for agents and skills."""

    database: FreshDatabase
    redis: RunningRedis
    data: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return how a service is told of it without a secret on its command line."""
        return {
            "PARLEY_DATABASE_URL": self.database.url,
            "PARLEY_REDIS_URL": self.redis.url,
            "PARLEY_SERVER_DATA": str(self.data),
        }

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a service with more on its command line; `ready` waits until it answers."""
        env = {**os.environ, **self.environment}
        return subprocess.Popen((*_COMMAND, *arguments), stdout=subprocess.PIPE, env=env)

    @contextmanager
    def service(self, *arguments: str) -> Iterator[Service]:
        """Run one service until the end of the block."""
        with ended(self.start(*arguments)) as process:
            yield ready(process)

    async def make_key(
        self, project: str, mode: Mode = "live", per_minute: int = 100_000
    ) -> MadeKey:
        """Make a key, as `keys create` does."""
        where = PostgresAddress.parse(self.database.url)
        return await create_key(where, project, mode, "enterprise", per_minute)

    async def revoke(self, made: MadeKey) -> None:
        """Revoke a key, as `keys revoke` does."""
        await revoke_key(PostgresAddress.parse(self.database.url), made.key_id)


def ready(process: subprocess.Popen[bytes]) -> Service:
    """Wait until a service that was started answers."""
    line = json.loads(read_line(process, lambda said: '"ready"' in said))
    return Service(line["base_url"], process)


@contextmanager
def ended(*processes: subprocess.Popen[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the first of these processes; end all at the end of the block."""
    try:
        yield processes[0]
    finally:
        for process in processes:
            end(process)


async def create(client: httpx.AsyncClient) -> str:
    """Make a conversation."""
    answer = await client.post("/v1/conversations")
    assert answer.status_code == 201, answer.text
    conversation_id: str = answer.json()["data"]["id"]
    return conversation_id


async def chat(client: httpx.AsyncClient, conversation_id: str, message: str) -> list[Event]:
    """Send a message with a tool for files at hand, and read the reply to its end."""
    body = {"conversation_id": conversation_id, "message": message, "client_tools": [READ_FILE]}
    answer = await client.post("/v1/chat/stream", json=body)
    assert answer.status_code == 200, answer.text
    return read_whole_stream(answer.content)


async def messages(client: httpx.AsyncClient, conversation_id: str) -> list[str]:
    """Read what was said in a conversation."""
    answer = await client.get(f"/v1/conversations/{conversation_id}")
    assert answer.status_code == 200, answer.text
    return [message["content"] for message in answer.json()["data"]["messages"]]
