"""The system's roots of trust: read when they are needed, and asked again after a failure."""

import asyncio
import ssl
import threading

import pytest

from app.api.errors import ConnectCause, ConnectFailed
from app.api.network import Trust

pytestmark = pytest.mark.anyio


async def test_the_system_decides_whom_to_trust_and_is_read_once() -> None:
    trust = Trust()

    first = await trust.context_for("chat.example.org")

    assert first.verify_mode is ssl.CERT_REQUIRED
    assert first.check_hostname
    assert await trust.context_for("other.example.org") is first


async def test_a_store_that_cannot_be_read_is_a_failed_connection_and_read_again() -> None:
    good = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    answers: list[ssl.SSLContext | ssl.SSLError] = [ssl.SSLError("no roots"), good]

    def read() -> ssl.SSLContext:
        answer = answers.pop(0)
        if isinstance(answer, ssl.SSLError):
            raise answer
        return answer

    trust = Trust(read)

    with pytest.raises(ConnectFailed) as caught:
        await trust.context_for("chat.example.org")

    assert caught.value.cause is ConnectCause.TLS
    assert caught.value.host == "chat.example.org"
    assert await trust.context_for("chat.example.org") is good


async def test_one_who_gives_up_waiting_does_not_spoil_it_for_the_next() -> None:
    may_go_on = threading.Event()
    good = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

    def read() -> ssl.SSLContext:
        may_go_on.wait(20)
        return good

    trust = Trust(read)
    impatient = asyncio.create_task(trust.context_for("a"))
    patient = asyncio.create_task(trust.context_for("b"))
    await asyncio.wait({impatient}, timeout=0)

    impatient.cancel()
    may_go_on.set()

    assert await patient is good
    assert impatient.cancelled()
