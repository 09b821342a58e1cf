"""The theme: its files, its contrast, fonts and icons, and switching between light and dark."""

import ast
import re
from pathlib import Path
from typing import get_args

import pytest
from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QIcon,
    QImage,
    QPainter,
    QRawFont,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyle,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.config.settings import AppearanceSettings, ThemeChoice
from app.paths import resources
from app.ui.theme import Theme
from app.ui.widgets.buttons import Kind, push_button
from app.ui.widgets.fonts import MONO_FAMILY, UI_FAMILY, Weight
from app.ui.widgets.labels import plain_label
from app.ui.widgets.stylesheet import TOKENS, Token, Tokens, read_tokens

_FILES = resources() / "themes"
_THEMES = {file.stem: read_tokens(file) for file in _FILES.glob("*.toml")}
_SURFACES: tuple[Token, ...] = ("bg", "side", "panel", "bubble", "selection", "hover")
_WASHES: tuple[Token, ...] = ("accent-soft", "warn-soft", "bad-soft", "added", "removed")
_TEXT: dict[Token, tuple[Token, ...]] = {
    "ink": (*_SURFACES, *_WASHES, "code-bg"),
    "ink-2": (*_SURFACES, *_WASHES, "code-bg"),
    "ink-3": (*_SURFACES, "warn-soft", "code-bg"),
    "accent": ("bg", "side", "panel", "selection", "accent-soft"),
    "on-accent": ("accent", "accent-strong"),
    "warn": ("bg", "side", "panel", "warn-soft"),
    "bad": ("bg", "side", "panel", "bad-soft"),
    "good": ("bg", "side", "panel"),
    "on-tip": ("tip",),
    "code-keyword": ("code-bg",),
    "code-string": ("code-bg",),
    "code-number": ("code-bg",),
    "code-comment": ("code-bg",),
    "code-name": ("code-bg",),
}


def _least(name: str, usual: float) -> float:
    """Return the contrast that text of this theme needs."""
    return 7.0 if name.endswith("-contrast") else usual


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(tokens: Tokens, ink: Token, ground: Token) -> float:
    dark, light = sorted(_luminance(tokens.colors[token]) for token in (ink, ground))
    return (light + 0.05) / (dark + 0.05)


def _is_nearly(color: QColor, other: QColor) -> bool:
    pairs = (
        (color.red(), other.red()),
        (color.green(), other.green()),
        (color.blue(), other.blue()),
    )
    return all(abs(one - another) <= 2 for one, another in pairs)


@pytest.mark.parametrize("name", _THEMES)
def test_text_is_readable_on_every_ground_it_stands_on(name: str) -> None:
    tokens = _THEMES[name]

    weak = [
        (ink, ground, round(_contrast(tokens, ink, ground), 2))
        for ink, grounds in _TEXT.items()
        for ground in grounds
        if _contrast(tokens, ink, ground) < _least(name, 4.5)
    ]

    assert weak == []


@pytest.mark.parametrize("name", _THEMES)
def test_what_is_off_can_be_told_from_every_ground_it_stands_on(name: str) -> None:
    grounds: tuple[Token, ...] = (*_SURFACES, *_WASHES, "code-bg")

    assert min(_contrast(_THEMES[name], "ink-off", ground) for ground in grounds) >= _least(name, 3)


@pytest.mark.parametrize("name", _THEMES)
def test_row_under_the_pointer_is_told_from_one_that_is_selected(name: str) -> None:
    colors = _THEMES[name].colors

    assert len({colors[token] for token in ("side", "hover", "selection")}) == 3


@pytest.mark.parametrize("name", ["light-contrast", "dark-contrast"])
def test_edges_stand_out_with_high_contrast(name: str) -> None:
    tokens = _THEMES[name]

    assert min(_contrast(tokens, line, "bg") for line in ("line", "line-strong")) >= 4.5


def test_theme_file_with_a_token_too_few_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "half.toml"
    file.write_text('is_dark = false\n[colors]\nbg = "#ffffff"\n', encoding="utf-8")

    with pytest.raises(ValueError, match="accent"):
        read_tokens(file)


@pytest.mark.usefixtures("theme")
def test_style_sheet_names_no_colour_but_by_token(qapp: QApplication) -> None:
    sheet = (resources() / "themes" / "widgets.qss").read_text(encoding="utf-8")

    assert re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb", sheet) == []
    assert set(re.findall(r"@([a-z0-9-]+)", sheet)) <= set(TOKENS)
    assert "@" not in qapp.styleSheet()


@pytest.mark.parametrize("weight", [Weight.Normal, Weight.Medium, Weight.DemiBold, Weight.Bold])
def test_words_are_set_in_the_typeface_that_ships(theme: Theme, weight: Weight) -> None:
    font = theme.font("base", weight)

    assert QFontInfo(font).family() == UI_FAMILY
    assert QRawFont.fromFont(font).weight() == weight
    assert any(family == UI_FAMILY for family in QFontDatabase.families())


def test_code_is_set_in_the_typeface_that_ships_with_no_letters_joined(theme: Theme) -> None:
    font = theme.mono()

    assert QFontInfo(font).family() == MONO_FAMILY
    assert QFontInfo(font).fixedPitch()
    assert font.featureValue(font.featureTags()[0]) == 0
    assert {tag.toString().data() for tag in font.featureTags()} >= {b"calt", b"liga"}


def test_every_icon_is_drawn_in_the_colour_asked_for(theme: Theme) -> None:
    for file in (resources() / "icons").glob("*.svg"):
        if file.stem.startswith("parley"):
            continue
        image = theme.pixmap(file.stem, "bad", 24, 2.0).toImage()
        colors = [
            image.pixelColor(x, y)
            for x in range(image.width())
            for y in range(image.height())
            if image.pixelColor(x, y).alpha() == 255
        ]
        assert image.width() == 48
        assert colors, file.name
        assert all(_is_nearly(color, theme.color("bad")) for color in colors), file.name


def test_switch_to_dark_changes_what_is_drawn(theme: Theme, qtbot: QtBot) -> None:
    button = push_button("Start chatting", "primary", theme)
    qtbot.addWidget(button)
    button.show()
    before = button.grab().toImage().pixelColor(20, 8)

    with qtbot.waitSignal(theme.changed, timeout=20_000):
        theme.wear(AppearanceSettings(theme="dark"))

    after = button.grab().toImage().pixelColor(20, 8)
    assert (before, after) == (
        QColor(_THEMES["light"].colors["accent"]),
        QColor(_THEMES["dark"].colors["accent"]),
    )


def test_headings_of_a_table_can_be_read_in_the_dark(theme: Theme, qtbot: QtBot) -> None:
    theme.wear(AppearanceSettings(theme="dark"))
    heading = QHeaderView(Qt.Orientation.Horizontal)
    qtbot.addWidget(heading)
    heading.setModel(QStandardItemModel(0, 1, heading))
    heading.resize(200, 30)
    heading.show()

    shown = heading.grab().toImage()

    ground = QColor(_THEMES["dark"].colors["panel"])
    ink = QColor(_THEMES["dark"].colors["ink-2"])
    places = [(x, y) for x in range(shown.width()) for y in range(shown.height())]
    colors = [shown.pixelColor(*place) for place in places]
    assert sum(_is_nearly(color, ground) for color in colors) > len(colors) / 2
    assert max(color.lightness() for color in colors) > (ground.lightness() + ink.lightness()) / 2


def test_system_choice_follows_the_system(theme: Theme, qtbot: QtBot) -> None:
    theme.wear(AppearanceSettings(theme="system"))
    assert not theme.is_dark

    with qtbot.waitSignal(theme.changed, timeout=20_000):
        QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.color("bg").name() == _THEMES["dark"].colors["bg"]

    with qtbot.waitSignal(theme.changed, timeout=20_000):
        QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.color("bg").name() == _THEMES["light"].colors["bg"]


def test_own_choice_does_not_follow_the_system(theme: Theme, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)

    assert not theme.is_dark


@pytest.fixture
def button(theme: Theme, qtbot: QtBot) -> QPushButton:
    """Return a button with an icon, made at 100 %."""
    made = push_button("Start chatting", "primary", theme, icon="check")
    qtbot.addWidget(made)
    made.show()
    return made


def test_high_contrast_is_shown_when_it_is_chosen(theme: Theme) -> None:
    theme.wear(AppearanceSettings(theme="dark", contrast="high"))
    chosen = theme.color("bg").name()
    theme.wear(AppearanceSettings(theme="dark", contrast="normal"))

    assert chosen == _THEMES["dark-contrast"].colors["bg"]
    assert theme.color("bg").name() == _THEMES["dark"].colors["bg"]


def test_scale_makes_what_exists_larger_and_small_again(theme: Theme, button: QPushButton) -> None:
    before = (button.font(), button.sizeHint(), button.iconSize())

    theme.wear(AppearanceSettings(theme="light", scale_percent=200))
    large = (button.font(), button.sizeHint(), button.iconSize())
    theme.wear(AppearanceSettings(theme="light"))

    assert large[0].pointSizeF() == pytest.approx(2 * before[0].pointSizeF())
    assert large[0].weight() == before[0].weight()
    assert large[1].height() == pytest.approx(2 * before[1].height(), abs=4)
    assert large[2] == before[2] * 2
    assert (button.font(), button.sizeHint(), button.iconSize()) == before


def test_icons_are_drawn_as_large_as_the_scale_wants_them(theme: Theme) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=200))

    drawn = theme.icon("search").pixmap(QSize(36, 36), 1.0).toImage()

    assert drawn.size() == QSize(36, 36)


def test_icons_are_sharp_on_any_screen_and_no_larger_than_the_largest(theme: Theme) -> None:
    icon = theme.icon("search")

    drawn = theme.pixmap("search", "ink-2", 20, 1.25)
    assert icon.pixmap(QSize(20, 20), 1.25).toImage() == drawn.toImage()
    assert icon.pixmap(QSize(64, 64), 1.0).size() == QSize(24, 24)
    enabled, disabled = icon.pixmap(16, 16), icon.pixmap(16, 16, QIcon.Mode.Disabled)
    assert enabled.toImage() != disabled.toImage()


def test_scale_holds_for_what_is_made_later(theme: Theme, qtbot: QtBot) -> None:
    theme.wear(AppearanceSettings(theme="light", scale_percent=150))
    page = QWidget()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.setContentsMargins(10, 20, 10, 20)
    column.setSpacing(8)
    label = plain_label("Hello", theme)
    column.addWidget(label)
    column.addLayout(inner := QHBoxLayout())
    inner.setSpacing(4)

    theme.fit(page)
    theme.fit(page)

    assert label.font().pointSizeF() == pytest.approx(1.5 * 14 * 0.75)
    assert column.contentsMargins() == QMargins(15, 30, 15, 30)
    assert (column.spacing(), inner.spacing()) == (12, 6)


def test_other_typefaces_reach_what_exists(theme: Theme, button: QPushButton, qtbot: QtBot) -> None:
    code = plain_label("x = 1", theme)
    qtbot.addWidget(code)
    code.setFont(theme.mono())

    theme.wear(
        AppearanceSettings(theme="light", text_family="DejaVu Serif", code_family="DejaVu Sans")
    )
    families = (button.font().family(), code.font().family())
    theme.wear(AppearanceSettings(theme="light"))

    assert families == ("DejaVu Serif", "DejaVu Sans")
    assert (button.font().family(), code.font().family()) == (UI_FAMILY, MONO_FAMILY)


@pytest.mark.parametrize("choice", ["light", "dark"])
@pytest.mark.parametrize("kind", get_args(Kind))
def test_ring_alone_shows_which_button_the_keyboard_is_at(
    choice: ThemeChoice, kind: Kind, theme: Theme, qtbot: QtBot
) -> None:
    theme.wear(AppearanceSettings(theme=choice))
    button = push_button("What is sent …", kind, theme)
    qtbot.addWidget(button)
    reached = QStyle.StateFlag.State_HasFocus

    ring = _drawn(button, reached)

    assert ring != _drawn(button, QStyle.StateFlag.State_None)
    # Styles mark words a second time once the keyboard has moved the focus.
    assert ring == _drawn(button, reached | QStyle.StateFlag.State_KeyboardFocusChange)


def test_applying_the_same_theme_again_changes_nothing(theme: Theme, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(theme.changed):
        theme.wear(AppearanceSettings(theme="light"))


def test_icons_that_ship_are_those_that_are_used() -> None:
    shipped = {file.stem for file in (resources() / "icons").glob("*.svg")} - {"parley"}
    root = Path(__file__).resolve().parents[3]
    texts = {
        node.value
        for folder in ("app/ui", "app/viewmodels", "local_tools/builtin")
        for file in (root / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    assert shipped - texts == set()


def _drawn(button: QPushButton, state: QStyle.StateFlag) -> QImage:
    """Return the button as its style draws it in this state, whatever window is in front."""
    button.resize(button.sizeHint())
    image = QImage(button.size(), QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    option = QStyleOptionButton()
    option.initFrom(button)
    option.text = button.text()
    option.state = QStyle.StateFlag.State_Enabled | state
    painter = QPainter(image)
    button.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, button)
    painter.end()
    return image


def _lines_with(pattern: str, *, but: tuple[str, ...]) -> list[str]:
    """Lines of the window's sources that have this, each with its file."""
    ui = Path(__file__).resolve().parents[3] / "app" / "ui"
    return [
        f"{file.relative_to(ui).as_posix()}: {line.strip()}"
        for file in sorted(ui.rglob("*.py"))
        if file.relative_to(ui).parts[0] not in but
        for line in file.read_text(encoding="utf-8").splitlines()
        if re.search(pattern, line)
    ]


def test_widgets_name_no_colour_of_their_own() -> None:
    # Paper is white, whatever the theme.
    assert _lines_with(r"QColor\([\"'#]|#[0-9a-fA-F]{6}\b", but=("import_export",)) == []


def test_all_motion_comes_from_one_place() -> None:
    lines = _lines_with(r"Q(Property|Variant)Animation|QTimeLine|QMovie|QGraphicsEffect", but=())

    assert {line.partition(":")[0] for line in lines} == {"widgets/motion.py"}


def test_emoji_are_drawn_in_colour_without_a_font_of_the_system(theme: Theme) -> None:
    image = QImage(64, 64, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setFont(theme.font("heading"))
    painter.drawText(image.rect(), Qt.AlignmentFlag.AlignCenter, "\N{GRINNING FACE}")
    painter.end()

    pixels = [image.pixelColor(x, y) for x in range(64) for y in range(64)]
    assert any(pixel.hsvSaturation() > 100 for pixel in pixels)
