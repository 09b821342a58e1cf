"""What the self-test interrupts, where the window is slower than what it is to interrupt."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from app.self_test.app_under_test import AppUnderTest
from app.self_test.crash_recovery import CrashRecovery
from tests.support.chat_fixtures import START, posts
from tests.support.fake_service import FakeService, delta
from tests.support.plugins import LoopBackend
from tests.support.window import hosted_program

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since a real window is under it."""
    return qt_loop


async def test_reply_that_was_over_before_it_could_be_interrupted_is_asked_for_again(
    tmp_path: Path,
) -> None:
    async with FakeService() as service, hosted_program(tmp_path, service) as person:
        service.says("Over.")
        service.sends(START, delta("Words that go on and on"))
        service.hangs_after(2)
        program = cast("AppUnderTest", SimpleNamespace(now=person.program))

        await CrashRecovery(program)._until_in_mid_reply()

        assert posts(service).count("/v1/chat/stream") == 2
        assert person.program.chat.state.is_busy
