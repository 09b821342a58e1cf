"""The extension `attachments`: images with messages and with results of tools."""

import sqlite3
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from local_server.assistant.models.providers import ProviderAccess
from local_server.assistant.reply import RequestedToolCall
from local_server.store.images import MOST_SHOWN
from local_server.store.opening import StoreAddress
from tests.support.event_streams import first_of, text_of
from tests.support.fake_models import FakeOpenAi, Json, models_of, roles
from tests.support.fake_ollama import FakeOllama, words
from tests.support.images import JPEG, WEBP, attachment, png
from tests.support.own_service import READ_FILE, OwnService, own_service
from tests.support.scripted_assistant import ScriptedAssistant

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("postgres_server")]

_UNSEEN = "*This model cannot see images, so it has their names alone.*"
_ASK = RequestedToolCall("read_file", {"path": "a"})
_MIB = 1024 * 1024


def _url(data: bytes, media_type: str = "image/png") -> Json:
    url = f"data:{media_type};base64,{b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def _big(byte: int, size: int = _MIB) -> bytes:
    return b"\xff\xd8\xff" + bytes([byte]) * (size - 3)


async def _result(
    service: OwnService, chat: str, call_id: str, attachments: Sequence[Any]
) -> httpx.Response:
    body = {"conversation_id": chat, "tool_call_id": call_id, "result": "Done. [image: a.png]"}
    return await service.client.post("/v1/tool-result", json=body | {"attachments": attachments})


async def _refused(service: OwnService, chat: str, attachments: Any) -> tuple[int, str, str]:
    body = {"conversation_id": chat, "message": "Look", "attachments": attachments}
    answer = await service.client.post("/v1/chat/stream", json=body)
    error = answer.json()["error"]
    return answer.status_code, error["code"], error["message"]


@asynccontextmanager
async def _asking_openai(
    tmp_path: Path, server: FakeOpenAi, **fields: Any
) -> AsyncIterator[OwnService]:
    async with (
        models_of(f"openai:small@{server.base_url}", **fields) as assistant,
        own_service(tmp_path, assistant=assistant) as service,
    ):
        yield service


async def test_images_of_each_kind_reach_the_assistant_as_they_came(
    tmp_path: Path, store_address: StoreAddress
) -> None:
    script = ScriptedAssistant(("Nice.",), ("Still nice.",))
    async with own_service(tmp_path, assistant=script, where=store_address) as service:
        chat = await service.create()
        given = [
            attachment("a.png"),
            attachment("b.jpg", JPEG, "image/jpeg"),
            attachment("c.webp", WEBP, "image/webp"),
        ]
        await service.chat(chat, "Look [image: a.png]", attachments=given)
        await service.chat(chat, "And now?")
        stored = await service.messages(chat)
    for asked in script.asked:
        assert [(one.name, one.media_type, one.data) for one in asked.images] == [
            ("a.png", "image/png", png()),
            ("b.jpg", "image/jpeg", JPEG),
            ("c.webp", "image/webp", WEBP),
        ]
    # Beside, never inside: a message has exactly its fields.
    assert [set(row) for row in stored] == [{"id", "role", "content", "created_at"}] * 4
    assert stored[0]["content"] == "Look [image: a.png]"


@pytest.mark.parametrize(
    ("attachments", "words_of_refusal"),
    [
        ([attachment(media_type="image/gif")], "“a.png” is of a kind that is not taken"),
        ([attachment(media_type="image/jpeg")], "declared as a JPEG image, but its bytes"),
        ([attachment(data=b"plain")], "declared as a PNG image, but its bytes are not one"),
        ([attachment() | {"data": "%%%"}], "“a.png” is not valid base64"),
        ([attachment() | {"data": "é"}], "“a.png” is not valid base64"),
        ([attachment()] * 9, "At most 8 attachments go with a message; these are 9"),
        (
            [attachment("b.jpg", _big(1, 14 * _MIB // 5), "image/jpeg")] * 2,
            "at most 5 MiB together; these have 5.6 MiB",
        ),
        ([attachment(" ")], "An attachment has no name"),
        ([attachment("")], "attachments.0.name"),
        ([{"name": "a.png"}], "attachments.0.media_type"),
        ("a.png", "attachments"),
    ],
)
async def test_unsupported_image_is_refused_with_a_sentence_and_not_stored(
    tmp_path: Path, attachments: Any, words_of_refusal: str
) -> None:
    async with own_service(tmp_path) as service:
        chat = await service.create()
        status, code, sentence = await _refused(service, chat, attachments)
        assert (status, code) == (400, "invalid_request")
        assert words_of_refusal in sentence
        assert await service.messages(chat) == []


async def test_openai_is_shown_images_and_those_of_results_in_the_next_user_turn(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi() as server, _asking_openai(tmp_path, server) as service:
        server.calls(("read_file", '{"path": "a"}'))
        server.says("A square.")
        server.says("Yes.")
        chat = await service.create()
        events = await service.chat(
            chat,
            "Look [image: a.png]",
            agent_name="assistant",
            client_tools=[READ_FILE],
            attachments=[attachment()],
        )
        call = first_of(events, "tool_use")
        blue = png(colour=(0, 0, 255))
        given = [attachment("b.png", blue)]
        answer = await _result(service, chat, call["id"], given)
        assert answer.status_code == 200
        # The same outcome again is stored once.
        assert (await _result(service, chat, call["id"], given)).status_code == 200
        await service.chat(chat, "Sure?", agent_name="assistant")
        first, second, third = server.asked
    assert first["messages"][-1]["content"] == [
        {"type": "text", "text": "Look [image: a.png]"},
        _url(png()),
    ]
    assert roles(second["messages"][1:]) == ["user", "assistant", "tool", "user"]
    assert second["messages"][-2]["content"] == "Done. [image: a.png]"
    assert second["messages"][-1]["content"][1:] == [_url(blue)]
    # Neighbouring turns of the user are one, here too: some templates refuse two.
    assert roles(third["messages"][1:]) == [
        "user",
        "assistant",
        "tool",
        "user",
        "assistant",
        "user",
    ]
    assert third["messages"][4]["content"][1:] == [_url(blue)]


async def test_ollama_is_shown_images_where_its_model_sees(tmp_path: Path) -> None:
    async with FakeOllama(**{"small:1b": ["completion", "vision"]}) as ollama:
        ollama.says(words("A square."))
        access = ProviderAccess({}, {"ollama": ollama.base_url})
        async with (
            models_of("ollama:small:1b", access=access, window=None) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            chat = await service.create()
            await service.chat(chat, "Look", agent_name="assistant", attachments=[attachment()])
        assert ollama.asked[0]["messages"][-1] == {
            "role": "user",
            "content": "Look",
            "images": [b64encode(png()).decode()],
        }


async def test_model_that_is_known_not_to_see_has_names_and_the_reply_says_so_first(
    tmp_path: Path,
) -> None:
    async with FakeOllama(**{"small:1b": ["completion", "tools"]}) as ollama:
        for text in ("One.", "Two.", "Three."):
            ollama.says(words(text))
        access = ProviderAccess({}, {"ollama": ollama.base_url})
        async with (
            models_of("ollama:small:1b", access=access, window=None) as assistant,
            own_service(tmp_path, assistant=assistant) as service,
        ):
            chat = await service.create()
            with_image = {"agent_name": "assistant", "attachments": [attachment()]}
            first = await service.chat(chat, "Look [image: a.png]", **with_image)
            plain = await service.chat(chat, "And?", agent_name="assistant")
            again = await service.chat(chat, "Look [image: a.png]", **with_image)
        assert text_of(first) == f"{_UNSEEN}\n\nOne."
        assert text_of(plain) == "Two."
        assert text_of(again) == f"{_UNSEEN}\n\nThree."
        for asked in ollama.asked:
            assert not any("images" in message for message in asked["messages"])
        assert ollama.asked[0]["messages"][-1]["content"] == "Look [image: a.png]"


@pytest.mark.parametrize(
    "refusal",
    [
        b'{"error": {"message": "image input is not supported - hint: if this is unexpected, you '
        b'may need to provide the mmproj"}}',
        b'{"error": {"message": "This model does not support image input."}}',
        b'{"object": "error", "message": "small is not a multimodal model"}',
    ],
)
async def test_model_that_refuses_images_is_asked_by_their_names(
    tmp_path: Path, refusal: bytes
) -> None:
    async with FakeOpenAi() as server, _asking_openai(tmp_path, server) as service:
        server.sends(refusal, 400)
        server.says("No idea.")
        server.says("None.")
        chat = await service.create()
        events = await service.chat(
            chat, "Look [image: a.png]", agent_name="assistant", attachments=[attachment()]
        )
        await service.chat(chat, "And?", agent_name="assistant")
        contents = [asked["messages"][-1]["content"] for asked in server.asked]
    assert text_of(events) == f"{_UNSEEN}\n\nNo idea."
    # It is not asked with images again.
    assert contents[1:] == ["Look [image: a.png]", "And?"]


async def test_demo_says_that_it_cannot_see(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        chat = await service.create()
        seen = text_of(await service.chat(chat, "Hello", attachments=[attachment()]))
        assert seen.startswith(f"{_UNSEEN}\n\n")
        assert _UNSEEN not in text_of(await service.chat(chat, "Hello"))


async def test_newest_images_are_shown_within_the_budget_and_older_ones_by_name(
    tmp_path: Path,
) -> None:
    numbers = range(MOST_SHOWN // 4 + 1)
    script = ScriptedAssistant(*(("Nice.",) for _ in numbers), ("Large.",))
    async with own_service(tmp_path, assistant=script) as service:
        chat = await service.create()
        for number in numbers:
            four = [attachment(f"{number}-{place}.png") for place in range(4)]
            await service.chat(chat, "Look", attachments=four)
        large = [
            attachment(f"{place}.jpg", _big(place, 2 * _MIB), "image/jpeg") for place in range(2)
        ]
        await service.chat(chat, "Look", attachments=large)
    names = [image.name for image in script.asked[numbers[-1]].images]
    assert len(names) == MOST_SHOWN
    assert (names[0], names[-1]) == ("1-0.png", f"{numbers[-1]}-3.png")
    assert [image.name for image in script.asked[-1].images[-2:]] == ["0.jpg", "1.jpg"]


async def test_images_that_a_window_has_no_room_for_are_named_and_reported(tmp_path: Path) -> None:
    async with (
        FakeOpenAi() as server,
        _asking_openai(tmp_path, server, window=4096) as service,
    ):
        server.says("One.")
        chat = await service.create()
        two = [attachment("a.png"), attachment("b.png", png(3))]
        events = await service.chat(chat, "Look", agent_name="assistant", attachments=two)
        [_, *shown] = server.asked[0]["messages"][-1]["content"]
    assert shown == [_url(png(3))]
    assert "too little room for" in text_of(events)
    assert "all of the images" in text_of(events)


async def test_project_keeps_images_up_to_its_quota_each_once(
    tmp_path: Path, store_address: StoreAddress
) -> None:
    script = ScriptedAssistant(*((_ASK,) for _ in range(3)), ("Read.",), ("Fine.",), ("Fine.",))
    quota = 3 * _MIB
    async with own_service(
        tmp_path, assistant=script, where=store_address, image_quota_bytes=quota
    ) as service:
        first, second = await service.create(), await service.create()
        one, two = (attachment(f"{n}.jpg", _big(n, 2 * _MIB), "image/jpeg") for n in (1, 2))
        await service.chat(first, "Look", attachments=[one], client_tools=[READ_FILE])
        # The same bytes take no more room, in another chat neither.
        events = await service.chat(
            second, "Look", attachments=[one, one], client_tools=[READ_FILE]
        )
        status, code, sentence = await _refused(service, second, [two])
        assert (status, code) == (400, "images_full")
        assert "may take 3 MiB" in sentence
        # What a tool returned is refused alike, and its call waits for another outcome.
        events = await service.chat(second, "Look", client_tools=[READ_FILE])
        call = first_of(events, "tool_use")
        assert (await _result(service, second, call["id"], [two])).status_code == 400
        assert text_of(await service.give_result(second, call["id"], "None.")) == "Read."
        # What is deleted makes room, once no chat has it.
        await service.client.delete(f"/v1/conversations/{first}")
        assert (await _refused(service, second, [two]))[1] == "images_full"
        await service.client.delete(f"/v1/conversations/{second}")
        third = await service.create()
        await service.chat(third, "Look", attachments=[two])


async def test_fork_has_the_images_and_keeps_them_when_the_original_is_deleted(
    tmp_path: Path, store_address: StoreAddress
) -> None:
    script = ScriptedAssistant((_ASK,), ("Read.",), ("Yes.",), ("None.",))
    async with own_service(tmp_path, assistant=script, where=store_address) as service:
        chat = await service.create()
        events = await service.chat(
            chat, "Look", attachments=[attachment()], client_tools=[READ_FILE]
        )
        call = first_of(events, "tool_use")
        await _result(service, chat, call["id"], [attachment("b.png", png(3))])
        last = (await service.messages(chat))[-1]["id"]
        forks = []
        for through in (last, None):
            body = {"fork_id": f"f-{through}", "from": chat, "through": through}
            made = await service.client.post("/v1/conversations", json=body)
            forks.append(made.json()["data"]["id"])
        await service.client.delete(f"/v1/conversations/{chat}")
        for fork in forks:
            await service.chat(fork, "And?")
    copied, empty = script.asked[-2:]
    assert [(image.name, image.data) for image in copied.images] == [
        ("a.png", png()),
        ("b.png", png(3)),
    ]
    # They belong to the copies of what they came with.
    assert copied.images[0].message_id == copied.history[0].id
    assert copied.images[1].call_id == copied.past_calls[0].id
    assert empty.images == ()


async def test_deleted_chat_leaves_no_image_on_the_disk(tmp_path: Path) -> None:
    data = _big(7, 300_000)
    async with own_service(tmp_path) as service:
        chat = await service.create()
        await service.chat(chat, "Look", attachments=[attachment("b.jpg", data, "image/jpeg")])
        files = list((tmp_path / "data").glob("parley-server.sqlite3*"))
        assert any(data[1000:2000] in path.read_bytes() for path in files)
        await service.client.delete(f"/v1/conversations/{chat}")
        assert not any(data[1000:2000] in path.read_bytes() for path in files)
    with closing(sqlite3.connect(tmp_path / "data" / "parley-server.sqlite3")) as database:
        for table in ("images", "image_contents"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)  # noqa: S608


async def test_another_project_shares_no_image(tmp_path: Path) -> None:
    script = ScriptedAssistant(("Mine.",), ("Theirs.",), ("Still mine.",))
    async with own_service(tmp_path, assistant=script) as service:
        await service.add_key("pk_other", "other")
        mine = await service.create()
        await service.chat(mine, "Look", attachments=[attachment()])
        async with httpx.AsyncClient(
            base_url=service.base_url, headers={"X-API-Key": "pk_other"}, trust_env=False
        ) as other:
            theirs = (await other.post("/v1/conversations")).json()["data"]["id"]
            body = {"conversation_id": theirs, "message": "Look", "attachments": [attachment()]}
            assert (await other.post("/v1/chat/stream", json=body)).status_code == 200
            await other.delete(f"/v1/conversations/{theirs}")
        await service.chat(mine, "And?")
    assert [len(asked.images) for asked in script.asked] == [1, 1, 1]
