"""The index page of the pictures of the window."""

import re
from pathlib import Path

from contact_sheet import index_page


def test_pictures_of_one_page_stand_beside_each_other(tmp_path: Path) -> None:
    names = ("de-100/settings-dark.png", "en-100/first-run-light.png", "en-100/settings-light.png")

    page = index_page(tmp_path, [tmp_path / name for name in names])

    assert re.findall('<h2>(.*?)</h2>|<img[^>]* src="(.*?)">', page) == [
        ("first-run", ""),
        ("", names[1]),
        ("settings", ""),
        ("", names[0]),
        ("", names[2]),
    ]


def test_name_of_a_picture_is_no_markup(tmp_path: Path) -> None:
    assert "<b>" not in index_page(tmp_path, [tmp_path / "en-100" / "<b>-light.png"])
