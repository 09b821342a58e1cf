"""Words that look like other words are named, and what they can be taken for."""

import pytest

from app.approvals.visible_text import Confusable, ConfusableKind, find_confusables
from tests.support.clocks import within_own_time


@pytest.mark.security(6)
@pytest.mark.parametrize(
    ("name", "doubt", "word", "looks_like"),
    [
        ("/home/\u0430da/notes", ConfusableKind.MIXED_ALPHABETS, "\u0430da", "ada"),
        (
            "/home/\u0430\u0441\u0435/notes",
            ConfusableKind.OTHER_ALPHABET,
            "\u0430\u0441\u0435",
            "ace",
        ),
        ("/home/re\u0430d_file", ConfusableKind.MIXED_ALPHABETS, "re\u0430d", "read"),
        ("/usr/bin/\uff52\uff4d", ConfusableKind.DRESSED_UP, "\uff52\uff4d", "rm"),
        ("/tmp/\ufb01le", ConfusableKind.DRESSED_UP, "\ufb01le", "file"),
        ("/tmp/\u05d0\u05d1/1", ConfusableKind.RIGHT_TO_LEFT, "\u05d0\u05d1", ""),
    ],
)
def test_a_name_that_looks_like_another_is_doubted(
    name: str, doubt: ConfusableKind, word: str, looks_like: str
) -> None:
    assert find_confusables(name, is_name=True) == (Confusable(doubt, word, looks_like),)


# Cyrillic, Greek, Lisu, Cherokee, Osage and other numbers and letters, in a path, a host, a word.
DISGUISED = {
    "p\u0430ypal": "paypal",
    "g\u043e\u043egle": "google",
    "\u0441\u043e\u0440\u0443": "copy",
    "\u0455\u0455h": "ssh",
    "micr\u03bfsoft": "microsoft",
    "\u0391\u03a1\u03a4": "APT",
    "\u03bdim": "vim",
    "\ua4d1\ua4ec\ua4d4": "PYT",
    "\ua4e7\ua4f3\ua4df\ua4f0": "HOME",
    "\ua4f2nbox": "lnbox",
    "\u13aa\u13e2\u13ac": "APE",
    "\u13deinux": "linux",
    "\u13dfurl": "Curl",
    "\U000104c2\U000104ce": "OU",
    "D\U000104eacs": "Docs",
    "paypa\u217c": "paypal",
    "\u0261ithub": "github",
    "g\u0e50ogle": "google",
    "\U0001d4fcudo": "sudo",
    "\uff47it": "git",
}


@pytest.mark.security(96)
@pytest.mark.parametrize("word", DISGUISED)
def test_names_in_letters_of_six_scripts_are_doubted_with_what_they_are_taken_for(
    word: str,
) -> None:
    for name in (f"/home/ada/{word}", f"https://{word}.example/"):
        (finding,) = find_confusables(name, is_name=True)
        assert finding.word == word
        assert finding.looks_like.casefold() == DISGUISED[word].casefold()


@pytest.mark.parametrize(
    "name",
    ["/home/ada/notes", "/home/ada/Grüße", "/home/ada/東京の2番", "/home/ada/Москва", "/d/e\u0301"],
)
def test_an_honest_name_is_not_doubted(name: str) -> None:
    assert find_confusables(name, is_name=True) == ()


ORDINARY = {
    "German": "Größe Übersicht Straße Äpfel Mädchen fünf weiß schön Rechnung_März Fußgängerüberweg",
    "Russian": "гора год город рука голос утро Утро УРА ТЬМА авось путь отчёт_final 1С книга дом",
    "Greek": "για σου αγορά και λόγος γυναίκα σαν υγρό άνθρωπος Ελλάδα σπίτι νερό",
    "Japanese": "東京 二〇二六年 Tシャツ ノート 第Ⅱ章 ロケット コーヒー 一覧 口座 工場 カタカナ",
    "Turkish": "kapı ışık sığır yıldız ağaç",
    "Danish": "læse Ærø øre på mærke",
    "French": "cœur œuvre été naïf garçon",
    "Armenian": "հոգ նոր տուն գիրք",
    "Ukrainian": "її їжак ґанок гора",
}
_ARABIC = "السلام عليكم هذا كتاب جديد ه ٢٠٢٦ ٥"


@pytest.mark.parametrize("language", ORDINARY)
def test_ordinary_words_are_not_doubted(language: str) -> None:
    for word in ORDINARY[language].split():
        assert find_confusables(f"/home/ada/{word}/a", is_name=True) == (), word
        assert find_confusables(word) == (), word


def test_arabic_words_are_doubted_for_their_direction_alone() -> None:
    assert find_confusables(_ARABIC) == ()
    found = find_confusables(f"/home/ada/{_ARABIC}", is_name=True)
    assert {finding.doubt for finding in found} == {ConfusableKind.RIGHT_TO_LEFT}


@pytest.mark.security(6)
def test_prose_is_doubted_only_for_words_of_two_alphabets_or_dressed_up_ones() -> None:
    prose = "\u0430 \u05d0 \u2026 12 m\u00b2 p\u0430ssword p\u0430ssword"
    doubted = Confusable(ConfusableKind.MIXED_ALPHABETS, "p\u0430ssword", "password")
    assert find_confusables(prose) == (doubted,)


@pytest.mark.parametrize(
    "text", ["x" * 262_144, "\u0430x" * 131_072, "x \u0430" * 87_381, "\ua4d1\u0e50x" * 87_381]
)
@within_own_time(10.0)
def test_confusables_are_searched_fast_in_a_quarter_of_a_megabyte(text: str) -> None:
    assert len(find_confusables(text, is_name=True)) <= 2
