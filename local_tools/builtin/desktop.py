"""Host actions (tools that run in the program itself): the clipboard, and opening files."""

from typing import Annotated, Final

from local_tools.errors import ToolError
from local_tools.threads import run_in_thread
from local_tools.tool import IN_PREVIEW, Desktop, Fact, FactKind, GuardedPath, Input, Preview, tool
from local_tools.translation_marks import QT_TRANSLATE_NOOP

# Names whose application is the system itself: to open them is to run them.
_RUNS_BY_NAME: Final = frozenset(
    (
        *("action", "apk", "app", "appimage", "applescript", "appref-ms", "bash", "bat", "bin"),
        *("chm", "class", "cmd", "com", "command", "cpl", "csh", "deb", "desktop", "dmg", "elf"),
        *("exe", "fish", "flatpak", "flatpakref", "gadget", "hta", "inf", "jar", "jnlp", "js"),
        *("jse", "ksh", "lnk", "lua", "mobileconfig", "msc", "msi", "msp", "mst", "out", "php"),
        *("pif", "pkg", "pl", "ps1", "psm1", "py", "pyc", "pyw", "pyz", "rb", "reg", "rpm", "run"),
        *("scf", "scpt", "scptd", "scr", "service", "settingcontent-ms", "sh", "snap", "so"),
        *("terminal", "tool", "url", "vb", "vbe", "vbs", "webloc", "workflow", "ws", "wsf", "wsh"),
        *("xll", "zsh"),
    )
)
_RUNS_BY_CONTENT: Final = (
    b"#!",
    b"\x7fELF",
    b"MZ",
    b"\xfe\xed\xfa",
    b"\xcf\xfa\xed\xfe",
    b"\xce\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"[Desktop Entry]",
)
# What a browser shows, and runs: by name, and by how it begins where the name says nothing.
_BROWSED_BY_NAME: Final = frozenset(
    (
        *("htm", "html", "mht", "mhtml", "shtml", "xht", "xhtml", "maff", "webarchive"),
        *("svg", "svgz", "xml", "xsl", "xslt", "rss", "atom", "swf"),
    )
)
_BROWSED_BY_CONTENT: Final = (
    b"<!doctype",
    b"<html",
    b"<head",
    b"<body",
    b"<svg",
    b"<?xml",
    b"<!--",
)
_SCRIPTED: Final = (b"<script", b"<html", b"<svg", b"<iframe", b"<meta")
# Documents that can name pictures, templates or streams elsewhere, or hold macros.
_ACTIVE_BY_NAME: Final = frozenset(
    (
        *("pdf", "ps", "eps", "epub", "rtf", "ipynb", "eml", "msg", "mbox", "ics", "torrent"),
        *("doc", "docm", "docx", "dot", "dotm", "dotx", "xls", "xlsb", "xlsm", "xlsx", "xltm"),
        *("ppt", "pptm", "pptx", "ppsm", "ppsx", "odt", "ods", "odp", "odg", "fodt", "ott"),
        *("m3u", "m3u8", "pls", "xspf", "asx", "wpl", "rdp", "blend", "kml", "kmz"),
    )
)
_ACTIVE_BY_CONTENT: Final = (b"%PDF", b"{\\rtf", b"\xd0\xcf\x11\xe0", b"#EXTM3U")
_NETWORK: Final = QT_TRANSLATE_NOOP("Tools", "Network")
_BROWSED: Final = Fact(
    _NETWORK,
    QT_TRANSLATE_NOOP(
        "Tools", "opens in the browser, which can use the network and run what is in the file"
    ),
    FactKind.REMARK,
)
_ACTIVE: Final = Fact(
    _NETWORK,
    QT_TRANSLATE_NOOP("Tools", "its application can use the network or run what is in the file"),
    FactKind.REMARK,
)


@tool(
    read_only=True,
    destructive=False,
    open_world=False,
    timeout_s=10,
    title="Read clipboard",
    shows_result=True,
    question="Let the assistant read your clipboard?",
)
def read_clipboard(desktop: Desktop) -> str:
    """Read the text that the user copied last.

    It can contain anything, including passwords, so use it only when the user refers to it.
    """
    text = desktop.clipboard_text()
    return text or "The clipboard holds no text."


@tool(
    read_only=False,
    destructive=True,
    open_world=False,
    timeout_s=10,
    title="Copy to clipboard",
    question="Replace what is on your clipboard?",
)
def write_clipboard(
    text: Annotated[
        str, IN_PREVIEW, Input(min_length=1, title=QT_TRANSLATE_NOOP("Tools", "Text to copy"))
    ],
    desktop: Desktop,
) -> str:
    """Copy text to the user's clipboard, replacing what is there.

    Args:
        text: What to copy.
        desktop: Whose clipboard.
    """
    desktop.set_clipboard_text(text)
    return f"Copied {len(text):,} characters."


@write_clipboard.preview
def _preview_copy(text: str) -> Preview:
    if "\0" in text:
        raise ToolError("The text contains a NUL character, which no clipboard takes.")
    return Preview("text", text)


@tool(
    read_only=False,
    destructive=False,
    open_world=True,
    timeout_s=20,
    title="Open file",
    question="Open a file or folder on this computer?",
    returns_names=True,
)
async def open_file(path: GuardedPath, desktop: Desktop) -> str:
    """Open a document or folder for the user in its default application.

    Programs, scripts and links to programs are never opened.

    Args:
        path: The file or folder, relative to the chat's folder, absolute, or beginning with ~/.
        desktop: Where it opens.
    """
    await run_in_thread(_refuse_programs, path)
    await run_in_thread(path.check)
    desktop.open_path(path.absolute)
    return f"Opened {path}."


@open_file.preview
def _check_open(path: GuardedPath) -> None:
    _refuse_programs(path)


@open_file.remark
def _remark_on_kind(path: GuardedPath) -> Fact | None:
    if path.expected.kind != "file":
        return None
    name, begins = path.absolute.name.casefold(), path.beginning()
    ending = name.rpartition(".")[2] if "." in name else ""
    text = begins.removeprefix(b"\xef\xbb\xbf").replace(b"\0", b"").lstrip().lower()
    is_markup = text.startswith(_BROWSED_BY_CONTENT) or any(sign in text for sign in _SCRIPTED)
    if ending in _BROWSED_BY_NAME or is_markup:
        return _BROWSED
    is_active = ending in _ACTIVE_BY_NAME or begins.startswith(_ACTIVE_BY_CONTENT)
    return _ACTIVE if is_active else None


def _refuse_programs(path: GuardedPath) -> None:
    if path.expected.kind == "absent":
        raise ToolError(f"There is nothing at {path}.")
    name = path.absolute.name.casefold().rstrip(". ")
    # A folder may be a program, too: on macOS one whose name ends in .app.
    if name.rpartition(".")[2] in _RUNS_BY_NAME:
        raise ToolError(f"{path} is a program or leads to one, and those are not opened.")
    if path.expected.kind == "file" and _is_program(path):
        raise ToolError(f"{path} can be run as a program, and those are not opened.")


def _is_program(path: GuardedPath) -> bool:
    return path.is_marked_as_program() or path.beginning().lstrip().startswith(_RUNS_BY_CONTENT)
