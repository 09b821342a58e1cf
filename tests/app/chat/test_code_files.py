"""Blocks of code become files, and pages that show what they draw and reach nothing."""

import os
import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from app.chat.code_files import (
    PREVIEW_LIMIT_BYTES,
    PreviewKind,
    preview_kind,
    preview_page,
    suggested_name,
    write_code,
    write_preview,
)
from app.common.error_messages import ErrorCode
from app.common.errors import UserFacingError
from app.paths import resources

_HOSTILE = """<meta http-equiv="refresh" content="0;url=http://evil.example/a">
<LINK rel="preconnect" href="http://evil.example"><link/rel=dns-prefetch href=//evil.example>
<base href="http://evil.example/"><script>fetch("http://evil.example/b")</script>
<img src="http://evil.example/c.png" onerror="alert(1)"></iframe><script>parent.x = 1</script>
<form action="http://evil.example/d"><input name="a"></form>"""


class _Page(HTMLParser):
    """Reads which elements a page has; what a frame holds is in `frames`."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def _page(kind: PreviewKind, code: str, script: str = "") -> _Page:
    return _Page(preview_page(kind, code, script, title="Preview", words="No <b>network</b>"))


def _policy(page: _Page) -> str:
    (policy,) = [
        meta["content"]
        for meta in page.all("meta")
        if meta.get("http-equiv") == "Content-Security-Policy"
    ]
    return policy or ""


@pytest.mark.parametrize(
    ("language", "code", "kind"),
    [
        ("html", "<p>", "html"),
        ("SVG", "<svg/>", "svg"),
        ("xml", "<?xml version='1.0'?>\n<svg xmlns='…'/>", "svg"),
        ("xml", "<note/>", None),
        ("mermaid", "graph TD", "mermaid"),
        ("python", "print()", None),
        ("", "<svg>", "svg"),
    ],
)
def test_languages_that_can_be_rendered_offer_a_preview(
    language: str, code: str, kind: PreviewKind | None
) -> None:
    assert preview_kind(language, code) == kind


@pytest.mark.security(150)
@pytest.mark.parametrize("kind", ["html", "svg", "mermaid"])
def test_page_of_a_hostile_block_has_nothing_that_reaches_out(kind: PreviewKind) -> None:
    page = _page(kind, _HOSTILE, "var mermaid = 1; '</script>';")
    policy = _policy(page)
    assert policy.startswith("default-src 'none'; ")
    assert "http" not in policy
    assert "unsafe-eval" not in policy
    assert not page.all("script")
    assert not page.all("link")
    assert not page.all("form")
    assert not page.all("b")
    assert [tag for tag, _ in page.elements if tag == "iframe"] == (
        [] if kind == "svg" else ["iframe"]
    )
    for image in page.all("img"):
        assert (image["src"] or "").startswith("data:image/svg+xml;base64,")


@pytest.mark.security(150)
def test_frame_of_html_runs_nothing_and_has_no_element_that_connects_by_itself() -> None:
    (frame,) = _page("html", _HOSTILE).all("iframe")
    assert frame["sandbox"] == ""
    inner = _Page(unescape(frame["srcdoc"] or ""))
    assert not {"meta", "link", "base"} & {tag for tag, _ in inner.elements}


@pytest.mark.security(150)
def test_frame_of_a_diagram_runs_mermaid_alone_whatever_the_source_says() -> None:
    page = _page("mermaid", _HOSTILE, "var mermaid = {};")
    (frame,) = page.all("iframe")
    assert frame["sandbox"] == "allow-scripts"
    inner = _Page(frame["srcdoc"] or "")
    assert [tag for tag, _ in inner.elements] == ["meta", "pre", "div", "script", "script"]
    assert len(re.findall("'sha256-[^']+'", _policy(page))) == 2
    assert "script-src 'sha256-" in _policy(page)


def test_preview_is_one_file_for_its_owner_and_old_ones_go(tmp_path: Path) -> None:
    folder = tmp_path / "previews"
    given = {"title": "Preview", "words": "Offline"}
    old = write_preview(folder, resources() / "mermaid", "svg", "<svg/>", **given)
    os.utime(old, (0, 0))
    made = write_preview(folder, resources() / "mermaid", "mermaid", "graph TD; A-->B", **given)
    assert [path.name for path in folder.iterdir()] == [made.name]
    assert made.stat().st_mode & 0o077 == 0
    assert folder.stat().st_mode & 0o077 == 0
    assert made.stat().st_size > 3_000_000


def test_megabyte_is_shown_and_more_than_four_are_refused(tmp_path: Path) -> None:
    given = {"title": "Preview", "words": "Offline"}
    made = write_preview(tmp_path, tmp_path, "html", "<p>é" * 250_000, **given)
    assert made.read_text(encoding="utf-8").count("&lt;p&gt;é") == 250_000
    with pytest.raises(UserFacingError) as caught:
        write_preview(tmp_path, tmp_path, "html", "a" * (PREVIEW_LIMIT_BYTES + 1), **given)
    assert caught.value.reason == ErrorCode.PREVIEW_TOO_LARGE


@pytest.mark.parametrize(
    ("language", "name"),
    [
        ("python", "code.py"),
        ("Rust", "code.rs"),
        ("json", "code.json"),
        ("", "code.txt"),
        ("../../etc", "code.txt"),
        ("c++", "code.cpp"),
    ],
)
def test_language_names_the_file(language: str, name: str) -> None:
    assert suggested_name(language) == name


def test_code_is_saved_with_a_last_line_end_or_refused_with_a_reason(tmp_path: Path) -> None:
    write_code(tmp_path / "code.py", "print()")
    assert (tmp_path / "code.py").read_text() == "print()\n"
    with pytest.raises(UserFacingError) as caught:
        write_code(tmp_path / "missing" / "code.py", "print()")
    assert caught.value.reason == ErrorCode.FILE_NOT_WRITTEN
