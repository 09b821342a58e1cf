"""Models and the keys of their providers: listed, chosen, checked, and handed to the service."""

from pathlib import Path

import pytest
from pytestqt.exceptions import capture_exceptions

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.paths import paths_under
from app.viewmodels.settings.models import CheckState, ModelChoice, ModelRow, ModelsView
from tests.support.fake_service import FakeService
from tests.support.project_fixtures import ProjectSettingsFixture, projects_desk
from tests.support.signals import emitted
from tests.support.window import KeyringInMemory, has_chosen_hosted, has_chosen_offline

pytestmark = pytest.mark.anyio

_FOUND = (ModelRow("ollama:llama3.2:3b", "llama3.2:3b", "Ollama"),)
_KEY = "sk-test-0123456789abcdef"


class _Untouchable(KeyringInMemory):
    """A keyring that nobody may ask."""

    def get_password(self, service: str, username: str) -> str | None:
        raise AssertionError(f"{service} asked for {username}")


def _names(view: ModelsView) -> list[str]:
    return [choice.name for choice in view.models]


def _choice(desk: ProjectSettingsFixture, model_id: str) -> ModelChoice:
    return next(choice for choice in desk.models.view.models if choice.model_id == model_id)


def _is_kept(words: str, folder: Path) -> bool:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return any(words.encode() in path.read_bytes() for path in files)


async def _said(desk: ProjectSettingsFixture) -> str:
    """Wait until something is said of the last change, or what is wrong with it."""
    while not (desk.models.view.said or desk.models.view.problem):
        await emitted(desk.models.changed)
    return desk.models.view.said or desk.models.view.problem


async def _keep_key(desk: ProjectSettingsFixture) -> None:
    desk.models.keep_key("openai", _KEY)
    assert await _said(desk) == "Key stored in this computer’s keyring."


async def test_built_in_assistant_comes_first_then_what_was_found_and_added(
    tmp_path: Path,
) -> None:
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        desk.found = _FOUND
        found = emitted(desk.models.found)
        desk.models.refresh()
        await found
        desk.models.add("anthropic", "  claude  ")
        desk.models.add("address", "qwen3", "http://127.0.0.1:1234/v1/")

        assert _names(desk.models.view) == ["Demo", "llama3.2:3b", "claude", "qwen3"]
        last = desk.models.view.models[-1]
        assert last.model_id == "openai:qwen3@http://127.0.0.1:1234/v1"
        assert "without a key" in last.words
        desk.models.remove("anthropic:claude")
        assert "claude" not in _names(desk.models.view)
        desk.models.add("openrouter", "meta-llama/llama-3.3")
        added = desk.models.view.models[-1]
        assert added.model_id == "openrouter:meta-llama/llama-3.3"
        assert "From OpenRouter, with your key" in added.words


@pytest.mark.parametrize(
    ("name", "address", "words"),
    [
        ("", "http://127.0.0.1:1", "model name"),
        ("m@http://127.0.0.1:2", "http://127.0.0.1:1", "model name"),
        ("m", "http://models.example.org", "https"),
    ],
    ids=["no name", "an address in the name", "not secure"],
)
async def test_model_that_cannot_be_is_refused_with_a_reason(
    tmp_path: Path, name: str, address: str, words: str
) -> None:
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        desk.models.add("address", name, address)

        assert words in desk.models.view.problem
        assert desk.settings.current.models.added == ()


async def test_connection_signal_after_closing_requests_no_list(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        found = emitted(desk.models.found)
        desk.models.refresh()
        await found
    with capture_exceptions() as raised:
        desk.connection.models_changed.emit()
    assert raised == []


async def test_another_model_counts_without_a_restart_and_says_so(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        desk.models.choose("ollama:llama3.2:3b")

        said = await _said(desk)
        assert said.startswith("llama3.2:3b answers from your next message on")
        assert (desk.started, desk.changed) == ([("offline", {})], [("ollama:llama3.2:3b", {})])
        assert _choice(desk, "ollama:llama3.2:3b").is_now


async def test_model_that_needs_a_key_is_not_chosen_without_one(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        desk.models.choose("openai:small")
        desk.models.check("openai:small")

        assert "needs a key from OpenAI" in desk.models.view.problem
        assert (desk.started, desk.checked) == ([("offline", {})], [])


@pytest.mark.security(64)
async def test_key_goes_to_the_keyring_and_to_the_service_and_to_no_file(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    keyring = KeyringInMemory()
    async with projects_desk(tmp_path, keyring) as desk:
        await _keep_key(desk)

        assert desk.changed[-1] == ("offline", {"openai": _KEY})
        assert desk.started == [("offline", {})]
        assert list(keyring.secrets.values()) == [_KEY]
        row = desk.models.view.providers[0]
        assert (row.has_key, row.words) == (True, "Stored in this computer’s keyring.")
        assert _KEY not in repr(desk.models.view)
    assert not _is_kept(_KEY, tmp_path)


async def test_nobody_without_a_key_is_asked_to_unlock_a_keyring(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    async with projects_desk(tmp_path, _Untouchable()) as desk:
        found = emitted(desk.models.found)
        desk.models.refresh()
        await found

        assert desk.started == [("offline", {})]


async def test_removed_key_of_the_model_in_use_leaves_the_built_in_assistant(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    keyring = KeyringInMemory()
    async with projects_desk(tmp_path, keyring) as desk:
        await _keep_key(desk)
        desk.models.choose("openai:small")
        await _said(desk)
        assert desk.changed[-1] == ("openai:small", {"openai": _KEY})

        desk.models.remove_key("openai")

        assert "the demo answers" in await _said(desk)
        assert desk.changed[-1] == ("offline", {})
        assert keyring.secrets == {}
        assert desk.models.view.providers[0].words == "No key yet."


async def test_key_that_the_keyring_has_lost_is_asked_for_again(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    keyring = KeyringInMemory()
    async with projects_desk(tmp_path, keyring) as desk:
        await _keep_key(desk)
    keyring.secrets.clear()

    async with projects_desk(tmp_path, keyring) as desk:
        found = emitted(desk.models.found)
        desk.models.refresh()
        await found

        assert "Enter it again" in desk.models.view.providers[0].words
        assert desk.started == [("offline", {})]


async def test_check_says_in_words_whether_a_model_answers(tmp_path: Path) -> None:
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        await _keep_key(desk)
        desk.models.add("openai", "small")

        async def checked() -> tuple[CheckState, str]:
            desk.models.check("openai:small")
            assert _choice(desk, "openai:small").check is CheckState.RUNNING
            while _choice(desk, "openai:small").check is CheckState.RUNNING:
                await emitted(desk.models.changed)
            choice = _choice(desk, "openai:small")
            return choice.check, choice.check_words

        assert await checked() == (CheckState.GOOD, "The model answered.")
        assert desk.checked == [("openai:small", {"openai": _KEY})]
        desk.fault = UserFacingError(ErrorCode.MODEL_SILENT, {"message": "no credit"})
        assert await checked() == (CheckState.BAD, "The model did not answer: no credit")


async def test_settings_that_cannot_be_written_change_no_model(tmp_path: Path) -> None:
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        file = paths_under(tmp_path).settings_file
        file.unlink(missing_ok=True)
        file.mkdir()

        desk.models.add("openai", "small")
        assert "nothing was changed" in desk.models.view.problem
        desk.models.keep_key("openai", _KEY)
        await _said(desk)

        assert _names(desk.models.view) == ["Demo"]
        assert not desk.models.view.providers[0].has_key


async def test_model_chosen_while_another_project_is_at_work_is_kept_for_later(
    tmp_path: Path,
) -> None:
    async with FakeService() as service:
        keyring = has_chosen_hosted(tmp_path, service)
        async with projects_desk(tmp_path, keyring) as desk:
            at_work = desk.profile
            desk.models.choose("ollama:llama3.2:3b")

            assert "once you switch to the local connection" in await _said(desk)
            assert (desk.profile, desk.started) == (at_work, [])
            await desk.connection.switch("local")
            assert desk.started == [("ollama:llama3.2:3b", {})]


async def test_choice_of_a_model_is_taken_back_as_any_other(tmp_path: Path) -> None:
    async with projects_desk(tmp_path, KeyringInMemory()) as desk:
        desk.found = _FOUND
        desk.models.choose("offline")
        await _said(desk)
        assert not desk.preferences.can_undo

        desk.models.choose(_FOUND[0].model_id)
        await _said(desk)
        noted = emitted(desk.models.changed)
        desk.preferences.undo()
        await noted
        await _said(desk)

        assert desk.settings.current.connection.model == "offline"
        assert desk.started == [("offline", {})]
        assert [model for model, _ in desk.changed] == [_FOUND[0].model_id, "offline"]
        assert not desk.preferences.can_undo


@pytest.mark.security(63)
async def test_key_of_an_address_is_kept_for_its_origin_and_goes_with_its_last_address(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    keyring = KeyringInMemory()
    first, second = "https://models.example/v1", "https://models.example/other/v1"
    async with projects_desk(tmp_path, keyring) as desk:
        desk.models.keep_address_key(f" {first}/ ", _KEY)
        await _said(desk)
        assert desk.changed[-1] == ("offline", {first: _KEY})
        assert desk.models.view.servers == (first,)
        desk.models.keep_address_key(second, _KEY)
        await _said(desk)
        assert list(keyring.secrets) == [("parley", "models https://models.example:443")]

        desk.models.remove_server(first)
        await _said(desk)
        assert desk.changed[-1] == ("offline", {second: _KEY})
        desk.models.remove_server(second)
        await _said(desk)
        assert list(keyring.secrets) == []
        assert desk.settings.current.models.servers == ()
    assert not _is_kept(_KEY, tmp_path)


async def test_first_page_says_that_a_key_is_refused_and_keeps_none(tmp_path: Path) -> None:
    keyring = KeyringInMemory()
    async with projects_desk(tmp_path, keyring) as desk:
        desk.refused_keys.add(_KEY)
        desk.setup.list_of_provider("openai", _KEY)
        while desk.setup.first_run.busy or not desk.setup.first_run.provider_error:
            await emitted(desk.setup.first_run_changed)
        assert desk.setup.first_run.provider_error == (
            "openai refused this key. Copy it again, or create a new one."
        )
        assert (keyring.secrets, desk.setup.first_run.listed) == ({}, ())


async def test_key_that_is_refused_is_not_kept_and_says_so(tmp_path: Path) -> None:
    has_chosen_offline(tmp_path)
    keyring = KeyringInMemory()
    async with projects_desk(tmp_path, keyring) as desk:
        desk.refused_keys.add(_KEY)
        desk.models.keep_address_key("https://models.example/v1", _KEY)
        at_address = await _said(desk)
        desk.models.keep_key("groq", _KEY)
        of_provider = await _said(desk)
        assert (keyring.secrets, desk.models.view.servers, desk.changed) == ({}, (), [])
        assert not any(row.has_key for row in desk.models.view.providers)
    assert "https://models.example/v1 refused this key." in at_address
    assert "refused this key." in of_provider


async def test_key_of_an_address_where_nobody_answers_is_kept_with_a_warning(
    tmp_path: Path,
) -> None:
    has_chosen_offline(tmp_path)
    keyring, address = KeyringInMemory(), "https://modles.example/v1"
    async with projects_desk(tmp_path, keyring) as desk:
        desk.silent.add(address)
        desk.models.keep_address_key(address, _KEY)
        words = await _said(desk)
        assert "no models were found there" in words
        assert (desk.models.view.said, desk.models.view.servers) == ("", (address,))


@pytest.mark.parametrize(
    ("address", "key", "words"),
    [
        ("http://models.example/v1", _KEY, "https"),
        ("https://me:secret@models.example/v1", _KEY, "name"),
        ("models", _KEY, "address"),
        ("https://models.example/v1", "", "key"),
        ("https://models.example/v1", "a\nb", "key"),
    ],
)
async def test_address_or_key_that_cannot_be_is_refused_with_a_reason(
    tmp_path: Path, address: str, key: str, words: str
) -> None:
    keyring = KeyringInMemory()
    async with projects_desk(tmp_path, keyring) as desk:
        desk.models.keep_address_key(address, key)

        assert words in desk.models.view.problem
        assert (keyring.secrets, desk.settings.current.models.servers) == ({}, ())
