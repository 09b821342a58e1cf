"""The order in which people look for names: as their language has it."""

from PySide6.QtCore import QCollator, QCollatorSortKey, QLocale, Qt


def name_key(name: str) -> QCollatorSortKey:
    """Returns what a list is sorted by in which people see these names.

    Small letters stand beside capital ones, letters with marks where the language of the window
    has them, and numbers by their value.
    """
    locale = QLocale()
    if locale.language() is QLocale.Language.C:
        # It knows bytes only.
        locale = QLocale(QLocale.Language.English)
    collator = QCollator(locale)
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    return collator.sortKey(name)
