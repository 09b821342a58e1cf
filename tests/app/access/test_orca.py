"""What people hear who use the program with Orca, the screen reader of Linux."""

import asyncio
import os
import queue
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, TextIO

import pytest

from app.config.settings import ConnectionSettings, ModelSettings, Settings, SettingsFile
from app.import_export.chat_import import ChatImport
from app.import_export.loading import Labels
from app.store.store import Store
from tests.support.atspi import Key, Reader, desktop, missing_programs, program, running
from tests.support.fake_http import Answer, Received
from tests.support.fake_models import FakeOpenAi, delta, end
from tests.support.import_export_fixtures import chatgpt_chat, write_json
from tests.support.window import has_chosen_offline

_SAYS: Final = re.compile(r"SPEECH OUTPUT: '(.*)$")
# After the words, how they are spoken.
_ENDS: Final = re.compile(r"' ?\[?\{[^{}]*\}\]?$")
_TIMEOUT_S: Final = 40.0
# Who listens waits as long before the next key.
_PAUSE_S: Final = 0.7
_SLOW_S: Final = 5.0
# Orca leaves what it writes in a buffer, and looks for a speech service that is not there.
_CUSTOMIZATIONS: Final = (
    "import orca.debug\norca.debug.debugFile.reconfigure(line_buffering=True)\n"
)


def missing_for_orca() -> list[str]:
    """Return the programs that a session with Orca needs and that are not installed here."""
    return [*missing_programs(), *(name for name in ("orca", "openbox") if not shutil.which(name))]


class Listener:
    """Hears what Orca says, in its order, each utterance once."""

    def __init__(self) -> None:
        self._utterances: queue.Queue[str] = queue.Queue()

    def follow(self, debug_output: TextIO) -> None:
        """Take down all that is said until the output ends; runs in a thread."""
        words = ""
        for line in debug_output:
            begins = _SAYS.search(line)
            if begins:
                words = begins[1]
            elif words:
                words += "\n" + line.rstrip("\n")
            if words and (end := _ENDS.search(words)):
                self._utterances.put(words[: end.start()])
                words = ""

    def hears(self, words: str) -> list[str]:
        """Wait until this is part of what is said; returns all that was said since the last."""
        heard: list[str] = []
        end = time.monotonic() + _TIMEOUT_S
        while not any(words in utterance for utterance in heard):
            try:
                heard.append(self._utterances.get(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"not heard: {words}; but {heard}") from None
        return heard

    def hears_next(self, within_s: float = _PAUSE_S) -> list[str]:
        """Return what is said from now on, up to a pause, if it begins within this time."""
        heard: list[str] = []
        while True:
            try:
                heard.append(self._utterances.get(timeout=_PAUSE_S if heard else within_s))
            except queue.Empty:
                return heard


@contextmanager
def listening(folder: Path) -> Iterator[tuple[dict[str, str], Reader, Listener]]:
    """Run a desktop with Orca on it; gives variables for programs, who reads, and who hears."""
    with desktop() as (of_desktop, reader):
        variables = {**of_desktop, **_homes(folder)}
        pipe = folder / "said"
        os.mkfifo(pipe)
        listener = Listener()
        with (
            running("openbox", variables=variables),
            _follows(pipe, listener),
            running("orca", "--debug-file", str(pipe), variables=variables),
        ):
            listener.hears("Screen reader on.")
            yield variables, reader, listener


@contextmanager
def _follows(pipe: Path, listener: Listener) -> Iterator[None]:
    def read() -> None:
        with pipe.open(encoding="utf-8", errors="replace") as output:
            listener.follow(output)

    thread = threading.Thread(target=read)
    thread.start()
    # Without this a pipe that nobody came to write to would never end.
    with pipe.open("w", encoding="utf-8"):
        yield
    thread.join(_TIMEOUT_S)


def _homes(folder: Path) -> Mapping[str, str]:
    """Variables that lead Orca to a home of its own, in which nothing is spoken aloud."""
    homes = {
        name: str(folder / name.lower())
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")
    }
    own = folder / "xdg_data_home" / "orca"
    own.mkdir(parents=True)
    (own / "orca-customizations.py").write_text(_CUSTOMIZATIONS, encoding="utf-8")
    return {**homes, "SPEECHD_CMD": "false"}


_MARKUP = re.compile(r"<\w+>|</\w+>|&\w+;")
_MOST_STEPS = 40
# Tokens that a model takes; what the program says to it needs some thousand.
_WINDOW: Final = 20_000
_SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


@dataclass
class _Ear:
    """Somebody who hears and types, and sees nothing."""

    variables: dict[str, str]
    reader: Reader
    listener: Listener

    def hears(self, words: str) -> list[str]:
        return self.listener.hears(words)

    def says(self, text: str) -> None:
        """Send a message."""
        self.reader.write(self.reader.waits_for_use("Message"), text)
        self.reader.press(self.reader.waits_for_use("Send"))

    def presses(self, *keys: str) -> None:
        """Press keys of the keyboard, one after the other, by their X names."""
        self._xdotool("key", "--clearmodifiers", "--delay", "60", *keys)

    def types(self, text: str) -> None:
        """Type text on the keyboard, and send it."""
        self._xdotool("type", "--delay", "40", text)
        self.presses("Return")

    def goes_by(self, key: str, words: str) -> list[str]:
        """Press a key again and again until this is said; returns what was said on the way."""
        heard: list[str] = []
        for _ in range(_MOST_STEPS):
            self.presses(key)
            told = self.listener.hears_next()
            if all(one.endswith(" ") for one in told):
                # Only keys were named: on a busy machine, what they lead to is still to be said.
                told += self.listener.hears_next(within_s=_SLOW_S)
            heard += told
            if any(words in one for one in told):
                return heard
        raise AssertionError(f"not reached: {words}; but {heard}")

    def _xdotool(self, *arguments: str) -> None:
        environment = {**os.environ, **self.variables}
        subprocess.run(["xdotool", *arguments], env=environment, check=True)

    def hears_by_tab(self, last: str) -> list[str]:
        """Return what is said from here, by Tab, up to this."""
        heard: list[str] = []
        for _ in range(_MOST_STEPS):
            self.reader.type_key(Key.TAB)
            # Orca names the key first, then what it leads to: nothing is silent.
            told = [*self.hears("tab "), *self.hears("")]
            heard += told
            if any(last in words for words in told):
                return heard
        raise AssertionError(f"not reached: {last}; but {heard}")


@pytest.fixture(scope="module")
def ear(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Ear]:
    if missing := missing_for_orca():
        pytest.skip(f"not installed: {', '.join(missing)}")
    with listening(tmp_path_factory.mktemp("orca")) as (variables, reader, listener):
        yield _Ear(variables, reader, listener)


def _faults(said: list[str]) -> list[str]:
    """Return what nobody should hear: markup, kinds of boxes, a thing twice at once."""
    read_as_markup = [words for words in said if _MARKUP.search(words)]
    boxes = [words for words in said if words in ("layered pane", "filler", "panel")]
    twice = [now for before, now in pairwise(said) if now == before and now != "tab "]
    return read_as_markup + boxes + twice


def test_a_first_start_and_a_reply_are_heard(ear: _Ear, tmp_path: Path) -> None:
    with program(tmp_path, ear.variables):
        start = ear.hears("Open a model file")
        ear.reader.press(ear.reader.waits_for_name("Look around first"))
        start += ear.hears("Message text")
        ear.says("Hello from afar")
        reply = ear.hears("Hello! I am Assistant")

    # Nothing of a panel that is not there.
    assert not [words for words in start if "Skills" in words]
    assert "How do you want to start? panel." in start
    assert reply[-1].startswith("notification Assistant: Hello!")
    assert _faults(start + reply) == []


@pytest.mark.security(4)
def test_a_card_and_a_result_held_back_are_heard_to_their_answers(
    ear: _Ear, tmp_path: Path
) -> None:
    has_chosen_offline(tmp_path)
    file = tmp_path / "no\u202etes.txt"
    file.write_text(f"key: {_SECRET}\n", encoding="utf-8")
    with program(tmp_path, ear.variables):
        said = ear.hears("Message text")
        ear.says(f'/tool read_file {{"path": "{file}"}}')
        said += ear.hears("notification Your decision is needed: Read a file on this computer?")
        ear.reader.type_key(Key.F6)
        card = ear.hears("only reads") + ear.hears_by_tab("Deny… push button")
        ear.reader.waits_for(lambda: _is_pressed(ear.reader, "Allow once"), "it is allowed")
        said += ear.hears("notification Your decision is needed: This result contains 1 secret.")
        ear.reader.type_key(Key.F6)
        held = ear.hears("Nothing has been sent yet") + ear.hears_by_tab("Don’t send… push button")
        ear.reader.type_key(Key.ESC)
        held += ear.hears("notification Stopped.")

    shown = str(file).replace("\u202e", "‹U+202E›")
    assert card[0] == "Read a file on this computer?"
    assert f"Path: {shown}" in card[1]
    assert "Location: no folder is chosen for this chat" in card[1]
    assert "Tool: read_file" in card[1]
    assert "runs in a sandbox; cannot change anything; without network access" in card[1]
    reached = [words for words in card[2:] if words != "tab "]
    assert reached[:2] == ["Tool read only text.", "read_file."]
    assert "Path read only text." in reached
    assert "Allow once push button." in reached
    assert held[0] == "What the assistant would receive read only text."
    assert "key: [masked: GitHub token]" in held
    assert _faults(said + card + held) == []


def test_palette_and_settings_are_heard_while_gone_through(ear: _Ear, tmp_path: Path) -> None:
    paths = has_chosen_offline(tmp_path)
    paths.window_file.write_text("[General]\nshows_panel=true\n", encoding="utf-8")
    with program(tmp_path, ear.variables):
        said = ear.hears("Message text")
        # What fits depends on what there is.
        ear.reader.waits_for(lambda: _shows(ear.reader, "Meeting notes"), "the skills")
        ear.reader.type_key(Key.K, with_control=True)
        said += ear.hears("Search chats and commands text")
        ear.reader.type_key(Key.N)
        said += ear.hears("Skills, Meeting notes")
        ear.reader.type_key(Key.DOWN)
        said += ear.hears("Skills, Release notes")
        ear.reader.type_key(Key.ESC)
        said += ear.hears("Message text")
        ear.reader.type_key(Key.COMMA, with_control=True)
        said += ear.hears("Settings")
        settings = ear.hears_by_tab("Connection name text")

    assert "Connections." in settings
    assert "selected radio button" in settings
    assert "Search settings text." in settings
    assert _faults(said + settings) == []


_BLOCKS: Final = {
    "python": "print('hi')",
    "mermaid": "graph TD; A-->B",
    "svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "html": "<p>A page</p>",
}
_DRAWN = "Here.\n\n" + "\n\n".join(f"```{name}\n{code}\n```" for name, code in _BLOCKS.items())


async def _imports(folder: Path, store_file: Path) -> None:
    """Leave an imported chat with code in it."""
    store = Store(store_file)
    await store.open()
    file = write_json(folder / "chats.json", [chatgpt_chat("g1", "Draw it", _DRAWN)])
    await ChatImport(file, store.archive, Labels()).run(lambda *_told: None)
    await store.close()


@pytest.mark.long
@pytest.mark.timeout(900)
def test_messages_are_acted_on_by_what_is_heard_and_by_keys_alone(
    ear: _Ear, tmp_path: Path
) -> None:
    if shutil.which("xdotool") is None:
        pytest.skip("not installed: xdotool")
    asyncio.run(_imports(tmp_path, has_chosen_offline(tmp_path / "data").store_file))
    file = tmp_path / "notes.txt"
    file.write_text("as it was", encoding="utf-8")
    with program(tmp_path / "data", {**ear.variables, "BROWSER": "true"}):
        ear.hears("Message text")
        for task in (_edits, _asks_anew, _switches, _branches):
            task(ear)
        _rewinds(ear, file)
        _undoes(ear, file)
        for task in (_continues, _copies):
            task(ear)
        _saves(ear, tmp_path / "hi.py")
        _previews(ear, tmp_path / "data")


class _SmallModel(FakeOpenAi):
    """Says with each answer that its window is nearly full."""

    def choose(self, request: Received) -> Answer:
        if not self.is_question(request):
            return super().choose(request)
        is_summary = b"Summarise this chat" in request.body
        words = "A bridge of 1894." if is_summary else "It opened in 1894."
        tokens = {"prompt_tokens": _WINDOW - 100, "completion_tokens": 20}
        used = {"choices": [], "usage": tokens | {"total_tokens": _WINDOW - 80}}
        told = self.written(delta(words), end("stop"), used, done=True)
        return Answer(200, told, {"Content-Type": "text/event-stream"})


@contextmanager
def _nearly_full(data: Path) -> Iterator[None]:
    """Run a model for the program that is started there, in a thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    def does(work: Coroutine[None, None, object]) -> None:
        asyncio.run_coroutine_threadsafe(work, loop).result(_TIMEOUT_S)

    model = _SmallModel("A chat")
    model.pages["/v1/models"] = {"data": [{"id": "small", "max_model_len": _WINDOW}]}
    does(model.__aenter__())
    name = f"openai:small@{model.base_url}/v1"
    connection = ConnectionSettings(kind="local", model=name)
    chosen = Settings(connection=connection, models=ModelSettings(added=(name,)))
    SettingsFile(has_chosen_offline(data).settings_file).save(chosen)
    try:
        yield
    finally:
        does(model.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.mark.long
def test_full_chat_goes_on_from_a_summary_by_what_is_heard_and_by_keys_alone(
    ear: _Ear, tmp_path: Path
) -> None:
    if shutil.which("xdotool") is None:
        pytest.skip("not installed: xdotool")
    with _nearly_full(tmp_path), program(tmp_path, ear.variables):
        ear.hears("Message text")
        ear.types("When did the bridge open?")
        ear.hears("It opened in 1894.")
        ear.goes_by("Tab", "The context window is nearly full")
        ear.presses("Return")
        ear.goes_by("Down", "Summarise and continue")
        ear.presses("Return")
        ear.hears("Summarising… This chat does not change")
        ear.hears("notification This chat continues from the summary.")
        ear.goes_by("ctrl+Up", "A bridge of 1894.")


def _edits(ear: _Ear) -> None:
    ear.types("Hello from afar")
    ear.hears("notification Assistant: Hello! I am Assistant")
    ear.goes_by("ctrl+Up", "Assistant: Hello! I am Assistant")
    ear.goes_by("Tab", "Edit: Hello! I am")
    ear.presses("Return")
    ear.hears("notification Sending starts a new version")
    ear.presses("ctrl+a")
    ear.types("Hi")
    ear.hears("notification Assistant: Hello! I am Assistant")


def _asks_anew(ear: _Ear) -> None:
    ear.goes_by("ctrl+Up", "Assistant: Hello! I am Assistant")
    ear.goes_by("Tab", "Try again: Hello! I am")
    ear.presses("Return")
    ear.hears("notification Assistant: Hello! I am Assistant")


def _switches(ear: _Ear) -> None:
    ear.goes_by("ctrl+Up", "You: Hi")
    ear.goes_by("Tab", "Earlier version (3 of 3): Hi")
    ear.presses("Return")
    ear.hears("notification Version 2 of 3")


def _branches(ear: _Ear) -> None:
    ear.goes_by("ctrl+Up", "Assistant: Hello! I am Assistant")
    ear.goes_by("Tab", "Branch: Hello! I am")
    ear.presses("Return")
    ear.hears("notification This is a copy")


def _writes_by_tool(ear: _Ear, file: Path) -> None:
    ear.types(f'/tool write_file {{"path": "{file}", "content": "changed"}}')
    ear.hears("notification Your decision is needed")
    ear.goes_by("F6", "Write a file on this computer?")
    ear.goes_by("Tab", "Allow once")
    ear.reader.waits_for(lambda: _changes(ear, file), "the file is written")
    ear.listener.hears_next()


def _rewinds(ear: _Ear, file: Path) -> None:
    ear.goes_by("F6", "Message text")
    _writes_by_tool(ear, file)
    ear.goes_by("ctrl+Up", "You: /tool")
    ear.goes_by("Tab", "Edit: /tool")
    ear.presses("Return")
    ear.hears("notification Sending starts a new version")
    ear.goes_by("shift+Tab", "Also undo what tools changed (1 file)")
    ear.presses("space")
    ear.goes_by("F6", "Message text")
    ear.presses("ctrl+a")
    ear.types("Hello again")
    ear.hears("1 file was restored")
    assert file.read_text(encoding="utf-8") == "as it was"


def _undoes(ear: _Ear, file: Path) -> None:
    """Undo what a tool did, from the list of calls, whose first row is heard at once."""
    _writes_by_tool(ear, file)
    ear.presses("ctrl+k")
    ear.hears("Search chats and commands")
    ear.types("Show activity")
    ear.hears("Activity.")
    ear.listener.hears_next()
    heard = ear.goes_by("Tab", "Calls.") + ear.listener.hears_next()
    assert any(words.startswith("Write file") for words in heard), heard
    ear.presses("Return")
    ear.hears("Back to the list of calls")
    ear.goes_by("Tab", "Undo")
    ear.presses("Return")
    ear.hears("notification Restored")
    assert file.read_text(encoding="utf-8") == "as it was"
    ear.goes_by("F6", "Message text")


def _changes(ear: _Ear, file: Path) -> bool:
    """Press a button that counts only after a while."""
    if file.read_text(encoding="utf-8") != "changed":
        ear.presses("Return")
    return file.read_text(encoding="utf-8") == "changed"


def _continues(ear: _Ear) -> None:
    ear.listener.hears_next()
    ear.presses("ctrl+k")
    ear.hears("Search chats and commands")
    ear.types("Imported chats")
    ear.listener.hears_next()
    ear.goes_by("F6", "New chat")
    ear.goes_by("Tab", "About g1")
    ear.presses("Return")
    ear.listener.hears_next()
    ear.goes_by("Tab", "Continue push button")
    ear.presses("Return")
    said = ear.hears("notification “About g1” continues here.") + ear.listener.hears_next()
    assert any("Message text" in words for words in said), said


def _copies(ear: _Ear) -> None:
    ear.goes_by("ctrl+Up", "Here.")
    ear.goes_by("Tab", "Copy: Here.")
    ear.presses("Return")
    ear.hears("notification Copied.")


def _saves(ear: _Ear, target: Path) -> None:
    ear.goes_by("ctrl+Up", "You: Draw it")
    ear.goes_by("ctrl+Down", "Here.")
    ear.goes_by("Tab", "Save code as…")
    ear.presses("Return")
    ear.hears("Save code")
    ear.listener.hears_next()
    ear.presses("ctrl+a")
    ear.types(str(target))
    ear.reader.waits_for(target.exists, "the file")
    assert target.read_text(encoding="utf-8").strip() == "print('hi')"


def _previews(ear: _Ear, data: Path) -> None:
    ear.listener.hears_next()
    ear.goes_by("ctrl+Up", "You: Draw it")
    ear.goes_by("ctrl+Down", "Here.")
    for count in range(1, len(_BLOCKS)):
        ear.goes_by("Tab", "Open preview")
        ear.presses("Return")
        ear.reader.waits_for(
            lambda: len(list(data.rglob("preview-*.html"))) == count,  # noqa: B023
            "the file for the browser",
        )


def _shows(reader: Reader, words: str) -> bool:
    return any(words in node.name for node in reader.nodes() if node.is_showing)


def _is_pressed(reader: Reader, name: str) -> bool:
    """Presses a button that counts only after a while, until it is gone."""
    if button := reader.find(name):
        reader.press(button)
    return button is None
