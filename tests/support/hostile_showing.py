"""A program that shows hostile text everywhere text is shown; run as a child that is watched.

`python -m tests.support.hostile_showing FOLDER` shows harmless text first, so that what is needed
once is there, then opens `FOLDER/begin`, and shows the hostile text.
"""

import gc
import sys
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Final

from PySide6.QtCore import QEventLoop, QPoint, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from app.chat.items import Item
from app.config.settings import AppearanceSettings
from app.import_export.loading import ExportedConversation, Labels
from app.paths import resources
from app.store.search import SearchResults, TextHit, TitleHit
from app.store.search_terms import Snippet
from app.ui.import_export.pdf import pdf_writer
from app.ui.import_export.web_page import web_page_writer
from app.ui.sidebar.search_pane import SearchPane
from app.ui.theme import Theme
from app.ui.transcript.view import TranscriptView
from app.ui.widgets.labels import plain_tooltip, set_plain_tooltip, show_plain_tooltip
from app.viewmodels.rows import RowsModel
from app.viewmodels.sidebar.search import Results
from tests.support.import_export_fixtures import chat_of
from tests.support.markup import MARKUP
from tests.support.transcript_fixtures import asked, replied

BEGIN: Final = "begin"

_WHEN: Final = datetime(2026, 5, 20, 14, 30, tzinfo=UTC)
_CALM: Final = "# Calm\n\n*a* `b` **c** [d](https://a.example)\n\n$$\\frac{1}{2}$$\n\n```py\nx\n```"
# Each way in which Markdown, HTML or Qt names something to be fetched.
_FORMS: Final = (
    *("![a](URL)", '![a](URL "t")', "![a](<URL>)", "![a][r]\n\n[r]: URL", "[![a](URL)](URL)"),
    *(
        "# ![a](URL)",
        "- ![a](URL)",
        "> ![a](URL)",
        "|![a](URL)|\n|-|\n|![a](URL)|",
        "a[^1]\n\n[^1]: ![a](URL)",
    ),
    *(
        "<URL>",
        "[a](URL)",
        "[a][r]\n\n[r]: URL",
        "$$\\href{URL}{x}$$",
        "$$\\includegraphics{URL}$$",
    ),
    *(
        "```html\n<img src=URL>\n```",
        "`<img src=URL>`",
        "URL",
        "&lt;img src=URL&gt;",
        "<!-- URL -->",
    ),
    *(
        '<img src="URL">',
        "<img src=URL>",
        '<IMG SRC="URL">',
        '<img srcset="URL 2x">',
        '<img src=x style="content:url(URL)">',
    ),
    *(
        '<body background="URL">',
        '<table background="URL"><tr><td>x</table>',
        '<td background="URL">x</td>',
    ),
    *(
        '<style>@import "URL";</style>',
        '<style>*{background:url("URL")}</style>',
        "<style>@font-face{font-family:x;src:url(URL)}</style>",
    ),
    *(
        '<p style="background-image:url(URL)">x</p>',
        "<p style='border-image:url(URL)'>x</p>",
        '<ul style="list-style-image:url(URL)"><li>x</ul>',
    ),
    *(
        '<link rel="stylesheet" href="URL">',
        '<link rel="prefetch" href="URL">',
        '<link rel="icon" href="URL">',
        '<meta http-equiv="refresh" content="0;url=URL">',
    ),
    *(
        '<svg><image href="URL"/></svg>',
        '<svg><use href="URL#a"/></svg>',
        '<svg><script href="URL"/></svg>',
        '<object data="URL"></object>',
    ),
    *(
        '<iframe src="URL"></iframe>',
        '<embed src="URL">',
        '<video src="URL" poster="URL"></video>',
        '<audio src="URL"></audio>',
        '<script src="URL"></script>',
    ),
    *(
        '<base href="URL">',
        '<input type="image" src="URL">',
        '<form action="URL"><input type=submit></form>',
        '<a href="URL" ping="URL">x</a>',
    ),
    *(
        "<img src='URL'/><hr>",
        '<qt><img src="URL"></qt>',
        '<html><body><img src="URL"></body></html>',
        '<?xml-stylesheet href="URL"?>',
        '<!DOCTYPE x SYSTEM "URL">',
    ),
    *(
        '<span style="-qt-list-indent:1;background:url(URL)">x</span>',
        '<p><img align="left" src="URL" width="9"></p>',
        '<a name="URL">x</a>',
        '<picture><source srcset="URL"></picture>',
    ),
)


def hostile_texts(address: str) -> list[str]:
    """Return texts that name `address`, and others that are made to be taken for markup."""
    return [*(form.replace("URL", address) for form in _FORMS), *MARKUP]


def main(folder: Path) -> None:
    """Show calm text, then hostile text that names files in `folder` and addresses of this host."""
    # What is left of widgets must not be collected by the thread that draws formulas.
    gc.disable()
    application = QApplication(["parley"])
    theme = Theme(resources(), application.styleHints(), "light")
    theme.apply(application)
    theme.dress(application)
    theme.wear(AppearanceSettings(theme="light"))
    _show(theme, folder, [_CALM])
    bait = folder / "bait.png"
    texts = [
        text
        for address in (bait.as_uri(), str(bait), "http://127.0.0.1:9/x.png", "//127.0.0.1:9/x.png")
        for text in hostile_texts(address)
    ]
    (folder / BEGIN).write_bytes(b"")
    _show(theme, folder, texts)


def _show(theme: Theme, folder: Path, texts: list[str]) -> None:
    _show_transcript(theme, texts)
    _show_search(theme, texts)
    _show_tooltips(texts)
    _export(folder, chat_of(*texts, title=texts[0]))


def _show_transcript(theme: Theme, texts: list[str]) -> None:
    """Show each text streamed in two parts, and then all of them as a history."""
    model: RowsModel[Item] = RowsModel(lambda item: item.key)
    view = TranscriptView(model, theme, tool_icon=lambda _name: "wrench")
    view.resize(788, 600)
    view.show()
    for text in texts:
        for part in (text[: len(text) // 2], text):
            model.replace_all([asked("q", text), replied("r", part, streams=True)])
            view.grab()
    model.replace_all([replied(str(number), text) for number, text in enumerate(texts)])
    _let_turns_pass()
    for value in range(0, view.verticalScrollBar().maximum(), 500):
        view.verticalScrollBar().setValue(value)
        view.grab()
    view.close()


def _show_search(theme: Theme, texts: list[str]) -> None:
    pane = SearchPane(theme, lambda: _WHEN, QLabel("the list"))
    pane.resize(272, 2000)
    pane.show()
    marks = ((0, 1),)
    titles = tuple(TitleHit("home", "c", text, marks, 1, _WHEN) for text in texts)
    hits = tuple(
        TextHit("home", "c", "m", "user", Snippet(text, marks), text, _WHEN) for text in texts
    )
    for found in (SearchResults(titles), SearchResults((), hits)):
        pane.show_results(Results("x", found))
        pane.grab()
    pane.close()


def _show_tooltips(texts: list[str]) -> None:
    label = QLabel("x")
    label.show()
    for text in texts:
        set_plain_tooltip(label, text)
        show_plain_tooltip(QPoint(5, 5), plain_tooltip(label), label)
        _let_turns_pass(1)
    QToolTip.hideText()
    label.close()


def _export(folder: Path, chat: ExportedConversation) -> None:
    themes = resources() / "themes"
    page = "".join(web_page_writer(themes)(chat, Labels(), _WHEN))
    (folder / "chat.html").write_text(page, encoding="utf-8")
    write_pdf = pdf_writer(themes, lambda: "Inter")
    write_pdf(chat, Labels(), _WHEN, folder / "chat.pdf", Event())


def _let_turns_pass(pause_ms: int = 100) -> None:
    loop = QEventLoop()
    QTimer.singleShot(pause_ms, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
