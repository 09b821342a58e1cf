"""Tools of one's own: read without running them, pinned, and run apart from the program."""

import asyncio
import json
from pathlib import Path

import pytest

from local_tools.canonical import freeze
from local_tools.errors import ToolError
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.execution.tool_runner import ToolRunner
from local_tools.outcome import ToolOutcome
from local_tools.registry import ToolRegistry
from local_tools.sandbox.choice import SandboxChoice, sandboxes_of_system
from local_tools.tool import AnyTool
from local_tools.user_tools.folder_check import OwnPreviews
from local_tools.user_tools.manifest import find_interpreter
from local_tools.user_tools.tool_set import read_set
from tests.support.confined import needs_bubblewrap
from tests.support.user_tool_fixtures import (
    COUNT_CODE,
    make_set,
    one_tool,
    own_interpreter,
    tools_of,
)


@pytest.fixture(scope="module")
def sandboxes() -> SandboxChoice:
    return SandboxChoice(sandboxes_of_system())


async def ran(
    tool: AnyTool, folder: Path, sandboxes: SandboxChoice, /, **values: object
) -> ToolOutcome:
    given = freeze(values)
    assert tool.signature.complaints(given) == ()
    return await ToolRunner(sandboxes=sandboxes).run(prepare(tool, given, CallPlaces(folder)))


@pytest.mark.anyio
async def test_a_tool_of_a_folder_runs_on_its_interpreter(
    tmp_path: Path, sandboxes: SandboxChoice
) -> None:
    (tool,) = tools_of(make_set(tmp_path / "texts"))
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "a.txt").write_text("one two three")
    outcome = await ran(tool, tmp_path / "place", sandboxes, path="a.txt", least=4)
    assert (outcome.status, outcome.text) == ("ok", "1")


def test_inputs_are_read_from_the_code_and_described_by_its_docstring(tmp_path: Path) -> None:
    (tool,) = tools_of(make_set(tmp_path))
    definition = tool.definition
    assert definition.name == "texts__count_words"
    assert definition.description == "Count the words of a text file."
    assert definition.wire_schema() == {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The file."},
            "least": {
                "type": "integer",
                "description": "Shorter words do not count.",
                "default": 1,
            },
        },
        "required": ["path"],
        "additionalProperties": False,
    }
    assert definition.effects.read_only
    assert not definition.needs_network


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "'path' is a required property"),
        ({"path": 1}, "“path”"),
        ({"path": "a", "more": 1}, "“more” is not an input"),
        ({"path": "a", "least": "x"}, "“least”"),
    ],
)
def test_an_input_that_does_not_fit_is_refused(
    tmp_path: Path, given: dict[str, object], words: str
) -> None:
    (tool,) = tools_of(make_set(tmp_path))
    assert words in " ".join(tool.signature.complaints(freeze(given)))


def test_the_card_says_where_the_code_lies_and_what_runs_it(tmp_path: Path) -> None:
    (tool,) = tools_of(make_set(tmp_path / "texts"))
    (tmp_path / "a").write_text("x")
    call = prepare(tool, freeze({"path": "a"}), CallPlaces(tmp_path))
    facts = {fact.label: fact.value for fact in call.facts}
    assert facts["Tools folder"] == str(tmp_path / "texts")
    assert facts["Run by"] == own_interpreter().path
    assert facts["Path"] == str(tmp_path / "a")


@pytest.mark.security(45)
def test_nothing_of_a_folder_runs_when_it_is_read_listed_and_prepared(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    code = f"open({str(marker)!r}, 'w').close()\n{COUNT_CODE}"
    (tool,) = tools_of(make_set(tmp_path / "texts", code))
    registry = ToolRegistry([tool])
    assert [item.name for item in registry.definitions()] == ["texts__count_words"]
    (tmp_path / "a").write_text("x")
    prepare(tool, freeze({"path": "a"}), CallPlaces(tmp_path))
    assert not marker.exists()


@pytest.mark.security(45)
@pytest.mark.anyio
async def test_one_changed_byte_is_another_tool_and_does_not_run(
    tmp_path: Path, sandboxes: SandboxChoice
) -> None:
    folder = make_set(tmp_path / "texts", others={"data.txt": "x"})
    (tool,) = tools_of(folder)
    (tmp_path / "a").write_text("x")
    (folder / "data.txt").write_text("y")
    outcome = await ran(tool, tmp_path, sandboxes, path="a")
    assert outcome.text == (
        f"Error: The code in {folder} changed since it was shown, so nothing was done."
    )
    make_set(folder, others={"data.txt": "y"})
    assert tools_of(folder)[0].definition.digest != tool.definition.digest


_NOSY = '''
import gc, importlib, json, os, sys

def look() -> str:
    """Look around."""
    found = {}
    for name in ("local_tools", "app", "keyring"):
        try:
            importlib.import_module(name)
            found[name] = "imported"
        except ImportError:
            pass
    found["objects"] = [type(o).__name__ for o in gc.get_objects() if "local_tools" in str(type(o))]
    leads = [os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
             if os.path.exists(f"/proc/self/fd/{n}")]
    found["fds"] = sorted({lead.split(":")[0] for lead in leads})
    found["canary"] = [k for k in os.environ if "CANARY" in k]
    try:
        open("/proc/1/environ").close()
        os.listdir(os.path.expanduser("~/.ssh"))
        found["ssh"] = True
    except OSError:
        pass
    try:
        import socket
        socket.create_connection(("127.0.0.1", 9), 1)
    except OSError as error:
        found["socket"] = True
    try:
        open(__file__, "a").close()
        found["wrote"] = __file__
    except OSError:
        pass
    return json.dumps(found)
'''


@needs_bubblewrap
@pytest.mark.security(46)
@pytest.mark.anyio
async def test_a_tool_reaches_nothing_of_the_program(
    tmp_path: Path, sandboxes: SandboxChoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CANARY_KEY", "sk-canary")
    code = _NOSY
    folder = make_set(tmp_path / "texts", code, one_tool(code))
    text = (folder / "tool.toml").read_text()
    # The system's interpreter, which has none of the program's packages.
    (folder / "tool.toml").write_text(text.replace(own_interpreter().path, "/usr/bin/python3"))
    (tool,) = read_set(folder).make_tools(find_interpreter("/usr/bin/python3"))
    outcome = await ran(tool, tmp_path, sandboxes)
    assert outcome.status == "ok", outcome.text
    found = json.loads(outcome.text)
    assert found.pop("fds") in (["/dev/null", "pipe"], ["pipe"])
    assert found == {"objects": [], "canary": [], "socket": True}


@pytest.mark.anyio
async def test_a_tool_says_why_it_did_not_work_and_how_far_it_is(
    tmp_path: Path, sandboxes: SandboxChoice
) -> None:
    code = (
        "from parley_tool import Context, ToolError\n"
        'async def fail(context: Context, how: str = "said") -> str:\n'
        '    """Fail."""\n'
        '    context.progress(1, 2, "half")\n'
        "    print('printed')\n"
        '    if how == "said":\n        raise ToolError("There is no more.")\n'
        '    if how == "exit":\n        import os; os._exit(3)\n'
        "    return 1 / 0\n"
    )
    (tool,) = tools_of(make_set(tmp_path / "texts", code, one_tool(code)))
    seen: list[object] = []
    call = prepare(tool, freeze({}), CallPlaces(tmp_path))
    runner = ToolRunner(sandboxes=sandboxes)
    outcome = await runner.run(call, on_progress=seen.append)
    assert outcome.text == "Error: There is no more."
    assert len(seen) == 1
    assert "(ZeroDivisionError)" in (await ran(tool, tmp_path, sandboxes, how="no")).text
    assert "(exit code 3)" in (await ran(tool, tmp_path, sandboxes, how="exit")).text


_PREVIEWS = '''
import time
from pathlib import Path

def shout(path: Path, how: str) -> str:
    """Write a file in capitals."""
    path.write_text("X")
    return "done"

def show(path: Path, how: str) -> str:
    if how == "slow":
        time.sleep(30)
    if how == "write":
        path.write_text("written by the preview")
    return f"Would write {path.name}."
'''


@needs_bubblewrap
def test_a_preview_runs_without_write_and_is_soon_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = one_tool(_PREVIEWS, "read_only = false", 'preview = "show"')
    folder = make_set(tmp_path / "texts", _PREVIEWS, manifest)
    own = SandboxChoice(sandboxes_of_system())
    asyncio.run(own.state())
    (tool,) = read_set(folder).make_tools(own_interpreter(), OwnPreviews(own))
    place = tmp_path / "place"
    place.mkdir()
    (place / "a").write_text("as it was")

    def shown(how: str) -> str:
        call = prepare(tool, freeze({"path": "a", "how": how}), CallPlaces(place))
        assert ("Preview", "the tool says what it would do") in [
            (fact.label, fact.value) for fact in call.facts
        ]
        assert call.preview is not None
        return call.preview.text

    assert shown("slow").endswith("did not end within 2 s and was stopped.")
    # To begin can take longer than that.
    monkeypatch.setattr("local_tools.user_tools.folder_check.PREVIEW_TIMEOUT_S", 20.0)
    assert shown("well") == "Would write a."
    assert "Read-only file system" in shown("write")
    assert (place / "a").read_text() == "as it was"


@pytest.mark.security(14)
def test_names_of_two_sources_are_not_taken_for_each_other(tmp_path: Path) -> None:
    first = tools_of(make_set(tmp_path / "a", name="texts"))
    twin = tools_of(make_set(tmp_path / "b", name="texts"))
    registry = ToolRegistry.built_in()
    assert registry.replace("folder:texts", first) == {}
    refused = registry.replace("folder:other", twin)
    assert "already a tool named" in refused["texts__count_words"]
    assert registry.get("texts__count_words") is first[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('name = "texts"', 'name = "../x"'), "“name” has signs"),
        (('title = "Count words"', 'titel = "x"'), "“tools.0.titel” is not a key"),
        (('file = "words.py"', 'file = "../words.py"'), "“tools.0.file” has signs"),
        (("[[tools]]", "[[tools"), "cannot be read"),
    ],
)
def test_a_malformed_manifest_is_refused_with_a_reason(
    tmp_path: Path, change: tuple[str, str], words: str
) -> None:
    folder = make_set(tmp_path)
    place = folder / "tool.toml"
    place.write_text(place.read_text().replace(*change, 1))
    with pytest.raises(ToolError, match=words.replace("(", r"\(")):
        read_set(folder)


def test_a_link_in_a_folder_is_refused(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "texts")
    (folder / "secret").symlink_to("/etc/passwd")
    with pytest.raises(ToolError, match="is a link"):
        read_set(folder)


def test_a_file_that_the_manifest_does_not_name_keeps_the_folder_from_use(tmp_path: Path) -> None:
    folder = make_set(tmp_path / "texts")
    (folder / "json.py").write_text("")
    assert read_set(folder).problems == ("tool.toml does not name json.py.",)
    (folder / "json.py").unlink()
    (folder / "words.py").write_text(COUNT_CODE + "\n")
    assert read_set(folder).problems == ("words.py is not what tool.toml says: another hash.",)


def test_type_without_json_schema_needs_an_explicit_schema(tmp_path: Path) -> None:
    code = 'def go(when: "datetime") -> str:\n    """Go."""\n    return when\n'
    (read,) = read_set(make_set(tmp_path, code, one_tool(code))).tools
    assert "write a schema into the manifest" in read.problem
    schema = 'schema = { type = "object", properties = { when = { type = "string" } } }'
    (tool,) = tools_of(make_set(tmp_path, code, one_tool(code, rest=schema)))
    assert tool.definition.wire_schema()["properties"] == {"when": {"type": "string"}}
