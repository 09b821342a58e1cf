"""The header and the notice above the chat, and what holds for every part of the window."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.chat.conversation_rows import ConversationRow
from app.common.error_messages import ErrorCode, ErrorMessage, explain
from app.common.errors import UserFacingError
from app.paths import resources
from app.ui.chat_header import ChatHeader
from app.ui.composer.agent_picker import AgentPicker
from app.ui.composer.instructions_dialog import InstructionsDialog
from app.ui.help.help_page import HelpPage
from app.ui.link_dialog import LinkDialog
from app.ui.notice_bar import NoticeBar
from app.ui.settings.first_run import FirstRun
from app.ui.settings.settings_page import SettingsPage
from app.ui.sidebar.sidebar import Sidebar
from app.ui.skills_panel import SkillsPanel
from app.ui.theme import Theme
from app.ui.widgets.labels import one_line
from app.viewmodels.chat.catalog import AgentRow
from app.viewmodels.help import Manual
from app.viewmodels.rows import RowsModel
from app.viewmodels.settings.model_download import ModelDownloadViewModel
from app.viewmodels.states import BannerView, Dot
from tests.support.diagnostics import about_section
from tests.support.markup import MARKUP
from tests.support.model_downloads import HandHub
from tests.support.widgets import button_named, click, label_texts


def _nothing() -> RowsModel[AgentRow]:
    return RowsModel(lambda row: row.display_name)


def _no_chats() -> RowsModel[ConversationRow]:
    return RowsModel(lambda row: row.title)


_PARTS: dict[str, Callable[[Theme], QWidget]] = {
    "agent picker": lambda theme: AgentPicker(_nothing(), _nothing(), theme),
    "header": ChatHeader,
    "first run": lambda theme: FirstRun(theme, ModelDownloadViewModel(HandHub().sources)),
    "instructions": InstructionsDialog,
    "link dialog": LinkDialog,
    "manual": lambda theme: HelpPage(theme, Manual(resources() / "manual", "en")),
    "notice": NoticeBar,
    "settings": lambda theme: SettingsPage(theme, [about_section(theme)]),
    "sidebar": lambda theme: Sidebar(_no_chats(), theme),
    "skills": lambda theme: SkillsPanel(_nothing(), theme),
}
_CONTROLS = (QAbstractButton, QLineEdit, QPlainTextEdit, QAbstractItemView, QMenu)


@pytest.mark.parametrize("name", _PARTS)
def test_every_control_has_a_name(name: str, theme: Theme, qtbot: QtBot) -> None:
    part = _PARTS[name](theme)
    qtbot.addWidget(part)
    if isinstance(part, NoticeBar):
        part.show_banner(BannerView(Dot.BAD, ErrorMessage("Words."), "retry"))
    controls = [widget for widget in part.findChildren(QWidget) if isinstance(widget, _CONTROLS)]

    assert controls
    assert [control for control in controls if not control.accessibleName()] == []


@pytest.mark.parametrize("name", _PARTS)
def test_every_control_can_be_reached_by_tab(name: str, theme: Theme, qtbot: QtBot) -> None:
    part = _PARTS[name](theme)
    qtbot.addWidget(part)
    controls = [
        widget
        for widget in part.findChildren(QWidget)
        if isinstance(widget, _CONTROLS) and not isinstance(widget, QMenu)
    ]

    assert [control for control in controls if not _takes_tab(control)] == []


@pytest.mark.parametrize("name", _PARTS)
def test_enter_triggers_no_default_button(name: str, theme: Theme, qtbot: QtBot) -> None:
    part = _PARTS[name](theme)
    qtbot.addWidget(part)

    buttons: list[QPushButton] = part.findChildren(QPushButton)
    assert not [button for button in buttons if button.isDefault() or button.autoDefault()]


@pytest.mark.security(5)
@pytest.mark.parametrize("name", _PARTS)
def test_every_label_draws_plain_text(name: str, theme: Theme, qtbot: QtBot) -> None:
    part = _PARTS[name](theme)
    qtbot.addWidget(part)

    labels: list[QLabel] = part.findChildren(QLabel)
    assert {label.textFormat().name for label in labels} <= {"PlainText"}


def test_scroll_areas_are_no_stops_of_their_own(theme: Theme, qtbot: QtBot) -> None:
    for name in ("first run", "settings"):
        part = _PARTS[name](theme)
        qtbot.addWidget(part)
        areas: list[QAbstractScrollArea] = part.findChildren(QScrollArea)
        assert areas
        assert not [area for area in areas if _takes_tab(area)]


def test_header_shows_the_title_and_switches_the_panel(theme: Theme, qtbot: QtBot) -> None:
    header = ChatHeader(theme)
    qtbot.addWidget(header)
    header.resize(600, 51)
    header.show_title("Tidy the\nrelease notes\u202e")
    header.show_panel(is_open=True)
    header.show()
    assert label_texts(header) == {"Tidy the release notes‹U+202E›"}

    with qtbot.waitSignal(header.panel_toggled, timeout=20_000) as toggled:
        click(button_named(header, "Hide right panel"))
    header.show_panel(is_open=False)

    assert toggled.args == [False]
    with qtbot.waitSignal(header.panel_toggled, timeout=20_000) as toggled:
        click(button_named(header, "Show right panel"))
    assert toggled.args == [True]


def test_header_leads_to_the_sidebar_only_while_that_is_away(theme: Theme, qtbot: QtBot) -> None:
    header = ChatHeader(theme)
    qtbot.addWidget(header)
    header.show()
    sidebar = button_named(header, "Show chat list")
    assert not sidebar.isVisible()

    header.show_sidebar(is_open=False)
    with qtbot.waitSignal(header.sidebar_requested, timeout=20_000):
        click(sidebar)


def test_long_title_does_not_widen_the_window(theme: Theme, qtbot: QtBot) -> None:
    header = ChatHeader(theme)
    qtbot.addWidget(header)
    header.show_title("word " * 400)

    assert header.minimumSizeHint().width() < 200


def test_notice_offers_what_can_be_done(theme: Theme, qtbot: QtBot) -> None:
    bar = NoticeBar(theme)
    qtbot.addWidget(bar)
    bar.show_banner(BannerView(Dot.BAD, ErrorMessage("The service keeps stopping."), "retry"))
    assert label_texts(bar) == {"The service keeps stopping."}
    with qtbot.waitSignal(bar.retry_requested, timeout=20_000):
        click(button_named(bar, "Try again"))

    bar.show_banner(BannerView(Dot.WARN, ErrorMessage("There is no key."), "settings"))
    with qtbot.waitSignal(bar.settings_requested, timeout=20_000):
        click(button_named(bar, "Open settings"))

    newer = BannerView(Dot.GOOD, ErrorMessage("Version 0.2.0 is available."), "updates")
    bar.show_banner(newer)
    with qtbot.waitSignal(bar.updates_requested, timeout=20_000):
        click(button_named(bar, "Show update"))
    with qtbot.waitSignal(bar.dismissed, timeout=20_000) as dismissed:
        click(button_named(bar, "Dismiss"))
    assert dismissed.args == [newer]

    bar.show_banner(BannerView(Dot.WARN, ErrorMessage("Starting again.")))
    assert not any(button.isVisible() for button in bar.findChildren(QPushButton))
    bar.show_banner(None)
    assert not bar.isVisible()


def test_notice_leads_to_the_log_where_that_has_more_to_tell(theme: Theme, qtbot: QtBot) -> None:
    bar = NoticeBar(theme)
    qtbot.addWidget(bar)
    bar.show_banner(BannerView(Dot.BAD, explain(UserFacingError(ErrorCode.UNEXPECTED)), "retry"))

    assert button_named(bar, "Try again").isVisible()
    with qtbot.waitSignal(bar.details_requested, timeout=20_000):
        click(button_named(bar, "Details"))

    bar.show_banner(BannerView(Dot.BAD, explain(UserFacingError(ErrorCode.CONNECT_DNS)), "retry"))
    assert not button_named(bar, "Details").isVisible()


@pytest.mark.security(5)
def test_notice_shows_what_the_service_said_as_text(theme: Theme, qtbot: QtBot) -> None:
    bar = NoticeBar(theme)
    qtbot.addWidget(bar)

    for text in MARKUP:
        words = ErrorMessage("It said: {message}", {"message": text})
        bar.show_banner(BannerView(Dot.BAD, words))
        assert label_texts(bar) == {one_line(f"It said: {text}")}


def _takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy().value & 1)
