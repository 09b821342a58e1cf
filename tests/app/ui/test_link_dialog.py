"""The question before a link opens: the whole address, and no way to open it by accident."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.ui.link_dialog import LinkDialog
from app.ui.theme import Theme
from tests.support.markup import CLOSED_SCHEMES
from tests.support.widgets import button_named, child, click, label_texts, press


@pytest.fixture
def dialog(theme: Theme, qtbot: QtBot) -> Iterator[LinkDialog]:
    widget = LinkDialog(theme)
    qtbot.addWidget(widget)
    yield widget
    widget.close()


def _shown(dialog: LinkDialog) -> str:
    return child(dialog, QPlainTextEdit).toPlainText()


def test_address_is_shown_whole_and_opened_only_by_its_button(
    dialog: LinkDialog, qtbot: QtBot
) -> None:
    address = "https://example.org/a/long/path?with=" + "x" * 300
    dialog.ask(address)

    assert _shown(dialog) == address
    assert "Open a page on example.org?" in label_texts(dialog)
    with qtbot.waitSignal(dialog.confirmed, timeout=20_000) as confirmed:
        click(button_named(dialog, "Open"))
    assert confirmed.args == [address]
    assert not dialog.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_opens_nothing_but_on_the_button_that_does(
    dialog: LinkDialog, qtbot: QtBot, key: Qt.Key
) -> None:
    dialog.ask("https://example.org")
    places = [dialog, child(dialog, QPlainTextEdit)]
    places += [button_named(dialog, name) for name in ("Copy address", "Cancel")]

    for place in places:
        with qtbot.assertNotEmitted(dialog.confirmed):
            press(place, key)

    dialog.ask("https://example.org")
    with qtbot.waitSignal(dialog.confirmed, timeout=20_000):
        press(button_named(dialog, "Open"), key)


def test_escape_and_cancel_open_nothing(dialog: LinkDialog, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(dialog.confirmed):
        dialog.ask("https://example.org")
        press(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
        dialog.ask("https://example.org")
        click(button_named(dialog, "Cancel"))
        assert not dialog.isVisible()


def test_copy_puts_the_address_on_the_clipboard_and_opens_nothing(
    dialog: LinkDialog, qtbot: QtBot
) -> None:
    dialog.ask("https://example.org/a%20b")

    with qtbot.assertNotEmitted(dialog.confirmed):
        click(button_named(dialog, "Copy address"))

    assert QGuiApplication.clipboard().text() == "https://example.org/a%20b"


def test_letters_that_look_like_others_are_distinguished(dialog: LinkDialog) -> None:
    dialog.ask("https://www.\u0430pple.com/login")

    assert "xn--" in _shown(dialog)
    assert any("xn--" in text for text in label_texts(dialog))
    assert any("look-alike letters" in text for text in label_texts(dialog))


def test_name_before_the_host_does_not_pass_for_it(dialog: LinkDialog) -> None:
    dialog.ask("https://good.example.com@bad.example.org/")

    assert "Open a page on bad.example.org?" in label_texts(dialog)
    assert any("before the @" in text for text in label_texts(dialog))


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,<b>x</b>",
        "ssh://host",
        "/etc/passwd",
        "not an address",
        "https://example.org/a b",
        "",
    ],
)
def test_only_pages_and_mail_can_be_opened(dialog: LinkDialog, qtbot: QtBot, address: str) -> None:
    dialog.ask(address)

    assert not button_named(dialog, "Open").isEnabled()
    assert any("only" in text for text in label_texts(dialog))
    with qtbot.assertNotEmitted(dialog.confirmed):
        click(button_named(dialog, "Open"))


def test_hidden_characters_of_an_address_are_shown(dialog: LinkDialog) -> None:
    dialog.ask("https://example.org/\u202egpj.exe")

    assert "\u202e" not in _shown(dialog)


def test_two_tricks_are_both_named(dialog: LinkDialog) -> None:
    dialog.ask("https://good.example.com@www.\u0430pple.com/")

    warnings = "".join(label_texts(dialog))
    assert "before the @" in warnings
    assert "look-alike letters" in warnings


def test_second_link_starts_afresh(dialog: LinkDialog) -> None:
    dialog.ask("https://user@example.org")
    dialog.ask("https://example.net")

    assert _shown(dialog) == "https://example.net"
    assert not any("before the @" in text for text in label_texts(dialog))


@pytest.mark.security(76)
def test_no_other_scheme_is_opened_whatever_its_words_say(dialog: LinkDialog, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(dialog.confirmed):
        for scheme in CLOSED_SCHEMES:
            for address in (f"{scheme}://host/path", f"{scheme}:path", f"{scheme.upper()}://host"):
                dialog.ask(address, "https://example.org")
                assert not button_named(dialog, "Open").isEnabled(), address
                click(button_named(dialog, "Open"))


@pytest.mark.security(76)
def test_words_that_read_like_another_address_are_named(dialog: LinkDialog) -> None:
    dialog.ask("https://bad.example.org/login", "https://good.example.com/login")

    assert "Open a page on bad.example.org?" in label_texts(dialog)
    warnings = "".join(label_texts(dialog))
    assert "“https://good.example.com/login” differs from its destination" in warnings

    dialog.ask("https://good.example.com/login", "good.example.com")
    assert not any("destination" in text for text in label_texts(dialog))


def test_question_is_as_high_as_its_words(dialog: LinkDialog) -> None:
    dialog.ask("https://user@www.\u0430pple.com/", "www.other.example")
    full = dialog.height()
    dialog.ask("https://example.org")

    assert dialog.height() < full
