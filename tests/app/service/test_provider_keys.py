"""Keys are tried where they are for, by the real program of the service."""

import pytest
from pydantic import SecretStr

from app.common.error_messages import explain
from app.common.errors import UserFacingError
from app.service.child import ModelKeys
from app.service.models import try_keys
from tests.support.fake_models import KEY, FakeOpenAi

pytestmark = pytest.mark.anyio


async def test_key_of_an_address_is_refused_there_and_taken_where_nobody_answers() -> None:
    async with FakeOpenAi() as server:
        address = f"{server.base_url}/v1"
        keys = ModelKeys({}, {address: SecretStr(KEY)})
        host = address.removeprefix("http://").removesuffix("/v1")
        words = f"{host} refused this key. Copy it again, or create a new one."
        for status in (400, 401):
            server.refused["/v1/models"] = status
            with pytest.raises(UserFacingError) as refused:
                await try_keys(keys)
            assert explain(refused.value).sentence == words, status
        server.refused.clear()
        server.pages["/v1/models"] = {"data": [{"id": "own"}]}
        assert await try_keys(keys)
    assert not await try_keys(keys)
