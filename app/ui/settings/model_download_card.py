"""`ModelDownloadPart` offers a model to download, and shows the progress."""

from PySide6.QtWidgets import QProgressBar, QWidget

from app.ui.theme import Theme
from app.ui.widgets.accessible import announce
from app.ui.widgets.buttons import push_button, set_button_text
from app.ui.widgets.flow_layout import FlowLayout
from app.ui.widgets.labels import one_line, plain_label
from app.ui.widgets.surfaces import stack
from app.viewmodels.settings.model_download import (
    DownloadState,
    DownloadView,
    ModelDownloadViewModel,
)
from app.viewmodels.settings.setting_texts import size_words

# Not bytes: a progress bar counts in 32 bits, and a model file has more.
_PARTS = 1000


class ModelDownloadPart(QWidget):
    """One button that suggests, downloads, pauses and resumes. Made by the page it is on."""

    def __init__(self, theme: Theme, download: ModelDownloadViewModel, title: str) -> None:
        """Make one; `title` stands there until a model is suggested."""
        super().__init__()
        self._title = title
        self._download = download
        self._name = plain_label("", theme, size="secondary", wraps=True)
        self._words = plain_label("", theme, size="small", ink="ink-2", wraps=True)
        self._wrong = plain_label("", theme, size="small", ink="bad", wraps=True)
        self._bar = QProgressBar()
        self._bar.setRange(0, _PARTS)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress of the download"))
        self._button = push_button("", "secondary", theme, icon="download")
        self._lay_out()
        self._button.clicked.connect(self._on_button_clicked)
        download.changed.connect(self._show)
        self._show(download.view)

    def _lay_out(self) -> None:
        words = QWidget()
        stack(words, 2, self._name, self._words, self._bar, self._wrong)
        row = FlowLayout(self, spacing_px=10)
        row.add(words, grows=True)
        row.add(self._button)

    def _show(self, view: DownloadView) -> None:
        offer = view.offer
        self._name.setText(one_line(offer.name) if offer else self._title)
        self._words.setText(self._words_of(view))
        is_new = view.error != self._wrong.text()
        self._wrong.setText(one_line(view.error))
        self._wrong.setVisible(bool(view.error))
        if is_new:
            announce(self, view.error)
        self._bar.setVisible(view.state in {DownloadState.RUNNING, DownloadState.PAUSED})
        if offer:
            self._bar.setValue(view.done_bytes * _PARTS // max(1, offer.size_bytes))
        self._button.setEnabled(view.state is not DownloadState.ASKING)
        set_button_text(self._button, self._deed_of(view.state))

    def _words_of(self, view: DownloadView) -> str:
        offer = view.offer
        if offer is None:
            return self.tr(
                "Parley suggests a model that fits this computer. It contacts Hugging Face only "
                "when you click."
            )
        size = size_words(offer.size_bytes)
        if view.state is not DownloadState.OFFERED:
            done = size_words(view.done_bytes)
            return self.tr("{done} of {size}").format(done=done, size=size)
        licence = one_line(offer.licence) or self.tr("no licence stated")
        words = self.tr("{size} · licence: {licence} · fits this computer. From {repository}.")
        return words.format(size=size, licence=licence, repository=one_line(offer.repository))

    def _deed_of(self, state: DownloadState) -> str:
        match state:
            case DownloadState.NONE:
                return self.tr("Suggest a model")
            case DownloadState.ASKING:
                return self.tr("Finding a model…")
            case DownloadState.OFFERED:
                return self.tr("Accept and download")
            case DownloadState.RUNNING:
                return self.tr("Pause")
            case DownloadState.PAUSED:
                return self.tr("Resume")

    def _on_button_clicked(self) -> None:
        match self._download.view.state:
            case DownloadState.NONE:
                self._download.suggest()
            case DownloadState.RUNNING:
                self._download.pause()
            case _:
                self._download.start()
