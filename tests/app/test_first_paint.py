"""The window is on the screen before what fills it is imported, and looks then as it will."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QApplication, QWidget

from app.paths import Paths, resources
from app.ui.approval.call_card import ApprovalCard
from app.ui.approval.pause_card import PauseCard
from app.ui.approval.release_card import ReleaseCard
from app.ui.approval.rule_card import RuleCard
from app.ui.composer.agent_picker import AgentLists
from app.ui.composer.instructions_dialog import InstructionsDialog
from app.ui.link_dialog import LinkDialog
from app.ui.main_window import MainWindow
from app.ui.panel.activity_page import ActivityPage
from app.ui.panel.tools_page import ToolsPage
from app.ui.settings.settings_page import SettingsPage
from app.ui.startup_skeleton import WindowSkeleton, tokens_like
from tests.support.clipping import settle
from tests.support.window import built_program, has_chosen_offline, running_program

# As much as the screen of a test has; there is no place for the right panel in it.
_SIZE = QSize(790, 560)
_ROOT = Path(__file__).parents[2]
# Ends at the first paint, and prints what was imported by then.
_WATCHING = """
import json, os, sys
from app.ui.startup_skeleton import WindowSkeleton

def tell():
    sys.stdout.write(json.dumps(sorted(sys.modules)))
    sys.stdout.flush()
    os._exit(0)

before = WindowSkeleton.__init__

def watch(ground, *given):
    before(ground, *given)
    ground.painted.connect(tell)

WindowSkeleton.__init__ = watch
from app import main
# However long the paint takes: what is imported after it waits for it.
main._PAINT_TIMEOUT_S = 40.0
main.main(["--data", sys.argv[1]])
"""
_HEAVY = (
    "PySide6.QtNetwork",
    "app.api.client",
    "app.composition",
    "app.config.settings",
    "app.ui.theme",
    "app.ui.workbench",
    "email",
    "httpx",
    "keyring",
    "logging.handlers",
    "markdown_it",
    "psutil",
    "pydantic",
    "pygments",
    "sqlalchemy",
    "tomlkit",
    "tomllib",
    "truststore",
    "PySide6.QtSvg",
)
# Behind the first paint, too: what takes long to import, and few people need.
_SELDOM = (
    "app.ui.settings.about",
    "click",
    "docstring_parser",
    "httpx",
    "httpx2",
    "keyring",
    "local_tools.secrets.values",
    "markdown_it",
    "mcp",
    "mcp_types",
    "psutil",
    "pygments",
    "rich",
    "truststore",
    "tomlkit",
)
_OPENED_LATER = (
    ActivityPage,
    AgentLists,
    ApprovalCard,
    InstructionsDialog,
    LinkDialog,
    PauseCard,
    ReleaseCard,
    RuleCard,
    SettingsPage,
    ToolsPage,
)
_LIGHT = {"local_tools.recovery", "local_tools.recovery.files"}


def test_first_paint_needs_little_of_what_the_program_needs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _WATCHING, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=_ROOT,
        env=dict(os.environ),
    )

    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    assert loaded.isdisjoint(_HEAVY)
    # Of the tools, no more than what puts a damaged file of a window aside.
    assert {name for name in loaded if name.startswith("local_tools.")} <= _LIGHT


def test_window_is_filled_without_what_few_people_need() -> None:
    program = "import json, sys, app.lifecycle; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
        cwd=_ROOT,
    )

    assert done.returncode == 0, done.stderr
    assert set(json.loads(done.stdout)).isdisjoint(_SELDOM)


@pytest.mark.anyio
@pytest.mark.usefixtures("qapp")
async def test_window_is_filled_without_what_is_opened_later(tmp_path: Path) -> None:
    async with built_program(tmp_path) as program:
        # The sidebar, the head, the empty chat and the composer are what a person sees.
        made = program.window.findChildren(QWidget)
        late = [type(widget).__name__ for widget in made if isinstance(widget, _OPENED_LATER)]

    assert late == []


def _columns(window: MainWindow) -> list[tuple[int, str]]:
    """Where the columns begin, and their grounds, a little below the top where nothing stands."""
    window.resize(_SIZE)
    settle()
    image = window.grab().toImage()
    row = [image.pixelColor(QPoint(x, 3)).name() for x in range(window.width())]
    return [(x, color) for x, color in enumerate(row) if x == 0 or color != row[x - 1]]


def _bare(paths: Paths, application: QApplication) -> MainWindow:
    window = MainWindow(paths.window_file)
    themes = resources() / "themes"
    tokens = tokens_like(window.kept_look, application.palette(), themes)
    window.setCentralWidget(WindowSkeleton(tokens, window.kept_widths))
    return window


@pytest.mark.anyio
@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_first_paint_has_the_grounds_of_the_window(
    theme: str, tmp_path: Path, qapp: QApplication
) -> None:
    paths = has_chosen_offline(tmp_path)
    written = paths.settings_file.read_text(encoding="utf-8")
    chosen = written.replace('theme = "system"', f'theme = "{theme}"')
    paths.settings_file.write_text(chosen, encoding="utf-8")
    async with running_program(tmp_path) as person:
        # What is kept is what such a window showed when it was closed.
        person.window.resize(_SIZE)
        settle()
    bare = _bare(paths, qapp)
    at_first = _columns(bare)
    bare.deleteLater()

    async with running_program(tmp_path) as person:
        assert _columns(person.window) == at_first
