"""What the tests' run tells of pages that look different than in the run before."""

from pathlib import Path

from PySide6.QtGui import QColor, QImage, QPainter

from tests.support.picture_changes import note_changes


def _picture(folder: Path, name: str, *, drawn_px: int = 0) -> None:
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.fillRect(0, 0, drawn_px, 20, QColor("black"))
    painter.end()
    folder.mkdir(exist_ok=True)
    assert image.save(str(folder / name))


def test_pages_that_look_different_are_shown_before_and_now(tmp_path: Path) -> None:
    pictures, kept = tmp_path / "pictures", tmp_path / "kept"
    for name in ("chat-light.png", "settings-light.png", "undo-light.png"):
        _picture(pictures, name)
    assert note_changes(pictures, kept) == []

    # A clock, a page that is another, one that always is, and one that is new.
    _picture(pictures, "chat-light.png", drawn_px=30)
    _picture(pictures, "settings-light.png", drawn_px=60)
    _picture(pictures, "undo-light.png", drawn_px=60)
    _picture(pictures, "menu-light.png")
    assert note_changes(pictures, kept) == ["menu-light.png", "settings-light.png"]

    page = (kept / "index.html").read_text(encoding="utf-8")
    assert 'src="before/settings-light.png"' in page
    assert 'src="now/settings-light.png"' in page
    assert "chat-light" not in page
    assert (kept / "before" / "settings-light.png").is_file()


def test_page_of_the_last_change_stays_while_nothing_changes(tmp_path: Path) -> None:
    pictures, kept = tmp_path / "pictures", tmp_path / "kept"
    for drawn_px in (0, 60):
        _picture(pictures, "chat-light.png", drawn_px=drawn_px)
        note_changes(pictures, kept)

    assert note_changes(pictures, kept) == []
    assert "chat-light.png" in (kept / "index.html").read_text(encoding="utf-8")
