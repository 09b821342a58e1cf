"""Listing, reading, making and deleting conversations."""

from pathlib import Path

import pytest

from tests.support.own_service import own_service

pytestmark = pytest.mark.anyio


@pytest.mark.spec("4.1-list", "2.1-summary", "2.4-meta", "7.1-200", "1-history", "9-path")
async def test_list_has_exactly_the_specified_fields(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        await service.chat(conversation_id, "Hello")
        answer = await service.client.get("/v1/conversations")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    body = answer.json()
    assert set(body) == {"data", "meta"}
    assert body["meta"] == {"total": 1, "limit": 20, "offset": 0}
    [row] = body["data"]
    assert set(row) == {"id", "created_at", "updated_at", "message_count"}
    assert (row["id"], row["message_count"]) == (conversation_id, 2)
    assert row["created_at"].endswith("Z")
    assert row["created_at"] < row["updated_at"]


@pytest.mark.spec("4.1-limit", "8-page")
async def test_page_has_20_rows_unless_asked_for_another_number(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        for _ in range(21):
            await service.create()
        plain = (await service.client.get("/v1/conversations")).json()
        small = (await service.client.get("/v1/conversations?limit=1")).json()
        large = (await service.client.get("/v1/conversations?limit=100")).json()
    assert [len(page["data"]) for page in (plain, small, large)] == [20, 1, 21]
    assert [page["meta"]["limit"] for page in (plain, small, large)] == [20, 1, 100]


@pytest.mark.spec("4.1-limit", "8-page", "7.1-400", "4.1-offset")
@pytest.mark.security(57)
async def test_limit_or_offset_out_of_range_is_refused_our_choice(tmp_path: Path) -> None:
    bent = ("5.0", "+5", " 5", "5 ", "1_0", "0x5", "\N{ARABIC-INDIC DIGIT FIVE}", "true", "null")
    wrong = [("limit", value) for value in ("0", "101", "-1", "1.5", "ten", "", "9" * 30, *bent)]
    wrong += [("offset", value) for value in ("-1", "x", str(2**63), "1e3", "0 OR 1=1")]
    async with own_service(tmp_path) as service:
        for name, value in wrong:
            answer = await service.client.get("/v1/conversations", params={name: value})
            assert (answer.status_code, name in answer.text) == (400, True), value
            assert answer.json()["error"]["code"] == "invalid_request"


@pytest.mark.spec("4.1-limit", "4.1-offset", "4.1-order")
async def test_parameter_that_is_given_twice_is_refused_and_an_unknown_one_is_not_our_choice(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        for twice in ("limit=1&limit=1", "offset=0&offset=1", "order=asc&order=desc"):
            answer = await service.client.get(f"/v1/conversations?{twice}")
            name = twice.partition("=")[0]
            assert answer.status_code == 400
            assert answer.json()["error"]["message"] == f"{name}: given more than once"
        plain = await service.client.get("/v1/conversations?limit=007&x=1&x=2&%ff=%00&Limit=0")
    assert (plain.status_code, plain.json()["meta"]["limit"]) == (200, 7)


@pytest.mark.spec("4.1-offset")
async def test_offset_past_the_end_gives_an_empty_page(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        await service.create()
        page = await service.client.get("/v1/conversations", params={"offset": 2**63 - 1})
    assert page.json()["data"] == []
    assert page.json()["meta"]["total"] == 1


@pytest.mark.spec("4.1-order")
async def test_latest_update_comes_first_unless_asked_for_the_other_order(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        first, second = await service.create(), await service.create()
        await service.chat(first, "Hello")
        plain = (await service.client.get("/v1/conversations")).json()
        turned = (await service.client.get("/v1/conversations?order=asc")).json()
        wrong = await service.client.get("/v1/conversations?order=;drop")
    assert [row["id"] for row in plain["data"]] == [first, second]
    assert [row["id"] for row in turned["data"]] == [second, first]
    assert wrong.status_code == 400


@pytest.mark.spec("4.1-paging", "4.1-offset")
async def test_pages_follow_each_other_without_gap_or_overlap(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        made = [await service.create() for _ in range(5)]
        pages = [
            (await service.client.get(f"/v1/conversations?limit=2&offset={offset}")).json()
            for offset in (0, 2, 4)
        ]
    assert [row["id"] for page in pages for row in page["data"]] == made[::-1]
    assert [page["meta"]["total"] for page in pages] == [5, 5, 5]
    assert [page["meta"]["offset"] for page in pages] == [0, 2, 4]


@pytest.mark.spec("4.2-get", "2.2-detail", "2.3-message")
async def test_detail_has_exactly_the_specified_fields_and_the_messages_in_order(
    tmp_path: Path,
) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        for message in ("one", "two"):
            await service.chat(conversation_id, message)
        body = (await service.client.get(f"/v1/conversations/{conversation_id}")).json()
    assert set(body) == {"data"}
    detail = body["data"]
    assert set(detail) == {"id", "created_at", "updated_at", "messages"}
    messages = detail["messages"]
    assert all(set(m) == {"id", "role", "content", "created_at"} for m in messages)
    assert [m["role"] for m in messages] == ["user", "assistant"] * 2
    assert [m["content"] for m in messages[::2]] == ["one", "two"]
    assert len({m["id"] for m in messages}) == 4


@pytest.mark.spec("7.1-201")
async def test_conversation_is_made_empty_our_choice(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.post("/v1/conversations")
        detail = answer.json()["data"]
        found = await service.client.get(f"/v1/conversations/{detail['id']}")
    assert answer.status_code == 201
    assert set(answer.json()) == {"data"}
    assert detail["messages"] == []
    assert found.json() == answer.json()


@pytest.mark.spec("4.3-delete", "3-delete-is-final", "1-history")
async def test_deleted_conversation_is_gone_with_its_messages(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        gone, kept = await service.create(), await service.create()
        await service.chat(gone, "the secret of the vineyard")
        answer = await service.client.delete(f"/v1/conversations/{gone}")
        again = await service.client.get(f"/v1/conversations/{gone}")
        page = (await service.client.get("/v1/conversations")).json()
        files = [path.read_bytes() for path in (tmp_path / "data").iterdir()]
    assert (answer.status_code, answer.content) == (204, b"")
    assert again.status_code == 404
    assert [row["id"] for row in page["data"]] == [kept]
    assert not any(b"vineyard" in content for content in files)


@pytest.mark.spec("4.2-404", "4.3-404", "7.1-404", "7.2-conversation-not-found")
@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_unknown_conversation_is_not_found(tmp_path: Path, method: str) -> None:
    async with own_service(tmp_path) as service:
        answer = await service.client.request(method, "/v1/conversations/conv_nix")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "conversation_not_found"


@pytest.mark.spec("1-project-key", "5-live-and-test")
async def test_other_projects_and_test_keys_see_none_of_it(tmp_path: Path) -> None:
    async with own_service(tmp_path) as service:
        conversation_id = await service.create()
        await service.add_key("pk_live_other", project="other")
        await service.add_key("pk_test_same", mode="test")
        for key in ("pk_live_other", "pk_test_same"):
            mine = {"X-API-Key": key}
            page = await service.client.get("/v1/conversations", headers=mine)
            path = f"/v1/conversations/{conversation_id}"
            read = await service.client.get(path, headers=mine)
            deleted = await service.client.delete(path, headers=mine)
            body = {"conversation_id": conversation_id, "message": "Hello"}
            chat = await service.client.post("/v1/chat/stream", json=body, headers=mine)
            assert page.json()["meta"]["total"] == 0
            assert {read.status_code, deleted.status_code, chat.status_code} == {404}
        assert await service.messages(conversation_id) == []
