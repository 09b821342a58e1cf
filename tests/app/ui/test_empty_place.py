"""What stands where there is nothing yet, and what says that something was done."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.empty_place import EmptyDrawing, EmptyPlace
from app.ui.widgets.fields import LineEdit
from app.ui.widgets.focus_ring import note_input
from app.ui.widgets.toast import Toast
from tests.support.widgets import button_named, child, click, label_texts


def test_empty_place_has_one_sentence_a_drawing_and_one_thing_to_do(
    theme: Theme, qtbot: QtBot
) -> None:
    place, acted = EmptyPlace(theme, "search"), list[bool]()
    qtbot.addWidget(place)
    place.acted.connect(lambda: acted.append(True))
    place.show_words("No chats yet", "Your chats appear here.", "Start a chat")
    place.resize(280, 400)
    place.show()

    assert {"No chats yet", "Your chats appear here."} <= label_texts(place)
    assert child(place, EmptyDrawing).isVisible()
    click(button_named(place, "Start a chat"))
    assert acted == [True]

    place.resize(280, 130)
    assert not child(place, EmptyDrawing).isVisible()
    assert button_named(place, "Start a chat").isVisible()

    place.show_words("Nothing", "")
    assert not any(button.isVisible() for button in place.findChildren(QPushButton))


def test_toast_offers_to_take_back_and_goes_by_itself_unless_the_keyboard_is_on_it(
    theme: Theme, qtbot: QtBot
) -> None:
    page, undone = QWidget(), list[bool]()
    qtbot.addWidget(page)
    page.resize(600, 400)
    # Without it nothing has the keyboard.
    with qtbot.waitActive(page):
        page.show()
    toast = Toast(theme, page, stays_ms=1)

    toast.show_words("Theme changed", "Undo", lambda: undone.append(True), "Undo: theme")
    assert page.rect().contains(toast.geometry())
    words = next(one for one in toast.findChildren(QLabel) if one.text() == "Theme changed")
    assert words.width() >= words.sizeHint().width()
    undo = button_named(toast, "Undo: theme")
    assert undo.text() == "Undo"
    undo.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    assert toast.isVisible()
    click(undo)
    assert undone == [True]
    assert not toast.isVisible()

    toast.show_words("Theme changed", "Undo", lambda: undone.append(True))
    qtbot.waitUntil(lambda: not toast.isVisible(), timeout=20_000)
    assert undone == [True]


def test_toast_stands_above_what_is_at_the_foot_of_its_page(theme: Theme, qtbot: QtBot) -> None:
    page, foot = QWidget(), QWidget()
    qtbot.addWidget(page)
    foot.setParent(page)
    page.resize(900, 600)
    foot.setGeometry(300, 500, 600, 100)
    toast = Toast(theme, page, (foot,))
    page.show()

    toast.show_words("1 chat imported.")
    assert not toast.geometry().intersects(foot.geometry())
    assert abs(toast.geometry().center().x() - foot.geometry().center().x()) <= 1

    foot.setGeometry(300, 400, 600, 200)
    assert not toast.geometry().intersects(foot.geometry())
    foot.hide()
    assert toast.geometry().bottom() > 500


def test_placeholder_begins_beside_the_caret(theme: Theme, qtbot: QtBot) -> None:
    line = LineEdit()
    qtbot.addWidget(line)
    line.setFont(theme.font("secondary"))
    line.setPlaceholderText("|" * 4)
    line.resize(200, 32)
    image = line.grab().toImage()

    caret = line.cursorRect()
    # The caret is drawn in the middle of its rectangle.
    column = caret.center().x()
    clear = image.pixelColor(column, 4)
    rows = range(caret.top() + 2, caret.bottom() - 2)
    assert all(image.pixelColor(column, y) == clear for y in rows)


def test_ring_is_drawn_only_while_the_keyboard_is_used(theme: Theme, qtbot: QtBot) -> None:
    button = push_button("Save", "secondary", theme)
    qtbot.addWidget(button)
    with qtbot.waitExposed(button):
        button.show()
    button.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus, timeout=20_000)

    note_input(is_keyboard=False)
    plain = button.grab().toImage()
    note_input(is_keyboard=True)
    ringed = button.grab().toImage()
    note_input(is_keyboard=False)

    assert plain != ringed
    assert button.grab().toImage() == plain
