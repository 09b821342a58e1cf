"""`ModelFilesGroup` opens and downloads model files, and chooses the engine that runs them."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QFrame, QWidget

from app.ui.settings.model_download_card import ModelDownloadPart
from app.ui.settings.section import GroupCard, SettingsGroup
from app.ui.theme import Theme
from app.ui.widgets.buttons import push_button
from app.ui.widgets.chips import ChoiceChip
from app.ui.widgets.fields import Field
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import breakable, one_line, plain_label
from app.ui.widgets.surfaces import stack
from app.ui.widgets.system_dialogs import make_file_dialog
from app.viewmodels.settings.model_download import (
    DownloadState,
    DownloadView,
    ModelDownloadViewModel,
)
from app.viewmodels.settings.model_files import ModelFilesView, ModelFilesViewModel
from app.viewmodels.settings.setting_texts import size_words


def model_file_dialog(parent: QWidget, title: str, filters: list[str]) -> QFileDialog:
    """Make a dialog that chooses one file; the caller opens it."""
    dialog = make_file_dialog(parent, title, "")
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.setNameFilters(filters)
    return dialog


class RepositoryPart(QFrame):
    """Lists the model files of a repository that the user names. Made by the group."""

    def __init__(self, theme: Theme, download: ModelDownloadViewModel) -> None:
        super().__init__()
        self._download = download
        self._name = Field(
            theme,
            self.tr("Repository"),
            placeholder="Qwen/Qwen3-4B-GGUF",
            hint=self.tr(
                "Owner and name, such as owner/name. Listing the files contacts Hugging Face."
            ),
        )
        self._list = push_button(self.tr("List files"), "secondary", theme)
        self._files = ChoiceChip(theme, self.tr("Model file"))
        line = FlowLayout()
        line.add(self._list, self._files)
        column = stack(self, 8, self._name)
        column.setContentsMargins(14, 9, 14, 9)
        column.addLayout(line)
        self._name.submitted.connect(self._on_list_clicked)
        self._list.clicked.connect(self._on_list_clicked)
        self._files.chosen.connect(self._on_files_chosen)
        download.changed.connect(self._show)
        self._show(download.view)

    def _show(self, view: DownloadView) -> None:
        self._list.setEnabled(view.state in {DownloadState.NONE, DownloadState.OFFERED})
        self._files.setVisible(bool(view.files))
        self._files.setEnabled(view.state is not DownloadState.RUNNING)
        too_large = self.tr("larger than this computer’s memory")
        self._files.offer(
            [
                (
                    file.name,
                    " · ".join(
                        (
                            one_line(file.name),
                            size_words(file.size_bytes),
                            *(() if file.fits else (too_large,)),
                        )
                    ),
                )
                for file in view.files
            ]
        )
        if view.offer:
            self._files.show_value(view.offer.name)
        elif view.files:
            self._files.show_choice(self.tr("Choose a file"))

    def _on_list_clicked(self) -> None:
        if self._list.isEnabled() and self._name.text:
            self._download.list_files(self._name.text)

    def _on_files_chosen(self, name: str) -> None:
        self._download.choose(name)


class ModelFilesGroup(SettingsGroup):
    """Opens and downloads model files, and chooses their engine. Made by the models' section."""

    def __init__(
        self, theme: Theme, files: ModelFilesViewModel, download: ModelDownloadViewModel
    ) -> None:
        super().__init__(
            theme,
            self.tr("Model files"),
            self.tr("Parley runs model files (.gguf) itself. They stay on this computer."),
        )
        self._files = files
        self._open = push_button(self.tr("Open a model file…"), "secondary", theme)
        self._window = ChoiceChip(theme, self.tr("Context window for model files"))
        self._engine_words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._choose = push_button(
            self.tr("Choose…"), "secondary", theme, name=self.tr("Choose another llama-server")
        )
        self._bundled = push_button(self.tr("Use the bundled engine"), "quiet", theme)
        self._lay_out(theme, download)
        self._open.clicked.connect(self._on_open_clicked)
        self._window.chosen.connect(self._on_window_chosen)
        self._choose.clicked.connect(self._on_choose_clicked)
        self._bundled.clicked.connect(self._on_bundled_clicked)
        files.changed.connect(self._show)
        self._show(files.view)

    def _lay_out(self, theme: Theme, download: ModelDownloadViewModel) -> None:
        offered = QFrame()
        column = stack(offered, 8, ModelDownloadPart(theme, download, self.tr("Download a model")))
        column.setContentsMargins(14, 9, 14, 9)
        opened = FlowLayout()
        opened.add(self._open)
        self.column.addLayout(opened)
        card = GroupCard(theme)
        card.add(offered)
        card.add(RepositoryPart(theme, download))
        words = self.tr(
            "“Automatic” uses at most 32,768 tokens. A larger window needs more memory. Changes "
            "apply the next time a model is loaded."
        )
        card.add(_row(theme, self.tr("Context window"), words, self._window))
        engine = _row(
            theme, self.tr("Another llama-server"), self._engine_words, self._choose, self._bundled
        )
        card.add(engine)
        self.column.addWidget(card)

    def _show(self, view: ModelFilesView) -> None:
        self._window.offer([(str(size), words) for size, words in view.windows])
        self._window.show_value(str(view.window))
        otherwise = self.tr(
            "llama.cpp’s server with support for your graphics card runs model files faster."
        )
        self._engine_words.setText(breakable(one_line(view.engine)) if view.engine else otherwise)
        self._bundled.setVisible(bool(view.engine))

    def _on_open_clicked(self) -> None:
        filters = [self.tr("Model files (*.gguf)"), self.tr("All files (*)")]
        dialog = model_file_dialog(self, self.tr("Open a model file"), filters)
        dialog.fileSelected.connect(self._on_dialog_file_selected)
        dialog.open()

    def _on_dialog_file_selected(self, name: str) -> None:
        self._files.open_file(Path(name))

    def _on_choose_clicked(self) -> None:
        dialog = model_file_dialog(
            self, self.tr("Choose a llama-server"), [self.tr("All files (*)")]
        )
        dialog.fileSelected.connect(self._files.choose_engine)
        dialog.open()

    def _on_bundled_clicked(self) -> None:
        self._files.choose_engine("")

    def _on_window_chosen(self, tokens: str) -> None:
        self._files.choose_window(int(tokens))


def _row(theme: Theme, title: str, words: "str | QWidget", *controls: QWidget) -> QFrame:
    """Make a row with one setting in it: its name and words, and its controls."""
    frame, names = QFrame(), QWidget()
    said = words
    if isinstance(said, str):
        said = plain_label(said, theme, size="small", ink="ink-2", wraps=True)
    stack(names, 2, plain_label(title, theme, wraps=True), said)
    row = FlowLayout(frame, spacing_px=6)
    row.setContentsMargins(14, 9, 14, 9)
    row.add(names, grows=True)
    row.add(*controls)
    return frame
