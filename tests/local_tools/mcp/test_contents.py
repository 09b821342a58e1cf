"""What a server gives back is text: nothing in it is followed, opened or drawn."""

from types import SimpleNamespace

import pytest

from local_tools.mcp.contents import result_text


def block(kind: str, **parts: object) -> SimpleNamespace:
    return SimpleNamespace(type=kind, **parts)


@pytest.mark.security(50)
def test_links_and_pictures_are_named_and_not_followed() -> None:
    secret = SimpleNamespace(uri="file:///home/u/.ssh/id_rsa", text="what it says is there")
    blob = SimpleNamespace(uri="file:///x", text=None, blob="AAAA", mime_type=None)
    blocks = [
        block("text", text="first"),
        block("resource_link", uri="file:///etc/passwd", name="a" * 100),
        block("resource", resource=secret),
        block("resource", resource=blob),
        block("image", data="A" * 4000, mime_type="image/png"),
        block("video", data="x"),
    ]
    assert result_text(blocks, None).splitlines() == [
        "first",
        f"[link: file:///etc/passwd] {'a' * 80}…",
        "[resource: file:///home/u/.ssh/id_rsa]",
        "what it says is there",
        "[resource: file:///x, unknown kind, 3 bytes]",
        "[image: image/png, 3 kB]",
        "[video: left out]",
    ]


def test_structured_content_stands_for_a_text_that_is_missing() -> None:
    assert result_text([], {"a": 1}) == '{"a":1}'
    assert result_text([block("text", text="one")], {"a": 1}) == "one"
    assert result_text([], None) == "The tool gave back nothing."
