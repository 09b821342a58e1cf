"""The frozen program at work: what dev.py build has made, started and asked. Run with --frozen."""

import ctypes
import json
import shutil
import sys
from pathlib import Path

import httpx
import pytest

from app.mcp_servers.config_file import ServerRecord, ServersFile, fingerprint
from app.paths import paths_under
from local_tools.mcp.config import LocalProgram, ServerBounds, ServerConfig
from tests.support import frozen, small_mcp_server
from tests.support.event_streams import read_events, text_of
from tests.support.fake_models import FakeAnthropic, FakeGoogle, FakeOpenAi, FakeProvider
from tests.support.fake_qt_plugins import loaded_by, plant, refusing
from tests.support.user_tool_fixtures import make_set

pytestmark = [pytest.mark.frozen, pytest.mark.anyio]

_LESS = -1


@pytest.fixture(autouse=True, scope="module")
def _built() -> None:
    frozen.check_built()


@pytest.mark.parametrize("name", ["parley", "parley-server", "parley-tools"])
def test_each_program_says_the_one_version(name: str) -> None:
    listed = json.loads((frozen.FOLDER / "manifest.json").read_text(encoding="utf-8"))
    said = frozen.run(name, "--version")
    assert (said.stdout.split()[-1:], said.stderr) == ([listed["version"]], "")


def test_the_whole_program_tests_itself(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    said = frozen.run("parley", "--self-test", "--report", str(report))
    assert said.returncode == 0, said.stdout + said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="Other systems replace no open program.")
def test_an_open_window_goes_on_when_another_version_takes_its_place(tmp_path: Path) -> None:
    folder = shutil.copytree(frozen.FOLDER, tmp_path / "parley", symlinks=True)
    program, other = folder / "parley", tmp_path / "other"
    other.write_bytes(b"Another version.")
    with frozen.self_test_of(folder) as (lines, errors):
        # From here on the self-test opens, one after the other, what was not needed so far.
        assert next(lines).startswith("ok ")
        other.replace(program)
        rest = "".join(lines)
    assert "none failed" in rest, rest
    assert "Traceback" not in errors.read_text(encoding="utf-8")


def _openai(server: FakeOpenAi) -> None:
    server.says("Frozen ", "words.")


def _anthropic(server: FakeProvider) -> None:
    message = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "claude"}
    deltas = [{"type": "text_delta", "text": text} for text in ("Frozen ", "words.")]
    server.streams(
        {
            "type": "message_start",
            "message": {**message, "usage": {"input_tokens": 1, "output_tokens": 1}},
        },
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 3},
        },
        {"type": "message_stop"},
    )


def _google(server: FakeProvider) -> None:
    said = {"role": "model", "parts": [{"text": "Frozen words."}]}
    server.streams({"candidates": [{"content": said, "index": 0, "finishReason": "STOP"}]})


@pytest.mark.parametrize(
    ("make", "answer", "model", "variable"),
    [
        (FakeOpenAi, _openai, "openai:small", "OPENAI_BASE_URL"),
        (FakeAnthropic, _anthropic, "anthropic:claude-x", "ANTHROPIC_BASE_URL"),
        (FakeGoogle, _google, "google:gemini-2.5-flash", "GOOGLE_GEMINI_BASE_URL"),
    ],
)
async def test_the_service_has_the_libraries_of_each_provider(
    tmp_path: Path, make: type[FakeProvider], answer: object, model: str, variable: str
) -> None:
    async with make() as server:
        assert callable(answer)
        answer(server)
        with frozen.running_service(tmp_path, model, {variable: server.base_url}) as (base, log):
            headers = {"X-API-Key": frozen.LAUNCH_KEY}
            async with httpx.AsyncClient(base_url=base, headers=headers, timeout=40) as client:
                made = (await client.post("/v1/conversations")).json()["data"]["id"]
                body = {"conversation_id": made, "message": "Go", "agent_name": "assistant"}
                reply = await client.post("/v1/chat/stream", json=body)
        assert text_of(read_events(reply.content)) == "Frozen words.", log.read_text()


@pytest.mark.security(40)
def test_tools_run_confined_and_see_no_path_of_the_bundle(tmp_path: Path) -> None:
    call = json.dumps({"command": "env; cat /proc/self/maps"})
    around = {"LD_LIBRARY_PATH": "/somewhere/else"}
    said = frozen.run("parley-tools", "run", "run_shell", call, "--root", str(tmp_path), env=around)
    assert said.returncode == 0, said.stderr
    assert "PATH=" in said.stdout
    assert "_internal" not in said.stdout
    assert not {"LD_LIBRARY_PATH", "_PYI_", "QT_"} & set(said.stdout.replace("=", " ").split())


def test_a_tool_of_ones_own_runs_on_its_interpreter(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one two three")
    tools = make_set(tmp_path / "texts")
    run = ("run", "texts__count_words", '{"path": "a.txt"}', "--root", str(tmp_path))
    said = frozen.run("parley-tools", *run, "--folder", str(tools))
    assert (said.stdout, said.returncode) == ("3\n", 0), said.stderr


def test_the_window_speaks_to_tool_servers(tmp_path: Path) -> None:
    """A server that is on is started with the window, which then knows its tools."""
    server = Path(small_mcp_server.__file__)
    program = LocalProgram(sys.executable, ("-I", str(server)))
    config = ServerConfig("words", program, ServerBounds(str(server.parent)))
    paths = paths_under(tmp_path)
    paths.make()
    kept = ServerRecord(config, approved=fingerprint(config))
    ServersFile(paths.tool_servers_file).write((kept,))
    with frozen.running_window(tmp_path) as waits:
        known = dict[str, object]()
        while not known:
            waits()
            written = json.loads(paths.tool_servers_file.read_text(encoding="utf-8"))
            known = written["mcpServers"]["words"]["parley"]["pins"]
    assert list(known) == ["count_words"]


@pytest.mark.security(84)
@pytest.mark.skipif(sys.platform != "linux", reason="Reads what is loaded from /proc.")
def test_planted_plugins_of_qt_are_not_loaded(tmp_path: Path) -> None:
    around, command = plant(tmp_path), refusing([frozen.program("parley")], tmp_path)
    loaded = loaded_by(command, around, tmp_path)
    assert any("/_internal/PySide6/Qt/plugins/platforms/" in path for path in loaded)
    assert not [path for path in loaded if path.startswith(str(tmp_path))]


@pytest.mark.skipif(sys.platform != "linux", reason="Qt has its own data elsewhere.")
def test_texts_still_compare_as_their_language_wants() -> None:
    libraries = frozen.LIBRARIES / "PySide6" / "Qt" / "lib"
    (data,) = libraries.glob("libicudata.so.*")
    version = data.name.rpartition(".")[2]
    for name in ("libicudata", "libicuuc"):
        ctypes.CDLL(str(libraries / f"{name}.so.{version}"), ctypes.RTLD_GLOBAL)
    icu = ctypes.CDLL(str(libraries / f"libicui18n.so.{version}"))
    opening, comparing = (icu[f"{name}_{version}"] for name in ("ucol_open", "ucol_strcoll"))
    opening.restype = ctypes.c_void_p

    def compared(language: bytes, first: str, second: str) -> int:
        error = ctypes.c_int(0)
        collator = ctypes.c_void_p(opening(language, ctypes.byref(error)))
        assert error.value <= 0
        texts = (ctypes.create_string_buffer(f"{t}\0".encode("utf-16-le")) for t in (first, second))
        one, other = texts
        return int(comparing(collator, one, -1, other, -1))

    assert compared(b"de", "ä", "z") == _LESS
    assert compared(b"sv", "z", "ä") == _LESS
