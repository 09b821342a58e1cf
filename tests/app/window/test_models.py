"""Models in the whole program: checked, chosen, answering, and keys that stay where they are."""

from pathlib import Path

import psutil
import pytest

from app.config.settings import ConnectionSettings, ModelSettings, Settings, SettingsFile
from app.viewmodels.settings.models import CheckState
from app.viewmodels.states import Dot
from tests.support.fake_models import KEY, FakeOpenAi
from tests.support.processes import services_of
from tests.support.window import KeyringInMemory, Person, has_chosen_offline, running_program

pytestmark = pytest.mark.anyio


async def _is_ready(person: Person) -> None:
    connection, models = person.program.connection, person.program.setup.models
    await person.sees(
        lambda: bool(models.view.said) and connection.status.dot is Dot.GOOD,
        "the service is ready",
        models.changed,
        connection.status_changed,
    )


def _shown_by_service() -> str:
    """Return what other programs of the same user can see of the service."""
    process, *_ = services_of(psutil.Process())
    try:
        return f"{process.cmdline()} {process.environ()}"
    except psutil.AccessDenied:
        return str(process.cmdline())


@pytest.mark.security(64)
async def test_service_gets_the_key_of_its_model_where_nobody_sees_it_and_a_server_none(
    tmp_path: Path,
) -> None:
    async with FakeOpenAi() as server:
        model_id = f"openai:small@{server.base_url}/v1"
        keyring = _has_chosen_keyed(tmp_path, model_id)
        async with running_program(tmp_path, keyring) as person:
            connection, models = person.program.connection, person.program.setup.models
            # Without the key it would not start: the service refuses a model that it cannot ask.
            await person.sees(lambda: connection.status.dot is Dot.GOOD, "the service is ready")
            assert KEY not in _shown_by_service()

            server.says("yes")
            models.check(model_id)
            await person.sees(
                lambda: models.view.models[1].check is CheckState.GOOD, "it answers", models.changed
            )
            models.choose(model_id)
            await _is_ready(person)
            # First it is asked which agent should answer.
            server.says("assistant")
            server.says("Good ", "day.")
            await person.asks("Hello")

            assert person.reply == "Good day."
            assert person.program.conversations.rowCount() == 1
            assert not any(KEY in str(request.headers) for request in server.requests)
    assert not _is_kept(KEY, tmp_path)


def _has_chosen_keyed(folder: Path, added: str) -> KeyringInMemory:
    """Leaves settings in which a model that needs a key answers, and another one was added."""
    paths = has_chosen_offline(folder)
    SettingsFile(paths.settings_file).save(
        Settings(
            connection=ConnectionSettings(kind="local", model="openai:small"),
            models=ModelSettings(added=(added,), keyed=("openai",)),
        )
    )
    keyring = KeyringInMemory()
    keyring.set_password("parley", "provider:openai", KEY)
    return keyring


def _is_kept(words: str, folder: Path) -> bool:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return any(words.encode() in path.read_bytes() for path in files)
