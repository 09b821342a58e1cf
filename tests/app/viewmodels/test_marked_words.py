"""Sentences that were filled in where no Qt is, found again for translation."""

from app.viewmodels.i18n import gaps_in, translate_formatted
from local_tools.undo.undo import SENTENCES


def test_what_stands_in_a_sentence_is_found_again_and_kept_as_it_came() -> None:
    path = "/home/ada/{place} (1).md"

    assert gaps_in("{place} changed since, so it is left as it is.", path) is None
    said = f"{path} changed since, so it is left as it is."
    assert gaps_in("{place} changed since, so it is left as it is.", said) == {"place": path}
    assert translate_formatted("Undo", SENTENCES, said) == said
    assert translate_formatted("Undo", SENTENCES, "Something new.") == "Something new."
    assert gaps_in("It was undone.", "It was undone.") == {}
