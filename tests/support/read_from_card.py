"""Reading from a card what a person reads there: the texts that its drawn marks stand for."""

import json
import re
from collections.abc import Iterator

from PySide6.QtGui import QColor, QTextBlock
from PySide6.QtWidgets import QWidget

from app.approvals.visible_text import RunKind, TextRun
from app.ui.approval.revealed_text import RevealedText
from app.ui.theme import Theme

_BREAKS = {"\u2028": "\n", "\u2029": "\n"}


def text_of(runs: tuple[TextRun, ...]) -> str:
    """Return the text that these runs stand for."""
    return "".join(run.text if run.kind is RunKind.TEXT else _unmark(run) for run in runs)


def values_on(card: QWidget, theme: Theme) -> dict[str, object]:
    """Each value on a card by its name, read from what is drawn, in one part or in several."""
    values: dict[str, str] = {}
    for text in card.findChildren(RevealedText):
        name = text.accessibleName()
        values[name] = values.get(name, "") + text_of(tuple(_drawn(text, theme)))
    return {name: value_of(value) for name, value in values.items()}


def value_of(text: str) -> object:
    """Return the value that a card writes so: text as it is, unless it reads as another value."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _drawn(text: RevealedText, theme: Theme) -> Iterator[TextRun]:
    """Yield what is drawn, piece by piece; marks are told from text by their colour."""
    inks = {theme.color("ink-3").rgba(): RunKind.BLANK, theme.color("warn").rgba(): RunKind.HIDDEN}
    block = text.document().begin()
    while block.isValid():
        yield from _drawn_in(block, inks)
        block = block.next()


def _drawn_in(block: QTextBlock, inks: dict[int, RunKind]) -> Iterator[TextRun]:
    at = block.begin()
    while not at.atEnd():
        fragment = at.fragment()
        colour = QColor(fragment.charFormat().foreground().color()).rgba()
        yield TextRun(fragment.text(), inks.get(colour, RunKind.TEXT))
        at += 1


def _unmark(run: TextRun) -> str:
    def blank(match: re.Match[str]) -> str:
        count = int(match["count"] or 1)
        return {"·": " ", "→": "\t", "↵": "\n"}[match["mark"]] * count

    if run.kind is RunKind.BLANK:
        return re.sub(r"(?P<mark>[·→↵])(?:×(?P<count>\d+))?\n?", blank, run.text)
    names = re.findall(r"‹(?:CR|U\+([0-9A-F]+))›", run.text)
    return "".join(chr(int(name, 16)) if name else "\r" for name in names)
