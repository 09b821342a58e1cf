"""`CodeFilesController` asks where to save a block of code, and opens previews in the browser."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWidgets import QFileDialog

from app.chat.code_files import suggested_name
from app.common.error_messages import ErrorMessage
from app.ui.chat_page import ChatPage
from app.ui.widgets.labels import spoken
from app.ui.widgets.system_dialogs import make_file_dialog, open_by_system
from app.viewmodels.chat.code_files import CodeFiles


class CodeFilesController(QObject):
    """Connects a chat page to `CodeFiles`. Made by the workbench; ends with the page.

    `open_url` opens a page in the browser, and returns whether there is one.
    """

    def __init__(
        self,
        page: ChatPage,
        files: CodeFiles,
        open_url: Callable[[QUrl], bool] = open_by_system,
    ) -> None:
        super().__init__(page)
        self._page = page
        self._files = files
        self._open_url = open_url
        page.save_requested.connect(self._on_page_save_requested)
        page.preview_requested.connect(files.preview)
        files.saved.connect(self._on_files_saved)
        files.failed.connect(self._on_files_failed)
        files.preview_made.connect(self._on_files_preview_made)

    def _on_page_save_requested(self, code: str, language: str) -> None:
        dialog = make_file_dialog(self._page, self.tr("Save code"), str(self._page.folder))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        name = suggested_name(language)
        dialog.setDefaultSuffix(Path(name).suffix)
        dialog.selectFile(name)
        dialog.fileSelected.connect(partial(self._save, code))
        dialog.open()

    def _save(self, code: str, name: str) -> None:
        self._files.save(Path(name), code)

    def _on_files_saved(self, words: str) -> None:
        self._page.tell(words, is_bad=False)

    def _on_files_failed(self, words: ErrorMessage) -> None:
        self._page.tell(spoken(words), is_bad=True)

    def _on_files_preview_made(self, path: Path) -> None:
        if not self._open_url(QUrl.fromLocalFile(str(path))):
            self._files.not_opened(path)
