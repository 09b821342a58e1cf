"""What the program does itself: one outcome each, bound to what the card showed."""

import asyncio
from pathlib import Path

import pytest

from local_tools.canonical import freeze
from local_tools.context import Desktop
from local_tools.errors import ToolError
from local_tools.execution.call_runner import HostActions
from local_tools.execution.prepare import CallPlaces, prepare
from local_tools.registry import ToolRegistry
from local_tools.threads import run_in_thread
from local_tools.tool import GuardedPath, tool
from tests.support.held_work import HeldWork
from tests.support.tool_calls import built_in, prepared

pytestmark = pytest.mark.anyio


class FakeScreen:
    """A desktop that only remembers."""

    def __init__(self, *, opens: bool = True) -> None:
        self.clipboard = "copied before"
        self.opened: list[Path] = []
        self._opens = opens

    def clipboard_text(self) -> str:
        return self.clipboard

    def set_clipboard_text(self, text: str) -> None:
        self.clipboard = text

    def open_path(self, path: Path) -> bool:
        self.opened.append(path)
        return self._opens


def host(screen: FakeScreen | None = None) -> HostActions:
    return HostActions(ToolRegistry.built_in(), Desktop(screen))


async def test_the_clipboard_is_read_and_replaced() -> None:
    screen = FakeScreen()
    read = await host(screen).run(prepared(built_in("read_clipboard")))
    assert (read.status, read.text) == ("ok", "copied before")
    call = prepared(built_in("write_clipboard"), text="new words")
    assert call.preview is not None
    assert call.preview.text == "new words"
    assert (await host(screen).run(call)).text == "Copied 9 characters."
    assert screen.clipboard == "new words"
    screen.clipboard = ""
    assert (await host(screen).run(prepared(built_in("read_clipboard")))).text == (
        "The clipboard holds no text."
    )


async def test_without_a_window_it_is_said_what_is_missing() -> None:
    outcome = await host().run(prepared(built_in("read_clipboard")))
    assert outcome.status == "failed"
    assert outcome.text == "Error: The clipboard needs Parley's window, so nothing was done."


async def test_documents_and_folders_are_opened(tmp_path: Path) -> None:
    screen = FakeScreen()
    (tmp_path / "a.txt").write_text("text")
    for path in ("a.txt", "."):
        outcome = await host(screen).run(prepared(built_in("open_file"), tmp_path, path=path))
        assert outcome.status == "ok", outcome.text
    assert screen.opened == [tmp_path / "a.txt", tmp_path]
    refusing = FakeScreen(opens=False)
    outcome = await host(refusing).run(prepared(built_in("open_file"), tmp_path, path="a.txt"))
    assert outcome.text == f"Error: The system has no application for {tmp_path / 'a.txt'}."


PROGRAMS = [
    ("start.desktop", b"x"),
    ("start.DESKTOP", b"x"),
    ("start.desktop.", b"x"),
    ("run.sh", b"x"),
    ("setup.exe", b"x"),
    ("tool.AppImage", b"x"),
    ("page.url", b"x"),
    ("macro.jar", b"x"),
    ("innocent.txt", b"#!/bin/sh\n"),
    ("innocent.txt", b"\x7fELF\x02"),
    ("innocent.txt", b"MZ\x90"),
    ("innocent.txt", b"\n[Desktop Entry]\nExec=sh\n"),
]


@pytest.mark.parametrize(("name", "data"), PROGRAMS)
def test_programs_are_never_opened(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ToolError, match="program"):
        prepared(built_in("open_file"), tmp_path, path=name)


def test_programs_and_missing_files_are_not_opened(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "a.txt").chmod(0o755)
    (tmp_path / "Some.app").mkdir()
    (tmp_path / "link").symlink_to("a.txt")
    for name, part in (("a.txt", "run as a program"), ("Some.app", "program"), ("no", "nothing")):
        with pytest.raises(ToolError, match=part):
            prepared(built_in("open_file"), tmp_path, path=name)
    with pytest.raises(ToolError, match="link"):
        prepared(built_in("open_file"), tmp_path, path="link")


BROWSED = "opens in the browser, which can use the network and run what is in the file"
ACTIVE = "its application can use the network or run what is in the file"


@pytest.mark.security(99)
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("page.html", b"x", BROWSED),
        ("PAGE.HTM", b"", BROWSED),
        ("picture.svg", b"<svg/>", BROWSED),
        ("picture.svgz", b"\x1f\x8b", BROWSED),
        ("page.xhtml", b"x", BROWSED),
        ("page.mhtml", b"x", BROWSED),
        ("feed.xml", b"x", BROWSED),
        ("no ending", b"\xef\xbb\xbf \n<!DOCTYPE html>", BROWSED),
        ("notes.txt", b"hello <script src=//example.org>", BROWSED),
        ("wide", "<html>".encode("utf-16"), BROWSED),
        ("paper.pdf", b"x", ACTIVE),
        ("paper", b"%PDF-1.7", ACTIVE),
        ("letter.docx", b"PK", ACTIVE),
        ("sums.xlsm", b"PK", ACTIVE),
        ("mail.eml", b"x", ACTIVE),
        ("music.m3u", b"http://example.org/", ACTIVE),
        ("notes.txt", b"plain words", None),
        ("picture.png", b"\x89PNG", None),
        ("folder", None, None),
    ],
)
def test_the_card_says_that_a_file_may_reach_the_network_where_it_opens(
    tmp_path: Path, name: str, data: bytes | None, words: str | None
) -> None:
    if data is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(data)
    call = prepared(built_in("open_file"), tmp_path, path=name)
    said = [fact.value for fact in call.facts if fact.label == "Network"]
    assert said == ([] if words is None else [words])


async def test_a_document_that_changed_since_it_was_shown_is_not_opened(tmp_path: Path) -> None:
    screen = FakeScreen()
    (tmp_path / "a.txt").write_text("text")
    call = prepared(built_in("open_file"), tmp_path, path="a.txt")
    (tmp_path / "a.txt").write_text("#!/bin/sh\n")
    assert (await host(screen).run(call)).status == "failed"
    (tmp_path / "a.txt").write_text("other")
    assert "changed since it was shown" in (await host(screen).run(call)).text
    assert screen.opened == []


@tool()
def read_clipboard(desktop: Desktop) -> str:
    """Another tool of that name."""
    return desktop.clipboard_text()


async def test_another_tool_of_that_name_is_not_what_was_shown() -> None:
    call = prepare(read_clipboard, freeze({}), CallPlaces())
    outcome = await host(FakeScreen()).run(call)
    assert "changed since it was shown" in outcome.text


async def test_descriptor_read_by_a_stopped_call_stays_open_until_the_read_ends(
    tmp_path: Path,
) -> None:
    work, found = HeldWork(), list[bytes]()

    def read(target: GuardedPath) -> None:
        work.wait()
        found.append(target.read())

    @tool()
    async def read_slowly(path: GuardedPath, desktop: Desktop) -> str:
        """Read it."""
        del desktop
        await run_in_thread(read, path)
        return "done"

    (tmp_path / "a").write_text("text")
    actions = HostActions(ToolRegistry([read_slowly]), Desktop())
    task = asyncio.create_task(actions.run(prepared(read_slowly, tmp_path, path="a")))
    assert await work.cancel(task)
    assert found == [b"text"]


@tool()
def break_down(desktop: Desktop) -> str:
    """Fail."""
    raise ValueError(str(desktop))


@pytest.mark.expects_log("Running the tool break_down failed")
async def test_a_fault_of_ours_is_one_outcome_too() -> None:
    actions = HostActions(ToolRegistry([break_down]), Desktop())
    outcome = await actions.run(prepare(break_down, freeze({}), CallPlaces()))
    assert (outcome.status, outcome.text) == (
        "crashed", "Error: The tool could not be run because of a fault in Parley.",
    )  # fmt: skip
