"""Whether a model answers: asked as a chat would ask it, by a service of its own."""

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from app.api.client import ApiClient
from app.api.events import StreamError, TextDelta
from app.api.stream import ReplyStream
from app.error_text import Reason
from app.errors import ErrorRoute, UserFacingError
from app.service.process import ServiceProcess
from app.service.restarts import RestartPlan
from app.settings import Provider
from app.tasks import TaskOwner

_TIMEOUT_S: Final = 60.0
_QUESTION: Final = "Reply with the single word: yes"


async def check_model(model: str, provider_keys: Mapping[Provider, SecretStr]) -> None:
    """Asks the model one short question, and returns once it has begun to answer.

    The service that asks is started for this alone, in a folder that is deleted afterwards, so
    that nothing of it is among the chats and the one at work is left in peace.

    Raises:
        UserFacingError: the model does not answer within a minute, or why it cannot.
    """
    keys = dict[str, SecretStr](provider_keys.items())
    with tempfile.TemporaryDirectory() as folder:
        service = ServiceProcess(
            Path(folder), model=model, provider_keys=keys, restarts=RestartPlan(())
        )
        tasks = TaskOwner(ErrorRoute(_leave_to_caller, _leave_to_caller))
        tasks.start(service.run(), name="service for a check")
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                await _until_ready(service)
                await _ask(service)
        except TimeoutError as error:
            raise UserFacingError(Reason.REQUEST_TIMEOUT) from error
        finally:
            await service.aclose()
            await tasks.aclose()


async def _until_ready(service: ServiceProcess) -> None:
    try:
        await service.until_ready()
    except UserFacingError as error:
        raise UserFacingError(Reason.MODEL_SILENT, {"message": service.last_words}) from error


async def _ask(service: ServiceProcess) -> None:
    address = service.address
    async with ApiClient(address.base_url, address.api_key) as client:
        chat = await client.create_conversation()
        # Named, since choosing an agent would be another question to the model.
        agent = next((agent.name for agent in await client.list_agents()), None)
        async with client.chat_stream(chat.id, _QUESTION, agent_name=agent) as reply:
            await _read_first_words(reply)


async def _read_first_words(reply: ReplyStream) -> None:
    async for event in reply:
        if isinstance(event, StreamError):
            raise UserFacingError(Reason.MODEL_SILENT, {"message": event.message})
        if isinstance(event, TextDelta):
            return
    raise UserFacingError(Reason.REPLY_MISSING)


def _leave_to_caller(_error: object) -> None:
    """Whoever waits for the service is told by `until_ready`."""
