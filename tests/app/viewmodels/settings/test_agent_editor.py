"""The editor of an agent and its try-out, over the real program of the service."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.api.models import Model
from app.service.agent_trial import TrialLaunch
from app.service.catalog import ServiceCatalog
from app.service.child import ModelKeys
from app.viewmodels.settings.agent_editing import AgentEditorViewModel, SaveState
from app.viewmodels.settings.agents import EditorSources
from app.viewmodels.settings.trial_run import AgentTrialViewModel, TrialRowKind
from local_tools.registry import ToolRegistry
from tests.support.plugins import LoopBackend
from tests.support.signals import emitted

pytestmark = pytest.mark.anyio

_MODELS = (
    Model(id="openai:gpt-5", display_name="GPT-5", context_window=400_000, input=("text", "image")),
    Model(id="file:/models/a.gguf", display_name="A file"),
)


@pytest.fixture
def anyio_backend(qt_loop: LoopBackend) -> LoopBackend:
    """Return the program's own loop, since view models are under these tests."""
    return qt_loop


async def _list_models() -> Sequence[Model]:
    return _MODELS


async def _launch() -> TrialLaunch:
    return TrialLaunch("offline", (), ModelKeys())


def _sources(data: Path) -> EditorSources:
    catalog = ServiceCatalog(data, os.environ)
    registry = ToolRegistry.built_in()
    return EditorSources(catalog, registry.definitions, tuple, _list_models, _launch)


@asynccontextmanager
async def _editor(data: Path) -> AsyncIterator[AgentEditorViewModel]:
    editor = AgentEditorViewModel(_sources(data))
    try:
        yield editor
    finally:
        await editor.aclose()


async def _until(editor: AgentEditorViewModel, is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await emitted(editor.changed, timeout_s=20)


async def _saved(editor: AgentEditorViewModel) -> None:
    await _until(editor, lambda: editor.view.state is SaveState.SAVED)


async def _opened(editor: AgentEditorViewModel, name: str) -> None:
    editor.open(name)
    await _saved(editor)


async def test_new_agent_is_saved_by_itself_and_each_save_can_be_taken_back(
    tmp_path: Path,
) -> None:
    async with _editor(tmp_path) as editor:
        editor.open_new()
        editor.change(display_name="Gardener")
        editor.change(description="Plants.", instruction="Be brief.")
        await _saved(editor)
        assert editor.view.file == "agents/gardener.md"
        file = tmp_path / "agents" / "gardener.md"

        editor.switch_tool("run_command", is_on=False)
        await _saved(editor)
        assert "- read_file" in file.read_text(encoding="utf-8")
        assert "run_command" not in file.read_text(encoding="utf-8")
        count = len(ToolRegistry.built_in().definitions())
        assert editor.view.tools_words.startswith(f"{count - 1} of {count} · about ")

        editor.undo()
        await _until(editor, lambda: editor.view.draft.tools is None)
        assert "tools" not in file.read_text(encoding="utf-8")
        editor.undo()
        await _until(editor, lambda: not editor.view.can_undo)
        assert not file.exists()
        assert editor.view.draft.display_name == "Gardener"


async def test_second_window_does_not_overwrite_the_first_unless_it_is_told_to(
    tmp_path: Path,
) -> None:
    async with _editor(tmp_path) as first, _editor(tmp_path) as second:
        await _opened(first, "writer")
        await _opened(second, "writer")
        first.change(instruction="First.")
        await _saved(first)
        second.change(instruction="Second.")
        await _until(second, lambda: second.view.is_changed_elsewhere)
        file = tmp_path / "agents" / "writer.md"
        assert second.view.state is SaveState.REFUSED
        assert "changed this file meanwhile" in second.view.problem
        assert file.read_text(encoding="utf-8").endswith("First.\n")

        second.change(instruction="Second, longer.")
        assert second.view.is_changed_elsewhere
        second.overwrite()
        await _saved(second)
        assert file.read_text(encoding="utf-8").endswith("Second, longer.\n")
        second.undo()
        await _until(second, lambda: not second.view.can_undo)
        assert file.read_text(encoding="utf-8").endswith("First.\n")


async def test_nothing_can_be_typed_before_the_file_is_read(tmp_path: Path) -> None:
    async with _editor(tmp_path) as editor:
        editor.open("writer")
        await _until(editor, lambda: editor.view.is_reading)
        await _saved(editor)
        assert not editor.view.is_reading
        assert editor.view.draft.instruction


async def test_version_written_by_another_editor_can_be_loaded(tmp_path: Path) -> None:
    async with _editor(tmp_path) as editor:
        await _opened(editor, "writer")
        editor.change(instruction="Ours.")
        await _saved(editor)
        file = tmp_path / "agents" / "writer.md"
        file.write_text(
            file.read_text(encoding="utf-8").replace("Ours.", "Theirs."), encoding="utf-8"
        )
        editor.change(instruction="Ours again.")
        await _until(editor, lambda: editor.view.is_changed_elsewhere)
        editor.reload()
        await _until(editor, lambda: editor.view.draft.instruction == "Theirs.")
        assert editor.view.problem == ""


async def test_name_that_exists_is_reported_and_nothing_is_written(tmp_path: Path) -> None:
    async with _editor(tmp_path) as editor:
        editor.open_new()
        editor.change(display_name="Writer", description="Writes.")
        await _until(editor, lambda: editor.view.state is SaveState.REFUSED)
        assert editor.view.problem == "An agent with this name already exists."
        editor.change(display_name="Second writer")
        await _saved(editor)
        assert (tmp_path / "agents" / "second-writer.md").exists()


async def test_leaving_saves_first_and_asks_before_half_an_agent_is_dropped(
    tmp_path: Path,
) -> None:
    async with _editor(tmp_path) as editor:
        editor.open_new()
        editor.change(display_name="Gardener")
        editor.close()
        assert "go back again" in editor.view.problem
        editor.change(description="Plants.")
        left = emitted(editor.left, timeout_s=20)
        editor.close()
        await left
        assert (tmp_path / "agents" / "gardener.md").exists()
        editor.open_new()
        editor.change(display_name="Half")
        left = emitted(editor.left)
        editor.close()
        editor.close()
        await left


async def test_last_edit_is_saved_when_the_program_ends(tmp_path: Path) -> None:
    async with _editor(tmp_path) as editor:
        editor.open_new()
        editor.change(display_name="Gardener", description="Plants.")
    assert (tmp_path / "agents" / "gardener.md").exists()


async def test_models_are_offered_but_for_model_files_which_people_choose_themselves(
    tmp_path: Path,
) -> None:
    async with _editor(tmp_path) as editor:
        editor.open_new()
        await _until(editor, lambda: len(editor.view.models) > 1)
        assert editor.view.models == (("", "The chat’s model"), ("openai:gpt-5", "GPT-5"))
        editor.change(model="openai:gpt-5")
        assert editor.view.model_words == "sees images, uses tools · 400k"
        editor.change(model="gone:1")
        assert ("gone:1", "gone:1 (not available)") in editor.view.models


@asynccontextmanager
async def _trial(data: Path, editor: AgentEditorViewModel) -> AsyncIterator[AgentTrialViewModel]:
    trial = AgentTrialViewModel(_sources(data), lambda: editor.view.draft)
    try:
        yield trial
    finally:
        await trial.aclose()


async def _answered(trial: AgentTrialViewModel) -> None:
    async with asyncio.timeout(30):
        while trial.view.is_asking:
            await emitted(trial.changed, timeout_s=30)


async def test_try_out_runs_no_tool_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    data = tmp_path / "data"
    async with _editor(data) as editor, _trial(data, editor) as trial:
        editor.open_new()
        trial.ask("Hello")
        assert "Enter a name" in trial.view.problem
        editor.change(display_name="Gardener", description="Plants.")
        trial.ask(f'/tool write_file {{"path": "{data}/x.txt", "content": "x"}}')
        await _answered(trial)
        kinds = [row.kind for row in trial.view.rows]
        assert TrialRowKind.CALL in kinds
        assert "Not run" in trial.view.rows[-1].text
        assert not (data / "x.txt").exists()

        editor.change(instruction="Changed.")
        trial.ask("Hello")
        await _answered(trial)
        assert trial.view.rows[0].kind is TrialRowKind.NOTE
        trial.ask("Again")
        trial.start_over()
        assert trial.view.rows == ()
    assert list(scratch.iterdir()) == []
    assert not list(data.rglob("*.sqlite3"))
