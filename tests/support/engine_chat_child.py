"""The program with its own service and a model file, which chats for ever, to be killed.

It says what `scripted_chats` says. Its arguments: the data folder, the model file, and a name for
this life.
"""

import asyncio
import sys
from pathlib import Path

from app.service.process import ServiceProcess
from app.tasks import TaskOwner
from tests.support.chat_fixtures import chat_kit
from tests.support.clocks import HurriedClock
from tests.support.scripted_chats import ScriptedChats


async def _live(data: Path, model: Path, name: str) -> None:
    service = ServiceProcess(data / "service", model=f"file:{model}")
    owner = TaskOwner(lambda _name, _error: None)
    owner.start(service.run(), name="service")
    await service.until_ready()
    address = (service.address.base_url, service.address.api_key.get_secret_value())
    async with chat_kit(data, address=address, clock=HurriedClock()) as kit:
        chats = ScriptedChats(kit, name, _say)
        await chats.go_on()
        await chats.live()


def _say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    folder, file, life = sys.argv[1:]
    asyncio.run(_live(Path(folder), Path(file), life))
