"""Pictures of the window at work: `Screenshots` takes them, `PictureTour` goes everywhere for them.

The scenario takes some on its way, as the README shows them. The tour takes what it does not come
past: lists that open, menus, dialogs, cards, every page of the settings, and empty places.
"""

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QListView,
    QMenu,
    QScrollArea,
    QWidget,
)

from app.chat.items import Action, Notice, ReplyPart, SendState, UserMessage
from app.config.settings import AppearanceSettings, NoticeSettings, ThemeChoice, ToolSettings
from app.paths import resources
from app.self_test.app_under_test import AppUnderTest
from app.self_test.report import CheckFailed, demand_room
from app.self_test.scripted_user import MUCH_TO_SAY, ScriptedUser
from app.self_test.ui_driver import click, find, look_for, press_escape, type_into, until
from app.ui.approval.pause_card import PauseCard
from app.ui.approval.release_card import ReleaseCard
from app.ui.approval.rule_card import RuleCard
from app.ui.composer.agent_picker import AgentPicker
from app.ui.composer.instructions_dialog import InstructionsDialog
from app.ui.link_dialog import LinkDialog
from app.ui.palette.palette import PaletteInput
from app.ui.panel.right_panel import TABS, RightPanel
from app.ui.settings.agent_editor import AgentEditor
from app.ui.settings.section import SettingsSection
from app.ui.settings.settings_page import SettingsPage
from app.ui.sidebar.search_pane import SearchField
from app.ui.startup_error import StartupErrorPage, startup_error_words
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.fields import SearchLineEdit
from app.viewmodels.chat.model_choice import ModelOption

translate = QCoreApplication.translate

_NOWHERE: Final = "qqqq"
_NOTE_ABOUT_SHOP: Final = '# Garden club\n\nThe shop: password = "hunter2!"\nTom has the key.\n'
_THEMES: Final[tuple[ThemeChoice, ...]] = ("light", "dark")
_LOOK_ALIKE: Final = "https://someone@xn--80ak6aa92e.example/a/long/path?and=more"
# Turns of the event loop until a change is laid out: nested layouts take a turn each.
_TURNS: Final = 5
# A little larger, but written in two thirds of the time; no pixel is lost.
_QUICK_TO_PACK: Final = 80
# Further down, a page holds nothing but lists whose length depends on the computer.
_MOST_SCREENS: Final = 6


class Screenshots:
    """Saves pictures to a folder; does nothing without one."""

    def __init__(self, program: AppUnderTest, folder: Path | None) -> None:
        self._program = program
        self._folder = folder
        self._themes = _THEMES
        self._worn: tuple[Theme, ThemeChoice] | None = None

    @property
    def are_kept(self) -> bool:
        """Whether pictures are saved."""
        return self._folder is not None

    async def take(self, name: str) -> None:
        """Save the window as NAME-light.png and NAME-dark.png; leave the second theme on.

        What is open above the window, a menu or a dialog, is in the picture.

        Raises:
            CheckFailed: a picture could not be written.
        """
        if self._folder is None:
            return
        # The theme that is on goes first: each change restyles everything.
        worn = self._worn[1] if self._worn else None
        for choice in sorted(self._themes, key=lambda theme: theme != worn):
            await self._wear(choice)
            for _turn in range(_TURNS):
                await asyncio.sleep(0)
            for view in self._program.now.window.findChildren(TranscriptView):
                # It lays out once a frame at most.
                view.catch_up()
            path = self._folder / f"{name}-{choice}.png"
            if not self._picture().save(str(path), quality=_QUICK_TO_PACK):
                words = QCoreApplication.translate("SelfTest", "{path} could not be written")
                raise CheckFailed(words.format(path=path))

    async def take_in_each_theme(self, walk: Callable[[], Awaitable[None]]) -> None:
        """Perform a walk once in each theme, and save its pictures in that theme only.

        A change of theme restyles every open page, so a long walk changes it only once.
        """
        try:
            for choice in _THEMES:
                self._themes = (choice,)
                await self._wear(choice)
                await walk()
        finally:
            self._themes = _THEMES
        await self._wear(_THEMES[0])

    def forget_theme(self) -> None:
        """Put the theme on again before the next picture: settings that change bring their own."""
        self._worn = None

    async def _wear(self, choice: ThemeChoice) -> None:
        theme = self._program.now.theme
        if (theme, choice) != self._worn:
            self._worn = (theme, choice)
            theme.wear(AppearanceSettings(theme=choice, motion="reduced"))

    def _picture(self) -> QPixmap:
        window = self._program.now.window
        picture = window.grab()
        painter = QPainter(picture)
        # `grab` draws one window; menus and dialogs are windows of their own.
        for above in QApplication.topLevelWidgets():
            if above is not window and above.isVisible():
                at = window.mapFromGlobal(above.pos())
                painter.drawPixmap(at, above.grab())
                if not above.windowFlags() & Qt.WindowType.FramelessWindowHint:
                    # Elsewhere the desktop draws the frame.
                    painter.setPen(self._program.now.theme.color("line-strong"))
                    painter.drawRect(QRect(at, above.size()))
        painter.end()
        return picture


def make_folder(folder: Path) -> None:
    """Create the folder for pictures if it is missing, and check that it is writable.

    Raises:
        OSError: The folder cannot be created or written.
    """
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    folder.mkdir(parents=True, exist_ok=True)
    demand_room(folder)


class PictureTour:
    """Goes through all that the scenario leaves out, and takes it. Made by the scenario.

    The window shows a chat before and after. `have_tool_ask` sends a message that brings a card; a
    tool that reads a file finds the given text in it. `two_calls` is a message that asks for two.
    """

    def __init__(
        self,
        user: ScriptedUser,
        pictures: Screenshots,
        have_tool_ask: Callable[[str], Awaitable[None]],
        two_calls: str,
    ) -> None:
        self._user = user
        self._pictures = pictures
        self._have_tool_ask = have_tool_ask
        self._two_calls = two_calls

    async def take(self) -> None:
        """Take everything.

        Raises:
            CheckFailed: something is not where it should be.
        """
        # What changes a chat comes once; what only opens is gone through in each theme.
        await self._take_rule()
        await self._take_other_cards()
        await self._take_waiting_and_failed()
        await self._take_versions()
        await self._pictures.take_in_each_theme(self._take_chat)
        await self._pictures.take_in_each_theme(self._take_settings)
        await self._pictures.take_in_each_theme(self._take_rest)

    async def _take_versions(self) -> None:
        """Take chips of files, a message with an image, and a reply in its second version."""
        user, chat = self._user, self._user.program.chat
        files = chat.attachments
        files.add_content("window.png", _png_of(user.window.grab().scaledToWidth(480)))
        await until(
            lambda: bool(files.chips) and not files.is_busy,
            [files.changed],
            translate("SelfTest", "the file is attached"),
        )
        await self._pictures.take("attachments")
        await user.say("What does this show?")
        await user.until_idle()
        rows = chat.transcript.rows
        reply = next(item for item in reversed(rows) if isinstance(item, ReplyPart))
        before = chat.conversation_id
        chat.act(reply.key, Action.ASK_ANEW)
        words = translate("SelfTest", "the reply ends")
        await until(lambda: chat.conversation_id != before and not user.is_busy, [], words)
        await self._pictures.take("versions")

    async def _take_rule(self) -> None:
        """Take the rules that a card offers, and the page of one."""
        user = self._user
        await self._have_tool_ask("")
        await user.answer(translate("CardAnswers", "Always allow…"))
        await self._pictures.take("menu-rules")
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            menu.actions()[0].trigger()
            menu.close()
            [page] = user.window.findChildren(RuleCard)
            words = translate("SelfTest", "the rule is tried on past calls")
            save = translate("RuleCard", "Save rule and allow")
            await until(lambda: _is_offered(page, save), [page.laid_out], words)
            await self._pictures.take("rule")
            page.left.emit()
        await user.answer(translate("CardAnswers", "Deny…"))
        await self._pictures.take("deny")
        await user.answer(translate("CardAnswers", "Deny"))
        await user.until_idle()

    async def _take_other_cards(self) -> None:
        """Take the cards of a result with a secret, where a tool reads files, and of a pause."""
        user, preferences = self._user, self._user.program.preferences
        await self._have_tool_ask(_NOTE_ABOUT_SHOP)
        await user.answer(translate("CardAnswers", "Allow once"))
        words = translate("SelfTest", "the card can be answered")
        await user.sees(lambda: self._shows(ReleaseCard) or not user.is_busy, words)
        await self._take_card("release", ReleaseCard)
        preferences.change(ToolSettings(calls_per_reply=1))
        self._pictures.forget_theme()
        await user.say(self._two_calls)
        await user.answer(translate("CardAnswers", "Allow once"))
        changed = user.program.approval.pause_changed
        await until(lambda: self._shows(PauseCard), [changed], words)
        await self._take_card("pause", PauseCard)
        preferences.undo()
        self._pictures.forget_theme()

    def _shows(self, kind: type[QWidget]) -> bool:
        return any(card.isVisible() for card in self._user.window.findChildren(kind))

    async def _take_card(self, name: str, kind: type[QWidget]) -> None:
        """Take a card if it is there, and stop the reply that waits for it."""
        if self._shows(kind):
            await self._pictures.take(name)
            self._user.program.chat.stop()
        await self._user.until_idle()

    async def _take_waiting_and_failed(self) -> None:
        """Take a message that waits for the end of a reply, and one that could not be answered."""
        user, chat = self._user, self._user.program.chat
        await user.say(MUCH_TO_SAY)
        words = translate("SelfTest", "the reply streams in")
        await user.sees(lambda: bool(user.streamed) or not user.is_busy, words)
        await user.say("What can you help me with?")
        rows = chat.transcript
        words = translate("SelfTest", "the message is being sent")
        await user.sees(lambda: _waits(rows.rows) or not user.is_busy, words)
        await self._pictures.take("queue")
        await user.until_idle()
        chosen = chat.chosen.models.now
        chat.chosen.choose_model(ModelOption("gone", "Gone", ""))
        await user.say("Is anybody there?")
        await user.sees(lambda: isinstance(rows.rows[-1], Notice) and not user.is_busy, words)
        await self._pictures.take("failed")
        chat.chosen.choose_model(chosen)

    async def _take_chat(self) -> None:
        window = self._user.window
        for context, name, picture in (
            ("AttachButton", "Attach", "menu-attach"),
            ("ChatHeader", "Export chat", "menu-export"),
        ):
            click(find(window, QAbstractButton, translate(context, name)))
            await self._take_popup(picture)
        for view, picture in (
            (find(window, QListView, translate("ConversationList", "Chats")), "menu-chat"),
            (window.findChildren(TranscriptView)[0], "menu-message"),
        ):
            _open_menu_of(view)
            await self._take_popup(picture)
        [picker] = window.findChildren(AgentPicker)
        picker.open_models()
        await self._take_popup("picker-models")
        picker.open()
        click(find(picker, QAbstractButton, translate("AgentLists", "Agent")))
        await self._take_popup("picker-agents")
        await self._take_dialogs()
        await self._take_fields()
        for command in ("new-chat", "show-activity"):
            window.commands[command].action.trigger()
        await self._pictures.take("none-calls")
        window.findChildren(RightPanel)[0].wanted.emit(False)
        window.commands["next-chat"].action.trigger()

    async def _take_dialogs(self) -> None:
        window = self._user.window
        window.findChildren(AgentPicker)[0].instructions_requested.emit()
        [instructions] = window.findChildren(InstructionsDialog)
        instructions.ask("Answer in short sentences.", "Use metric units.")
        await self._take_dialog("dialog-instructions", instructions)
        view = window.findChildren(TranscriptView)[0]
        view.link_activated.emit(_LOOK_ALIKE, "https://apple.com")
        [link] = window.findChildren(LinkDialog)
        await self._take_dialog("dialog-link", link)
        window.commands["export-all-chats"].action.trigger()
        [files] = window.findChildren(QFileDialog)
        files.setDirectory(str(resources()))
        await self._take_dialog("dialog-save", files)
        page = StartupErrorPage(startup_error_words(None, None))
        page.move(window.geometry().center() - page.rect().center())
        page.show()
        await self._pictures.take("startup-error")
        page.close()
        page.deleteLater()

    async def _take_fields(self) -> None:
        window = self._user.window
        window.commands["find"].action.trigger()
        field = find(window, QLineEdit, translate("FindBar", "Find in chat"))
        field.setText("the")
        await self._pictures.take("find")
        press_escape(field)
        window.commands["rename-chat"].action.trigger()
        await self._pictures.take("rename")
        press_escape(find(window, QLineEdit, translate("ConversationDelegate", "Chat name")))
        window.commands["delete-chat"].action.trigger()
        await self._pictures.take("delete")
        click(find(window, QAbstractButton, translate("DeleteBar", "Cancel")))
        search = find(window, SearchField, translate("SearchPane", "Search chats"))
        await self._take_found("search", search, "what")
        await self._take_found("none-chats", search, _NOWHERE)

    async def _take_settings(self) -> None:
        """Take every section from its top to its end, and what opens in them."""
        window, agents = self._user.window, self._user.program.agents
        window.commands["settings"].action.trigger()
        [settings] = window.findChildren(SettingsPage)
        for section in settings.sections:
            settings.show_section(section)
            listed = translate("SelfTest", "agents and skills")
            await until(lambda: not agents.view.is_looking, [agents.changed], listed)
            await self._take_screens(f"settings-{section.icon}", section)
        words = translate("SettingsSide", "Search settings")
        field = find(settings, SearchLineEdit, words)
        await self._take_found("settings-found", field, "font")
        await self._take_found("none-settings", field, _NOWHERE)
        click(find(window, QAbstractButton, translate("Settings", "Tools and permissions")))
        click(find(window, QAbstractButton, translate("McpServersGroup", "Add server")))
        await self._pictures.take("tool-server")
        click(find(window, QAbstractButton, translate("McpServersGroup", "Add server")))
        click(find(window, QAbstractButton, translate("Settings", "Agents and skills")))
        click(find(window, QAbstractButton, translate("AgentsSection", "New agent")))
        [editor] = window.findChildren(AgentEditor)
        await self._pictures.take("agent-editor")
        press_escape(editor)
        preferences = self._user.program.preferences
        preferences.change(NoticeSettings(finished=False))
        self._pictures.forget_theme()
        settings.show_section(next(one for one in settings.sections if "notices" in one.tables))
        await self._pictures.take("toast")
        preferences.undo()
        self._pictures.forget_theme()
        window.leave_settings()

    async def _take_screens(self, name: str, section: SettingsSection) -> None:
        """Take a section as it scrolls by, a picture for each part of it."""
        area = section.parentWidget()
        while area and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        await self._pictures.take(name)
        if not isinstance(area, QScrollArea):
            return
        bar = area.verticalScrollBar()
        for number in range(2, _MOST_SCREENS):
            if bar.value() >= bar.maximum():
                break
            bar.setValue(bar.value() + bar.pageStep())
            await self._pictures.take(f"{name}-{number}")
        bar.setValue(0)

    async def _take_rest(self) -> None:
        """Take palette, manual, the tabs of the panel and the archive."""
        window = self._user.window
        window.commands["palette"].action.trigger()
        await self._pictures.take("palette")
        field = window.findChildren(PaletteInput)[0]
        type_into(field, _NOWHERE)
        await self._pictures.take("none-palette")
        press_escape(field)
        window.commands["manual"].action.trigger()
        await self._pictures.take("manual")
        window.leave_settings()
        [panel] = window.findChildren(RightPanel)
        for tab in TABS:
            panel.show_tab(tab)
            panel.wanted.emit(True)
            if tab == "activity":
                await self._until_calls_listed()
            await self._pictures.take(f"panel-{tab}")
        panel.wanted.emit(False)
        archive = self._user.program.archive
        window.commands["imported-chats"].action.trigger()
        words = translate("SelfTest", "the imported chats are shown")
        await until(lambda: archive.is_open, [archive.opened], words)
        await self._pictures.take("none-archive")
        window.commands["imported-chats"].action.trigger()
        chosen = self._user.program.chat.chosen.models
        words = translate("SelfTest", "the service is ready")
        await until(lambda: bool(chosen.now.display_name), [chosen.changed], words)

    async def _until_calls_listed(self) -> None:
        """Show the calls of all chats: the open chat is a version without calls of its own."""
        window, words = self._user.window, translate("SelfTest", "the call is listed")

        def are_listed() -> bool:
            if widen := look_for(
                window, QAbstractButton, translate("ActivityPage", "Show calls in all chats")
            ):
                click(widen)
            calls = look_for(window, QListView, translate("ActivityPage", "Calls"))
            return calls is not None and calls.model().rowCount() > 0

        await until(are_listed, [], words)

    async def _take_popup(self, name: str) -> None:
        """Take what opened last, and close it."""
        await asyncio.sleep(0)
        popup = QApplication.activePopupWidget()
        if popup is None:
            words = translate("SelfTest", "“{name}” is not visible")
            raise CheckFailed(words.format(name=name))
        await self._pictures.take(name)
        popup.close()

    async def _take_dialog(self, name: str, dialog: QDialog) -> None:
        await self._pictures.take(name)
        dialog.reject()

    async def _take_found(self, name: str, field: QLineEdit, text: str) -> None:
        """Search for this, and take what stands there then."""
        field.setText(text)
        if isinstance(field, SearchField):
            search, words = (
                self._user.program.search,
                translate("SelfTest", "the search results are shown"),
            )
            await until(lambda: search.results.query == text, [search.results_changed], words)
        await self._pictures.take(name)
        field.clear()


def _is_offered(page: QWidget, name: str) -> bool:
    button = look_for(page, QAbstractButton, name)
    return button is not None and button.isEnabled()


def _waits(items: Sequence[object]) -> bool:
    return any(isinstance(one, UserMessage) and one.state is SendState.QUEUED for one in items)


def _png_of(picture: QPixmap) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(buffer.data().data())


def _open_menu_of(view: QAbstractScrollArea) -> None:
    """Ask for a menu in the middle of what is current in a list, or of what is shown."""
    target = view.viewport()
    at = target.rect().center()
    if isinstance(view, QAbstractItemView):
        at = view.visualRect(view.model().index(0, 0)).center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(target, QContextMenuEvent(reason, at, target.mapToGlobal(at)))
