"""Names are sorted as the language of the window has it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from app.viewmodels.i18n import name_key


@pytest.fixture
def before() -> Iterator[None]:
    locale = QLocale()
    yield
    QLocale.setDefault(locale)


@pytest.mark.usefixtures("before")
@pytest.mark.parametrize(
    ("language", "ordered"),
    [
        (QLocale.Language.German, ("Ändern", "Datei öffnen", "datei schicken", "Zug 9", "Zug 10")),
        (
            QLocale.Language.Swedish,
            ("datei schicken", "Datei öffnen", "Zug 9", "Zug 10", "Ändern"),
        ),
        (QLocale.Language.C, ("Ändern", "Datei öffnen", "datei schicken", "Zug 9", "Zug 10")),
    ],
)
def test_names_stand_where_the_language_has_them(
    language: QLocale.Language, ordered: tuple[str, ...]
) -> None:
    QLocale.setDefault(QLocale(language))

    assert tuple(sorted(set(ordered), key=name_key)) == ordered
