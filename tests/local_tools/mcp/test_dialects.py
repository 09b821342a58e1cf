"""Servers of other programs are read in their own dialects, and exactly as they are."""

import json
from pathlib import Path

import pytest

from local_tools.errors import ToolError
from local_tools.mcp.config import LocalProgram, RemoteAddress
from local_tools.mcp.config_files import ForeignServer, find_foreign

ENVIRON = {"TOKEN": "t-1", "HOME": "/home/u"}


def written(home: Path, name: str, document: object) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))


def found(home: Path) -> ForeignServer:
    (server,) = find_foreign(home, ENVIRON, "linux")
    return server


@pytest.mark.parametrize(
    ("file", "document", "program"),
    [
        (".config/Claude/claude_desktop_config.json", "mcpServers", "Claude Desktop"),
        (".claude.json", "mcpServers", "Claude Code"),
        (".config/Code/User/mcp.json", "servers", "VS Code"),
        (".cursor/mcp.json", "mcpServers", "Cursor"),
        (".codeium/windsurf/mcp_config.json", "mcpServers", "Windsurf"),
    ],
)
def test_a_program_is_read(tmp_path: Path, file: str, document: str, program: str) -> None:
    entry = {"command": "npx", "args": ["-y", "server"], "env": {"A": "b"}, "disabled": False}
    written(tmp_path, file, {document: {"files": entry}, "theme": "dark"})
    server = found(tmp_path)
    assert server.program == program
    assert server.config("files", ENVIRON, {}).place == LocalProgram(
        "npx", ("-y", "server"), {"A": "b"}
    )


@pytest.mark.parametrize("key", ["url", "serverUrl"])
def test_an_address_is_read(tmp_path: Path, key: str) -> None:
    entry = {key: "https://tools.example.com/mcp", "headers": {"X-Key": "${env:TOKEN}"}}
    written(tmp_path, ".cursor/mcp.json", {"mcpServers": {"far": entry}})
    place = found(tmp_path).config("far", ENVIRON, {}).place
    assert place == RemoteAddress("https://tools.example.com/mcp", {"X-Key": "t-1"})


def test_variables_are_filled_in_and_defaults_stand_for_those_that_are_not_set(
    tmp_path: Path,
) -> None:
    entry = {"command": "tool", "args": ["${TOKEN}", "${NONE:-a b}", "$TOKEN"]}
    written(tmp_path, ".claude.json", {"mcpServers": {"a": entry}})
    place = found(tmp_path).config("a", ENVIRON, {}).place
    assert place == LocalProgram("tool", ("t-1", "a b", "$TOKEN"))


def test_inputs_of_another_programs_server_are_asked_for(tmp_path: Path) -> None:
    document = """{
      // Kept by hand
      "inputs": [{"id": "key", "type": "promptString", "description": "The // key", }],
      "servers": {"a": {"type": "stdio", "command": "tool", "env": {"KEY": "${input:key}"}}},
    }"""
    written(tmp_path, ".config/Code/User/mcp.json", document)
    server = found(tmp_path)
    assert [(q.name, q.words) for q in server.questions] == [("key", "The // key")]
    with pytest.raises(ToolError, match="answered first"):
        server.config("a", ENVIRON, {})
    place = server.config("a", ENVIRON, {"key": "sesame"}).place
    assert place == LocalProgram("tool", (), {"KEY": "sesame"})


@pytest.mark.parametrize(
    ("entry", "part"),
    [
        ({"command": "tool", "args": ["${NONE}"]}, "NONE is not set"),
        ({"command": "tool", "args": ["${workspaceFolder}"]}, "depends on a folder"),
        ({"type": "sse", "url": "https://tools.example.com/sse"}, "older SSE"),
        ({"url": "http://tools.example.com/"}, "https://"),
        ({}, "needs a command"),
        (7, "could not be read"),
    ],
)
def test_server_that_cannot_be_imported_says_why(tmp_path: Path, entry: object, part: str) -> None:
    written(tmp_path, ".claude.json", {"mcpServers": {"a": entry}})
    assert part in found(tmp_path).problem


@pytest.mark.parametrize("text", ["", "[]", "{", '{"mcpServers": []}', "[" * 100_000])
def test_a_file_that_is_none_has_no_servers(tmp_path: Path, text: str) -> None:
    written(tmp_path, ".claude.json", text)
    assert find_foreign(tmp_path, ENVIRON, "linux") == ()
