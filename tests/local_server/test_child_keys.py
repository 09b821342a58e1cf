"""Keys of models that the app gives its service: they reach their provider, and nobody else."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.support.event_streams import read_events, text_of
from tests.support.fake_models import KEY, FakeOpenAi
from tests.support.service import (
    address_of,
    end,
    launch_line,
    listening_socket,
    read_line,
    write_line,
)

pytestmark = pytest.mark.anyio

_LAUNCH_KEY = "pk_live_" + "k" * 40


@contextmanager
def _child(
    tmp_path: Path, provider_address: str
) -> Iterator[tuple[str, subprocess.Popen[bytes], Path]]:
    """Run the service as the app does, with a model's key on its standard input."""
    launch = json.loads(launch_line(_LAUNCH_KEY, "s" * 40))
    launch |= {"model": "openai:small", "provider_keys": {"openai": KEY}}
    bound, log = listening_socket(), tmp_path / "log"
    command = (sys.executable, "-m", "local_server.cli", "serve", "--child")
    data = ("--data-dir", str(tmp_path / "data"), "--fd", str(bound.fileno()))
    pipe = subprocess.PIPE
    with bound, log.open("wb") as errors:
        process = subprocess.Popen(
            (*command, *data),
            stdin=pipe,
            stdout=pipe,
            stderr=errors,
            pass_fds=(bound.fileno(),),
            env={**os.environ, "OPENAI_BASE_URL": provider_address, "OPENAI_API_KEY": "sk-other"},
        )
        try:
            write_line(process, json.dumps(launch) + "\n")
            read_line(process, lambda line: "ready" in line)
            yield address_of(bound), process, log
        finally:
            end(process)


def _shown_by(pid: int) -> bytes:
    """Return what other programs of the same user can see of a process, if the system lets them."""
    shown = b""
    for name in ("cmdline", "environ", "comm", "status"):
        try:
            shown += Path(f"/proc/{pid}/{name}").read_bytes()
        except OSError:
            continue
    return shown


def _kept_in(folder: Path) -> bytes:
    """All that a folder holds: the log, the database and what belongs to it."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.security(64)
async def test_key_from_the_parent_is_shown_to_the_provider_alone(tmp_path: Path) -> None:
    async with FakeOpenAi() as provider:
        refusal = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
        provider.sends(json.dumps(refusal).encode(), 401)
        provider.says("Hello.")
        with _child(tmp_path, f"{provider.base_url}/v1") as (address, process, log):
            headers = {"X-API-Key": _LAUNCH_KEY}
            async with httpx.AsyncClient(
                base_url=address, headers=headers, trust_env=False, timeout=30
            ) as client:
                chat = (await client.post("/v1/conversations")).json()["data"]["id"]
                asked = {"conversation_id": chat, "message": "Go", "agent_name": "assistant"}
                refused = await client.post("/v1/chat/stream", json=asked)
                answered = await client.post("/v1/chat/stream", json=asked)
            shown = _shown_by(process.pid)
        questions = [request for request in provider.requests if provider.is_question(request)]
    kept = _kept_in(tmp_path)
    assert [question.header("Authorization") for question in questions] == [f"Bearer {KEY}"] * 2
    assert "does not accept the key" in refused.text
    assert text_of(read_events(answered.content)) == "Hello."
    assert b"local_server.cli" in shown or sys.platform != "linux"
    assert log.stat().st_size > 0
    for seen in (refused.text.encode(), answered.text.encode(), shown, kept):
        assert KEY.encode() not in seen
