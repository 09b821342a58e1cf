"""The first page: three ways by mouse and keyboard, and errors at their fields."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from app.ui.settings.example_card import ExampleCard
from app.ui.settings.first_run import FirstRun, WayCard
from app.ui.settings.model_download_card import ModelDownloadPart
from app.ui.theme import Theme
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.choice_list import ChoicePopup
from app.ui.widgets.fields import FilterField
from app.viewmodels.settings.model_download import DownloadState, ModelDownloadViewModel
from app.viewmodels.settings.models import ModelRow
from app.viewmodels.settings.settings import FirstRunView
from tests.support.announcements import announced, reader_listening
from tests.support.model_downloads import HandHub
from tests.support.signals import emitted
from tests.support.widgets import button_named, child, click, enter_text, label_texts, press

_MODELS = (
    ModelRow("ollama:llama3.2:3b", "Llama 3.2 3B", "Ollama"),
    ModelRow("file:/m.gguf", "Mistral 7B", "LM Studio", size_bytes=4_400_000_000),
)
_FOUND = FirstRunView(_MODELS)
_LOOKING = FirstRunView(is_looking=True)
_NONE_FOUND = FirstRunView()


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> FirstRun:
    widget = FirstRun(theme, ModelDownloadViewModel(HandHub().sources))
    qtbot.addWidget(widget)
    widget.resize(1200, 800)
    widget.show_state(_FOUND)
    widget.show()
    return widget


# What a card keeps free around what it holds.
_CARD_MARGIN_PX = 18


def _field(page: FirstRun, name: str) -> QLineEdit:
    fields: list[QLineEdit] = page.findChildren(QLineEdit)
    return next(field for field in fields if field.accessibleName() == name)


def _choose_provider(page: FirstRun, name: str) -> None:
    menus: list[QMenu] = page.findChildren(QMenu)
    actions = [action for menu in menus for action in menu.actions()]
    next(action for action in actions if action.text() == name).trigger()


def test_nothing_is_chosen_and_no_button_is_filled(page: FirstRun) -> None:
    buttons: list[QPushButton] = page.findChildren(QPushButton)
    assert {button.property("kind") for button in buttons}.isdisjoint({"primary"})
    assert {card.property("card") for card in page.findChildren(WayCard)} == {"plain"}
    assert not button_named(page, "Check and list models").isEnabled()
    assert not button_named(page, "Connect").isEnabled()


def test_what_is_below_each_other_begins_and_ends_alike(page: FirstRun) -> None:
    key = _field(page, "Key")
    chip = next(one for one in page.findChildren(ChoiceChip) if one.accessibleName() >= "Provider")
    assert (chip.height(), chip.width()) == (key.height(), key.width())
    # The fields of two cards beside each other are on one line.
    assert chip.mapTo(page, QPoint()).y() == _field(page, "Address").mapTo(page, QPoint()).y()
    # The words about a download have the card's width, also where their button is long.
    download = child(page, ModelDownloadPart)
    longest = max(download.findChildren(QLabel), key=lambda label: len(label.text()))
    assert longest.width() == download.width()
    for name in ("Open a model file…", "Another address…"):
        button = button_named(page, name)
        card = next(card for card in page.findChildren(WayCard) if card.isAncestorOf(button))
        words = button.fontMetrics().horizontalAdvance(button.text())
        begins = button.mapTo(card, QPoint((button.width() - words) // 2, 0)).x()
        assert abs(begins - _CARD_MARGIN_PX) <= 1


def test_each_found_model_has_its_own_button(page: FirstRun, qtbot: QtBot) -> None:
    assert "LM Studio · 4.4 GB" in label_texts(page)
    with qtbot.waitSignal(page.local_chosen, timeout=20_000) as chosen:
        click(button_named(page, "Use: Mistral 7B"))
    assert chosen.args == ["file:/m.gguf"]


def test_many_models_unfold(page: FirstRun) -> None:
    rows = tuple(ModelRow(f"ollama:m{n}", f"Model {n}", "Ollama") for n in range(9))
    page.show_state(FirstRunView(rows))
    before = "Model 8" in label_texts(page)
    click(button_named(page, "Show 5 more"))
    assert not before
    assert "Model 8" in label_texts(page)


def test_model_that_is_too_large_says_so(page: FirstRun) -> None:
    row = ModelRow("file:/x.gguf", "Huge", "LM Studio", size_bytes=90_000_000_000, fits=False)
    page.show_state(FirstRunView((row,)))
    assert "LM Studio · 90.0 GB · larger than this computer’s memory" in label_texts(page)


def test_without_models_a_file_is_opened_or_looked_for_again(page: FirstRun, qtbot: QtBot) -> None:
    page.show_state(_LOOKING)
    assert "Looking for models…" in label_texts(page)
    page.show_state(_NONE_FOUND)
    with qtbot.waitSignal(page.look_requested, timeout=20_000):
        click(button_named(page, "Refresh"))
    assert button_named(page, "Open a model file…").isEnabled()


def _drag(page: FirstRun, *names: str) -> tuple[bool, list[Path]]:
    """Drag files over the page and let them go: whether it takes them, and what it says."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(name) for name in names])
    said: list[Path] = []
    page.file_chosen.connect(said.append)
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(page.rect().center(), actions, data, buttons, keys)
    entering.ignore()
    page.dragEnterEvent(entering)
    page.dropEvent(QDropEvent(QPointF(page.rect().center()), actions, data, buttons, keys))
    page.file_chosen.disconnect(said.append)
    return entering.isAccepted(), said


def test_model_file_is_dropped_and_nothing_else(page: FirstRun) -> None:
    assert _drag(page, "/tmp/m.GGUF") == (True, [Path("/tmp/m.GGUF")])
    assert _drag(page, "/notes.txt") == (False, [])
    assert _drag(page, "/a.gguf", "/b.gguf") == (False, [])


def test_provider_key_lists_the_models_of_its_provider(page: FirstRun, qtbot: QtBot) -> None:
    _choose_provider(page, "Anthropic")
    assert not button_named(page, "Check and list models").isEnabled()
    assert any("only until Parley closes if there is none" in text for text in label_texts(page))
    enter_text(_field(page, "Key"), "sk-1")
    with qtbot.waitSignal(page.key_given, timeout=20_000) as given:
        click(button_named(page, "Check and list models"))
    assert given.args == ["anthropic", "sk-1"]

    listed = (ModelRow("anthropic:opus", "Opus"), ModelRow("anthropic:haiku", "Haiku"))
    page.show_state(FirstRunView(_MODELS, provider="anthropic", listed=listed))
    assert not button_named(page, "Check and list models").isVisible()
    _choose_provider(page, "Haiku")
    with qtbot.waitSignal(page.local_chosen, timeout=20_000) as chosen:
        click(button_named(page, "Use this model"))
    assert chosen.args == ["anthropic:haiku"]

    # The list is of that provider alone.
    _choose_provider(page, "OpenAI")
    assert button_named(page, "Check and list models").isVisible()
    assert not button_named(page, "Use this model").isVisible()


def test_thousands_of_models_are_searched_and_the_key_needs_no_click(
    page: FirstRun, qtbot: QtBot
) -> None:
    _choose_provider(page, "OpenRouter")
    assert page.focusWidget() is _field(page, "Key")
    listed = tuple(ModelRow(f"openrouter:m/{n}", f"Model {n}") for n in range(5000))
    page.show_state(FirstRunView(_MODELS, provider="openrouter", listed=listed))
    click(next(chip for chip in page.findChildren(ChoiceChip) if "Model" in chip.accessibleName()))
    popup = child(page, ChoicePopup)
    field = child(popup, FilterField)
    assert popup.focusWidget() is field

    enter_text(field, "Model 4711")
    press(field, Qt.Key.Key_Return)
    assert not popup.isVisible()
    with qtbot.waitSignal(page.local_chosen, timeout=20_000) as chosen:
        click(button_named(page, "Use this model"))
    assert chosen.args == ["openrouter:m/4711"]


def test_project_takes_address_and_key(page: FirstRun, qtbot: QtBot) -> None:
    enter_text(_field(page, "Address"), " https://service.example.com ")
    assert not button_named(page, "Connect").isEnabled()
    enter_text(_field(page, "Project key"), "pk_live_1")
    with qtbot.waitSignal(page.hosted_chosen, timeout=20_000) as chosen:
        press(_field(page, "Project key"), Qt.Key.Key_Return)
    assert chosen.args == ["https://service.example.com", "pk_live_1"]


@pytest.mark.parametrize("name", ["Key", "Project key"])
def test_key_is_never_shown(page: FirstRun, name: str) -> None:
    assert _field(page, name).echoMode() is QLineEdit.EchoMode.Password


def test_address_of_a_model_server_leads_to_the_right_card(page: FirstRun, qtbot: QtBot) -> None:
    page.activateWindow()
    words = "This is the address of Ollama on this computer. Choose one of its models."
    with reader_listening():
        page.show_state(FirstRunView(_MODELS, recognised=words, leads_to="model"))
        heard = announced(page)
    assert words in label_texts(page)
    assert words in heard
    marked = [card for card in page.findChildren(WayCard) if card.property("card") == "chosen"]
    assert [card.accessibleName() for card in marked] == ["A model on this computer"]
    first = button_named(page, "Use: Llama 3.2 3B")
    qtbot.waitUntil(first.hasFocus, timeout=20_000)


def test_demo_is_a_quiet_link(page: FirstRun, qtbot: QtBot) -> None:
    demo = button_named(page, "Look around first")
    assert demo.property("kind") == "quiet"
    with qtbot.waitSignal(page.offline_chosen, timeout=20_000):
        click(demo)


def test_errors_stand_at_their_fields(page: FirstRun) -> None:
    wrong = FirstRunView(
        _MODELS,
        model_error="This file cannot be used: it is incomplete.",
        provider_error="OpenAI lists no models for this key.",
        address_error="The address must begin with https://",
    )
    with reader_listening():
        page.show_state(wrong)
        page.show_state(wrong)
        heard = announced(page)
    texts = label_texts(page)
    assert {wrong.model_error, wrong.provider_error, wrong.address_error} <= set(texts)
    assert heard.count(wrong.model_error) == 1
    assert _field(page, "Address").property("wrong") == "true"
    assert _field(page, "Key").accessibleDescription() == wrong.provider_error
    page.show_state(FirstRunView(_MODELS, key_error="Enter the project key."))
    assert wrong.address_error not in label_texts(page)
    assert _field(page, "Project key").property("wrong") == "true"


def test_nothing_can_be_started_twice(page: FirstRun, qtbot: QtBot) -> None:
    enter_text(_field(page, "Address"), "https://service.example.com")
    enter_text(_field(page, "Project key"), "pk_live_1")
    page.show_state(FirstRunView(_MODELS, busy="project"))
    with qtbot.assertNotEmitted(page.hosted_chosen):
        press(_field(page, "Project key"), Qt.Key.Key_Return)
        click(button_named(page, "Connecting…"))
    assert not button_named(page, "Use: Mistral 7B").isEnabled()


def test_keyboard_stays_where_it_is_while_connecting(page: FirstRun, qtbot: QtBot) -> None:
    enter_text(_field(page, "Address"), "https://service.example.com")
    enter_text(_field(page, "Project key"), "pk_live_1")
    page.activateWindow()
    start = button_named(page, "Connect")
    start.setFocus()
    qtbot.waitUntil(start.hasFocus, timeout=20_000)
    page.show_state(FirstRunView(_MODELS, busy="project"))
    assert start.hasFocus()


def test_a_reader_hears_what_is_asked_here(page: FirstRun) -> None:
    interface = QAccessible.queryAccessibleInterface(page)
    # Of other kinds of boxes readers say no name.
    assert interface.role() == QAccessible.Role.Grouping
    assert interface.text(QAccessible.Text.Name) == "How do you want to start?"
    assert not child(page, ExampleCard).findChildren(QPushButton)


def test_small_window_scrolls_instead_of_cutting(page: FirstRun, qtbot: QtBot) -> None:
    page.resize(440, 420)
    connect = button_named(page, "Connect")
    qtbot.waitUntil(lambda: connect.height() >= 30, timeout=20_000)
    assert page.minimumSizeHint().height() < 420
    assert not child(page, ExampleCard).isVisible()


@pytest.mark.anyio
async def test_download_shows_size_and_licence_before_it_starts(theme: Theme, qtbot: QtBot) -> None:
    hub = HandHub()
    download = ModelDownloadViewModel(hub.sources)
    page = FirstRun(theme, download)
    qtbot.addWidget(page)
    page.show()
    offered = emitted(download.changed)
    click(button_named(page, "Suggest a model"))
    await offered
    while download.view.offer is None:
        await emitted(download.changed)
    words = "2.5 GB · licence: apache-2.0 · fits this computer. From maker/model-GGUF."
    assert words in label_texts(page)
    click(button_named(page, "Accept and download"))
    await hub.begun.wait()
    hub.started[0].tell(1_250_000_000)
    assert "1.3 GB of 2.5 GB" in label_texts(page)
    assert child(page, QProgressBar).value() == 500
    click(button_named(page, "Pause"))
    while download.view.state is not DownloadState.PAUSED:
        await emitted(download.changed)
    assert button_named(page, "Resume").isEnabled()
    await download.aclose()
