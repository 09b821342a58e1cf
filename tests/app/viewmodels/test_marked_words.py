"""Sentences that are filled in where no Qt is, and translated where there is one."""

from app.viewmodels.i18n import translate_sentence
from local_tools.translation_marks import MarkedSentence

_PATH = "/home/ada/{place} (1).md"


def test_placeholder_values_of_a_sentence_stay_untranslated() -> None:
    changed = MarkedSentence("{place} is another folder now.", {"place": _PATH})

    assert translate_sentence("Undo", changed) == f"{_PATH} is another folder now."
    assert translate_sentence("Undo", MarkedSentence("A {new} one.")) == "A {new} one."
