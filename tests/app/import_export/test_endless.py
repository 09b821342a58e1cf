"""Files that go on without end are given up before they are in memory."""

from pathlib import Path
from threading import Event

import pytest

from app.import_export import sources
from app.import_export.json_stream import DamagedJson, raw_chats
from app.import_export.sources import CutShortError, opened_sources

_LIMIT_BYTES = 256 * 1024


@pytest.mark.security(31)
@pytest.mark.parametrize(
    ("beginning", "more"),
    [('["', "a"), ('["', '\\"'), ('["x', '\\"'), ("[", "9"), ('{"', "k"), ("", "[")],
)
def test_a_text_or_number_without_end_is_not_held_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beginning: str, more: str
) -> None:
    monkeypatch.setattr(sources, "TOKEN_LIMIT_BYTES", _LIMIT_BYTES)
    path = tmp_path / "a.json"
    path.write_text(beginning + more * 1_000_000, encoding="utf-8")

    with opened_sources(path, Event()) as files:
        (file,) = files
        with pytest.raises((DamagedJson, CutShortError)):
            list(raw_chats(file))
        assert file.count_bytes <= 2 * _LIMIT_BYTES
