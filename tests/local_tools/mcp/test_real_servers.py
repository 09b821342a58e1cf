"""Tool servers of others, as they are published, in the sandbox and without network."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from local_tools.context import Progress
from local_tools.errors import ToolError
from local_tools.mcp.config import ServerBounds
from local_tools.mcp.remote_tool import make_tool
from local_tools.mcp.server import ToolServer
from tests.support.mcp_server_fixtures import (
    around,
    bubblewrapped,
    needs_bubblewrap,
    program,
    serving,
)

pytestmark = [pytest.mark.anyio, needs_bubblewrap]

PROGRAMS = Path(sys.executable).parent
PACKAGES = Path(__file__).parents[3] / ".setup/tool-servers/node_modules/@modelcontextprotocol"
NODE = str(PROGRAMS / "node")

needs_node_servers = pytest.mark.skipif(
    not PACKAGES.is_dir(), reason="the tool servers for Node were not brought by dev.py test"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of the user's; beside it lies a secret."""
    (tmp_path / "secret").write_text("sesame")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "notes.txt").write_text("buy milk")
    return folder


def ignore(_progress: Progress) -> None:
    pass


def take_all(server: ToolServer) -> None:
    """Every tool of a well-meant server can be taken."""
    assert server.origin is not None
    for offered in server.offered:
        make_tool(offered, server.origin)


async def test_the_time_server(tmp_path: Path) -> None:
    config = program("time", str(PROGRAMS / "mcp-server-time"))
    async with serving(config, around(bubblewrapped(tmp_path))) as watched:
        take_all(watched.server)
        said = await watched.server.call("get_current_time", {"timezone": "Asia/Tokyo"}, ignore)
    assert "+09:00" in said.text


async def test_the_git_server_sees_its_folder_alone(folder: Path, tmp_path: Path) -> None:
    await asyncio.to_thread(subprocess.run, ["git", "init", "-q", str(folder)], check=True)
    bounds = ServerBounds(str(folder))
    config = program("git", str(PROGRAMS / "mcp-server-git"), bounds=bounds)
    async with serving(config, around(bubblewrapped(tmp_path))) as watched:
        take_all(watched.server)
        said = await watched.server.call("git_status", {"repo_path": str(folder)}, ignore)
        with pytest.raises(ToolError):
            await watched.server.call("git_status", {"repo_path": str(tmp_path)}, ignore)
        values = {"repo_path": str(folder), "files": ["notes.txt"]}
        with pytest.raises(ToolError):
            await watched.server.call("git_add", values, ignore)
    assert "notes.txt" in said.text


@needs_node_servers
async def test_the_file_server_reads_and_changes_what_it_may(folder: Path, tmp_path: Path) -> None:
    script = str(PACKAGES / "server-filesystem/dist/index.js")
    bounds = ServerBounds(str(folder), may_write=True)
    # It is told of one more folder than it may see.
    config = program("files", NODE, script, str(folder), str(tmp_path), bounds=bounds)
    async with serving(config, around(bubblewrapped(tmp_path))) as watched:
        take_all(watched.server)
        server = watched.server
        notes = {"path": str(folder / "notes.txt")}
        assert "buy milk" in (await server.call("read_text_file", notes, ignore)).text
        await server.call("write_file", {**notes, "content": "buy bread"}, ignore)
        with pytest.raises(ToolError):
            await server.call("read_text_file", {"path": str(tmp_path / "secret")}, ignore)
    assert (folder / "notes.txt").read_text() == "buy bread"


@needs_node_servers
async def test_a_server_that_does_everything(tmp_path: Path) -> None:
    script = str(PACKAGES / "server-everything/dist/index.js")
    config = program("everything", NODE, script, "stdio")
    steps: list[float] = []
    async with serving(config, around(bubblewrapped(tmp_path))) as watched:
        take_all(watched.server)
        call = watched.server.call
        assert (await call("echo", {"message": "hi"}, ignore)).text == "Echo: hi"
        image = await call("get-tiny-image", {}, ignore)
        links = await call("get-resource-links", {"count": 2}, ignore)
        weather = await call("get-structured-content", {"location": "New York"}, ignore)
        work = {"duration": 0.3, "steps": 3}
        await call("trigger-long-running-operation", work, lambda p: steps.append(p.done))
    assert "[image: image-1.png]" in image.text
    assert image.images[0].data.startswith(b"\x89PNG")
    assert links.text.count("[link: demo://") == 2
    assert '"temperature":' in weather.text
    assert steps == [1, 2, 3]
