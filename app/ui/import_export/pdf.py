"""Write a chat as PDF: its web page, laid out in pages by `QTextDocument`."""

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Final

from PySide6.QtCore import (
    QByteArray,
    QEventLoop,
    QFile,
    QFileDevice,
    QIODevice,
    QLocale,
    QMarginsF,
    QUrl,
)
from PySide6.QtGui import (
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtSvg import QSvgRenderer

from app.import_export.chat_export import PaperWriter
from app.import_export.loading import PAPER_BOX_PX, ExportedConversation, ExportedImage, Labels
from app.ui.import_export.web_page import INK_CLASSES, Pictures, page_body, page_title
from app.ui.markdown.formulas import EM, LARGER, Drawing
from app.ui.widgets.fonts import MONO_FAMILY
from app.ui.widgets.labels import one_line
from app.ui.widgets.stylesheet import Tokens, read_tokens

_RESOLUTION_DPI: Final = 600
_CSS_DPI: Final = 96
_POINTS_PER_INCH: Final = 72
_BASE_PT: Final = 10.0
# A formula is a bitmap in a QTextDocument; so many dots per CSS pixel look sharp on paper.
_FORMULA_SCALE: Final = 4
# A run without a blank is broken: QTextDocument takes a minute for a million letters in one line.
_LONG_RUN: Final = re.compile(r"[^\s<>&;]{2000}")
# The part of the web page's style that QTextDocument supports. Headings have named sizes: it would
# add points to its own size for the tag. Block quotes are indented: it does not scale left margins.
_STYLE: Final = """
h1 {{ font-size:x-large; margin:0 }}
h2 {{ font-size:medium; color:{ink-2} }}
h3 {{ font-size:large; margin:12px 0 4px 0 }}
h4,h5,h6 {{ font-size:medium; margin:12px 0 4px 0 }}
p {{ margin:0 0 6px 0 }}
.said {{ background-color:{bubble}; white-space:pre-wrap }}
.formula {{ white-space:pre-wrap; text-align:center; margin:6px 0 12px 0 }}
.note,.line,summary {{ color:{ink-2}; font-size:8.5pt }}
.warn {{ color:{warn} }}
a {{ color:{accent}; text-decoration:none }}
ul {{ list-style-type:none; margin:0 0 4px 0 }}
.mark {{ color:{ink-2} }}
blockquote {{ margin:0 0 6px 0; color:{ink-2} }}
blockquote p {{ -qt-block-indent:1 }}
blockquote blockquote p {{ -qt-block-indent:2 }}
pre {{ background-color:{code-bg}; white-space:pre-wrap; margin:4px 0 8px 0; font-size:8.5pt }}
code,pre {{ font-family:"{mono}" }}
code {{ white-space:pre-wrap; background-color:{code-bg} }}
table {{ border-collapse:collapse; margin:4px 0 8px 0 }}
th,td {{ border:0.5px solid {line-strong}; padding:3px 6px }}
"""
_INDENT_PX: Final = 22
_MESSAGE_GAP_PX: Final = 18
# Countries that print on Letter, whether or not they use metric units.
_LETTER: Final = frozenset(
    {
        QLocale.Country.UnitedStates,
        QLocale.Country.Canada,
        QLocale.Country.Mexico,
        QLocale.Country.Philippines,
        QLocale.Country.Colombia,
        QLocale.Country.Chile,
        QLocale.Country.Venezuela,
    }
)


def pdf_writer(themes: Path, family: Callable[[], str]) -> PaperWriter:
    """Make the writer of PDF files, in the light theme's colours.

    It may run in any thread, and ends early once `stopped` is set. It raises `OSError` if not
    everything could be written.
    """
    tokens = read_tokens(themes / "light.toml")

    def write(
        chat: ExportedConversation, labels: Labels, now: datetime, path: Path, stopped: Event
    ) -> None:
        # Layout starts timers, which need an event dispatcher in this thread.
        dispatcher = QEventLoop()
        font = QFont(family())
        font.setPointSizeF(_BASE_PT)
        with _pdf_file(path, page_title(chat, labels), stopped) as writer:
            document = _ChatDocument(font, tokens)
            end, above = QTextCursor(document), QTextBlockFormat()
            above.setTopMargin(_MESSAGE_GAP_PX)
            for markup in page_body(chat, labels, now, has_links=False, pictures=document.pictures):
                if stopped.is_set():
                    break
                # Inserted HTML continues the last paragraph, with its margins.
                if not document.isEmpty():
                    end.insertBlock(above, QTextCharFormat())
                # A message at a time holds the interpreter's lock only briefly.
                end.insertHtml(_LONG_RUN.sub("\\g<0>\n", markup))
            else:
                # The layout, which takes most of the time, happens in this call, without the GIL.
                document.print_(writer)
        del dispatcher

    return write


class _Writer(QPdfWriter):
    """Begins no further page once `stopped` is set."""

    def __init__(self, file: QFile, stopped: Event) -> None:
        super().__init__(file)
        self._stopped = stopped

    def newPage(self) -> bool:
        """Begin a page, and return whether there is one; printing ends where there is none."""
        return not self._stopped.is_set() and super().newPage()


class _ChatDocument(QTextDocument):
    """The pages of one chat. Loads nothing, whatever its text names."""

    def __init__(self, font: QFont, tokens: Tokens) -> None:
        super().__init__()
        self._picture_count = 0
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        self.setDefaultFont(font)
        self.setIndentWidth(_INDENT_PX)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)
        inks = "".join(f".{c} {{ color:{tokens.colors[t]} }}" for t, c in INK_CLASSES.items())
        colors = {str(name): value for name, value in tokens.colors.items()}
        self.setDefaultStyleSheet(_STYLE.format(mono=MONO_FAMILY, **colors) + inks)

    @property
    def pictures(self) -> Pictures:
        """How formulas and images come into it. Not kept: it has to end with this thread."""
        return Pictures(self._add_formula, self._add_image)

    def loadResource(self, _kind: int, _name: QUrl | str) -> QByteArray:
        """Return nothing: what is shown was added before."""
        return QByteArray()

    def _add_image(self, image: ExportedImage) -> str:
        """Return the markup of an image; one that could not be drawn is named."""
        drawn = image.drawn
        if drawn is None:
            return html.escape(one_line(image.name))
        width, height = drawn.width, drawn.height
        pixels = QImage(drawn.data, width, height, 4 * width, QImage.Format.Format_RGBA8888)
        share = min(1.0, PAPER_BOX_PX[0] / width, PAPER_BOX_PX[1] / height)
        # A copy of its own: what was read goes before the paper is written.
        size = max(1, round(width * share)), max(1, round(height * share))
        return self._markup(pixels.copy(), one_line(image.name), *size)

    def _add_formula(self, drawing: Drawing, words: str) -> str:
        """Return the markup of a formula, whose picture is kept here."""
        scale = _BASE_PT * _CSS_DPI / _POINTS_PER_INCH * LARGER / EM
        width, height = round(drawing.width * scale), round(drawing.height * scale)
        picture = QImage(
            max(width, 1) * _FORMULA_SCALE,
            max(height, 1) * _FORMULA_SCALE,
            QImage.Format.Format_ARGB32_Premultiplied,
        )
        picture.fill(0)
        painter = QPainter(picture)
        QSvgRenderer(drawing.svg("#000000")).render(painter)
        painter.end()
        return self._markup(picture, words, width, height)

    def _markup(self, picture: QImage, words: str, width: int, height: int) -> str:
        """Keep a picture; return what shows it, in pixels of a web page."""
        self._picture_count += 1
        name = f"picture:{self._picture_count}"
        self.addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), picture)
        said = html.escape(words)
        return f'<img src="{name}" alt="{said}" width="{width}" height="{height}">'


@contextmanager
def _pdf_file(path: Path, title: str, stopped: Event) -> Iterator[QPdfWriter]:
    file = QFile(str(path))
    if not file.open(QIODevice.OpenModeFlag.WriteOnly):
        raise OSError(file.errorString())
    try:
        writer = _Writer(file, stopped)
        writer.setResolution(_RESOLUTION_DPI)
        writer.setTitle(title)
        writer.setCreator("Parley")
        writer.setPageLayout(_page_layout())
        yield writer
        del writer
        if not file.flush() or file.error() is not QFileDevice.FileError.NoError:
            raise OSError(file.errorString())
    finally:
        file.close()


def _page_layout() -> QPageLayout:
    is_letter = QLocale().territory() in _LETTER
    size = QPageSize.PageSizeId.Letter if is_letter else QPageSize.PageSizeId.A4
    # QTextDocument leaves a margin of two centimetres, with the page number in it.
    return QPageLayout(QPageSize(size), QPageLayout.Orientation.Portrait, QMarginsF())
