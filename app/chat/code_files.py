"""Write code blocks to files: unchanged, or as an HTML page that renders them.

The page is a single file without access to anything else. Its content security policy allows no
network; the block is shown in a sandboxed frame without navigation, scripts of its own, or forms.
SVG is shown as an image; diagrams are drawn by Mermaid's script, which is part of the page.
"""

import base64
import hashlib
import html
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias
from uuid import uuid4

from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from local_tools.recovery.files import write_atomically

PreviewKind: TypeAlias = Literal["html", "mermaid", "svg"]

PREVIEW_LIMIT_BYTES: Final = 4 * 1024 * 1024
# The browser may still show a page, or load it again.
_KEPT_S: Final = 24 * 3600.0
_SCRIPT: Final = "mermaid.min.js"
# Nothing but what the page has in itself.
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; media-src data:;"
    " base-uri 'none'; form-action 'none'"
)
# They could connect to a server, or lead elsewhere, in spite of the policy.
_LEADING_OUT: Final = re.compile("<(?=link|meta|base)", re.IGNORECASE)
_DRAW: Final = """
const place = document.getElementById("place");
mermaid.initialize({startOnLoad: false, securityLevel: "strict", maxTextSize: 1000000});
mermaid.render("diagram", document.getElementById("source").textContent).then(
  ({svg}) => { place.innerHTML = svg; },
  (error) => { place.textContent = String(error.message || error); });
"""
_FRAME: Final = (
    "<style>html,body{{margin:0;height:100%}}body{{display:flex;flex-direction:column;"
    "font:14px system-ui,sans-serif;color:#333;background:#fff}}"
    "p{{margin:0;padding:8px 14px;border-bottom:1px solid #ddd}}"
    "iframe,div{{flex:1;border:0;width:100%;overflow:auto}}"
    "div{{box-sizing:border-box;padding:16px}}</style>"
)
_SUFFIXES: Final = {
    "bash": "sh",
    "c++": "cpp",
    "c#": "cs",
    "csharp": "cs",
    "javascript": "js",
    "kotlin": "kt",
    "markdown": "md",
    "mermaid": "mmd",
    "plaintext": "txt",
    "powershell": "ps1",
    "python": "py",
    "ruby": "rb",
    "rust": "rs",
    "shell": "sh",
    "text": "txt",
    "typescript": "ts",
    "yaml": "yml",
}
_SUFFIX: Final = re.compile("[a-z0-9]{1,8}")


def preview_kind(language: str, code: str) -> PreviewKind | None:
    """Return how a code block can be rendered in the browser; None if it cannot."""
    name = language.strip().lower()
    if name in ("html", "xhtml", "htm"):
        return "html"
    if name == "svg" or (name in ("xml", "") and _is_drawing(code)):
        return "svg"
    return "mermaid" if name in ("mermaid", "mmd") else None


def suggested_name(language: str) -> str:
    """Return a file name for a code block in this language."""
    name = language.strip().lower()
    suffix = _SUFFIXES.get(name, name)
    return f"code.{suffix if _SUFFIX.fullmatch(suffix) else 'txt'}"


def write_code(path: Path, code: str) -> None:
    """Write a code block to a file that the user chose, replacing it.

    Raises:
        UserFacingError: it cannot be written; the old file stays.
    """
    text = code if code.endswith("\n") or not code else f"{code}\n"
    _write(path, text)


def write_preview(
    folder: Path, scripts: Path, kind: PreviewKind, code: str, *, title: str, words: str
) -> Path:
    """Write the page that renders a code block, and delete pages of earlier days.

    Blocking, for a thread.

    Args:
        folder: The folder for the page; created if missing, readable by its owner only.
        scripts: The folder with Mermaid's script.
        kind: How the block is rendered.
        code: The block.
        title: The title of the page.
        words: The text above the block.

    Returns:
        The file.

    Raises:
        UserFacingError: the block is too large, or the page cannot be written.
    """
    if len(code.encode(errors="replace")) > PREVIEW_LIMIT_BYTES:
        raise UserFacingError(ErrorCode.PREVIEW_TOO_LARGE)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _remove_old(folder)
        script = (scripts / _SCRIPT).read_text(encoding="utf-8") if kind == "mermaid" else ""
    except OSError as exc:
        raise UserFacingError(ErrorCode.FILE_NOT_WRITTEN, {"name": folder.name}) from exc
    path = folder / f"preview-{uuid4().hex[:12]}.html"
    _write(path, preview_page(kind, code, script, title=title, words=words))
    return path


def preview_page(kind: PreviewKind, code: str, script: str, *, title: str, words: str) -> str:
    """Return the HTML page that renders a code block.

    Args:
        kind: How the block is rendered.
        code: The block.
        script: Mermaid's, for a diagram.
        title: The title of the page.
        words: The text above the block.
    """
    policy = _POLICY
    if kind == "svg":
        # As an image: browsers run no script and load nothing in one.
        data = base64.b64encode(code.encode(errors="replace")).decode()
        shown = f'<div><img alt="" src="data:image/svg+xml;base64,{data}"></div>'
    elif kind == "html":
        inner = _LEADING_OUT.sub("<x-", code)
        shown = f'<iframe sandbox="" srcdoc="{html.escape(inner)}"></iframe>'
    else:
        # It would end the script element that the text stands in.
        script = script.replace("</script", "<\\/script")
        policy = f"{policy}; script-src {_hash(script)} {_hash(_DRAW)}"
        inner = (
            f'<meta charset="utf-8"><pre id="source" hidden>{html.escape(code)}</pre>'
            f'<div id="place"></div><script>{script}</script><script>{_DRAW}</script>'
        )
        # The page's policy holds in the frame, too: only these two scripts run, and no link leads
        # out of it.
        shown = f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(inner)}"></iframe>'
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">'
        '<meta http-equiv="x-dns-prefetch-control" content="off">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{html.escape(title)}</title>{_FRAME.format()}</head>"
        f"<body><p>{html.escape(words)}</p>{shown}</body></html>\n"
    )


def _is_drawing(code: str) -> bool:
    head = code[:2000].lstrip()
    return head.startswith("<svg") or (head.startswith(("<?xml", "<!")) and "<svg" in head)


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _write(path: Path, text: str) -> None:
    try:
        write_atomically(path, text.encode(errors="replace"))
    except OSError as exc:
        raise UserFacingError(ErrorCode.FILE_NOT_WRITTEN, {"name": path.name}) from exc


def _remove_old(folder: Path) -> None:
    for path in folder.glob("preview-*.html"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _KEPT_S:
                path.unlink()
