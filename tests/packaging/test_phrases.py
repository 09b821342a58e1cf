"""How the phrases of the window are found in the sources."""

from pathlib import Path

import pytest
from translations import Phrase, Unreadable, read_phrases


def _read(folder: Path, source: str) -> set[Phrase]:
    file = folder / "widget.py"
    file.write_text(source, encoding="utf-8")
    return read_phrases([file])


def test_a_phrase_stands_under_its_class_or_under_the_word_beside_it(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        "class Card:\n"
        "    def show(self):\n"
        "        self.tr('Deny' ' it')\n"
        "        translate('Dates', 'Today')\n"
        "WORDS = {1: QT_TRANSLATE_NOOP('ErrorMessage', 'Gone: {host}')}\n",
    )

    assert found == {
        Phrase("Card", "Deny it"),
        Phrase("Dates", "Today"),
        Phrase("ErrorMessage", "Gone: {host}"),
    }


def test_a_plural_is_found_whatever_its_number_is_called(tmp_path: Path) -> None:
    found = _read(tmp_path, "translate('Chats', '%n messages', '', row.message_count)\n")

    assert found == {Phrase("Chats", "%n messages", is_plural=True)}


def test_title_question_and_summary_of_a_tool_are_phrases(tmp_path: Path) -> None:
    found = _read(
        tmp_path,
        "@tool(title='Read file', question='Read a file?', timeout_s=20)\n"
        "def read_file(path):\n"
        "    '''Read a text file.\n\n    Args:\n        path: The file.\n    '''\n",
    )

    words = {"Read file", "Read a file?", "Read a text file."}
    assert found == {Phrase("Tools", text) for text in words}


@pytest.mark.parametrize(
    "call",
    [
        "self.tr(f'Hello {name}')",
        "self.tr(words)",
        "translate('Dates', f'{day}')",
        "translate(context, 'Today')",
        "QT_TRANSLATE_NOOP('ErrorMessage', 'a' + b)",
        "self.tr('%n chats')",
        "self.tr('Chats', '', 3)",
        "self.tr('%n chats', n=3)",
    ],
)
def test_what_could_never_be_translated_is_refused(tmp_path: Path, call: str) -> None:
    with pytest.raises(Unreadable, match=r"widget\.py:1"):
        _read(tmp_path, call)


def test_painters_and_texts_may_translate_as_they_like(tmp_path: Path) -> None:
    assert _read(tmp_path, "painter.translate(0, top)\ntext.translate(_BREAKS)\n") == set()
