"""`dev.py map`: what is counted of a small code base."""

from pathlib import Path

import code_map
import pytest

SOURCES = {
    "app/main.py": "from app.chat.turn import Turn\n",
    "app/chat/__init__.py": "",
    "app/chat/turn.py": "class Turn:\n    pass\n",
    "local_tools/turn.py": "class Turn:\n    pass\n\n\nclass _Hidden:\n    pass\n",
    "local_server/one.py": "import local_server.two\n",
    "local_server/two.py": "from local_server import three\n",
    "local_server/three.py": "from local_server.one import x\n",
    "local_server/four.py": "from local_server.one import x\n",
    "tests/test_turn.py": "class Turn:\n    pass\n",
}


@pytest.fixture
def counted(tmp_path: Path) -> dict[str, code_map.Row]:
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return {row.what: row for row in code_map.rows(tmp_path)}


def test_files_without_content_and_tests_are_no_product_files(
    counted: dict[str, code_map.Row],
) -> None:
    assert counted["product files"].amount == 7
    assert counted["product lines"].amount == 13
    assert counted["test files"].amount == 1


def test_names_are_counted_once_for_all_their_places(counted: dict[str, code_map.Row]) -> None:
    assert counted["class names used twice"][1:] == (1, "Turn 2")
    assert counted["module names used twice"][1:] == (1, "turn 2")


def test_a_module_outside_a_circle_of_imports_is_no_part_of_it(
    counted: dict[str, code_map.Row],
) -> None:
    circle = "local_server.one, local_server.three, local_server.two"
    assert counted["circles of imports"][1:] == (1, circle)


def test_the_largest_folder_is_named(counted: dict[str, code_map.Row]) -> None:
    assert counted["files in the largest folder"][1:] == (4, "local_server")
    assert counted["modules in app beside its packages"][1:] == (1, "main")
