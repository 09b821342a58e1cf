"""A service on this computer that is started no more: nothing is sent to it, and nobody waits."""

import asyncio
from pathlib import Path

import pytest

from app.chat.items import Notice, SendState, UserMessage
from app.common.error_messages import ErrorCode, explain
from app.store.records import StoredFailure
from app.viewmodels.states import Dot
from tests.support.project_fixtures import projects_desk
from tests.support.window import KeyringInMemory

pytestmark = pytest.mark.anyio

_AT_ONCE_S = 5.0


@pytest.mark.expects_log("keeps exiting")
async def test_a_message_to_a_service_that_was_given_up_is_not_sent_at_once(
    tmp_path: Path,
) -> None:
    async with projects_desk(tmp_path, KeyringInMemory(), "crash") as desk:
        given_up = asyncio.Event()
        desk.connection.status_changed.connect(
            lambda status: given_up.set() if status.dot is Dot.BAD else None
        )
        await desk.connection.use_local("offline")
        async with asyncio.timeout(20):
            await given_up.wait()
        workspace = desk.connection.workspace
        assert workspace is not None
        session = workspace.sessions.get("c1")
        is_idle = asyncio.Event()
        session.subscribe_state(lambda state: None if state.is_busy else is_idle.set())

        async with asyncio.timeout(_AT_ONCE_S):
            await session.send("Hi", None)
            is_idle.clear()
            await is_idle.wait()

        [message] = [item for item in session.transcript.items if isinstance(item, UserMessage)]
        [notice] = [item for item in session.transcript.items if isinstance(item, Notice)]
        assert message.state is SendState.FAILED
        assert notice.words.text == explain(StoredFailure(ErrorCode.SERVICE_GONE)).text
