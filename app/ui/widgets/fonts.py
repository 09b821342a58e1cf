"""The bundled typefaces, and the sizes of text."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from PySide6.QtGui import QFont, QFontDatabase

UI_FAMILY: Final = "Inter"
MONO_FAMILY: Final = "JetBrains Mono"
EMOJI_FAMILY: Final = "Twemoji Mozilla"
"""What Qt draws emoji with by itself where the system has no font for them; not for text."""

TextSize = Literal["heading", "subheading", "title", "base", "secondary", "small", "caption"]

_PIXELS: Final[dict[TextSize, float]] = {
    "heading": 24,
    "subheading": 20,
    "title": 14.5,
    "base": 14,
    "secondary": 13,
    "small": 12,
    "caption": 11.5,
}
# The larger the letters, the closer they stand.
_SPACING_PERCENT: Final[dict[TextSize, float]] = {"heading": 97, "subheading": 97.5, "title": 98}
_USUAL_SPACING_PERCENT: Final = 98.5
_MONO_PIXELS: Final = 12.5
# Points rather than pixels, so that text follows the font scale of the system.
_POINTS_PER_PIXEL: Final = 1.0 if sys.platform == "darwin" else 0.75

Weight = QFont.Weight


def load_fonts(folder: Path) -> None:
    """Register the bundled typefaces with Qt; call once per process.

    Raises:
        FileNotFoundError: one of the files is no typeface.
    """
    for file in sorted(folder.glob("*.[ot]tf")):
        if QFontDatabase.addApplicationFont(str(file)) < 0:
            raise FileNotFoundError(file)


@dataclass(frozen=True, slots=True)
class Fonts:
    """Makes the fonts of the window: the sizes of the design at 100 %, times `scale`."""

    scale: float = 1.0
    text_family: str = UI_FAMILY
    code_family: str = MONO_FAMILY

    def ui(self, size: TextSize = "base", weight: Weight = Weight.Normal) -> QFont:
        """Return the font of the window's own words."""
        font = self._font(self.text_family, _PIXELS[size])
        font.setWeight(weight)
        font.setLetterSpacing(
            QFont.SpacingType.PercentageSpacing,
            _SPACING_PERCENT.get(size, _USUAL_SPACING_PERCENT),
        )
        return font

    def mono(self, weight: Weight = Weight.Normal) -> QFont:
        """Return the font of code, paths and input; it draws each character as itself."""
        font = self._font(self.code_family, _MONO_PIXELS)
        font.setStyleHint(QFont.StyleHint.Monospace)
        font.setFixedPitch(True)
        for feature in ("calt", "liga", "clig"):
            font.setFeature(QFont.Tag(feature), 0)
        font.setWeight(weight)
        return font

    def in_place_of(self, font: QFont, before: "Fonts") -> QFont:
        """Return `font`, which `before` made, in the size and family of these fonts."""
        made = QFont(font)
        made.setPointSizeF(font.pointSizeF() / before.scale * self.scale)
        families = {before.code_family: self.code_family, before.text_family: self.text_family}
        is_code = font.fixedPitch() and font.family() == before.code_family
        made.setFamily(self.code_family if is_code else families.get(font.family(), font.family()))
        return made

    def _font(self, family: str, pixels: float) -> QFont:
        font = QFont(family)
        font.setPointSizeF(pixels * _POINTS_PER_PIXEL * self.scale)
        # Fractional sizes keep their proportions only without hinting.
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        # Coloured edges of letters look dirty on tinted grounds and in pictures.
        font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)
        return font
