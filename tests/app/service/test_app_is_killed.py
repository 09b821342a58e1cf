"""When the app is killed, in the middle of a reply, its service goes too."""

import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.processes import still_running

_APP = """
import asyncio, sys
from pathlib import Path
from app.api.client import ApiClient
from app.service.process import ServiceProcess
from app.tasks import TaskOwner

async def main():
    service = ServiceProcess(Path(sys.argv[1]))
    owner = TaskOwner(lambda name, error: None)
    owner.start(service.run(), name="service")
    await service.until_ready()
    address = service.address
    async with ApiClient(address.base_url, address.api_key) as client:
        chat = await client.create_conversation()
        async with client.chat_stream(chat.id, "Tell me something long") as reply:
            await anext(reply)
            print(service.pid, flush=True)
            await asyncio.Event().wait()

asyncio.run(main())
"""
_GONE_WITHIN_S = 20.0


def kill_the_app_during_a_reply(data: Path) -> None:
    """Start an app with its service, kill it, and see the service go."""
    command = [sys.executable, "-c", _APP, str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as app:
        assert app.stdout is not None
        service = psutil.Process(int(app.stdout.readline()))
        assert service.is_running()
        app.kill()
        assert not still_running([service], _GONE_WITHIN_S)


@pytest.mark.security(58)
def test_a_killed_app_leaves_no_service(tmp_path: Path) -> None:
    for n in range(2):
        kill_the_app_during_a_reply(tmp_path / str(n))


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.security(58)
def test_an_app_killed_fifty_times_leaves_no_service(tmp_path: Path) -> None:
    for n in range(50):
        kill_the_app_during_a_reply(tmp_path / str(n))
