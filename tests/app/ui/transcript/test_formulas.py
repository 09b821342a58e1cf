"""Formulas are drawn when there is time, and only shapes of them reach the window."""

from typing import Final

import pytest
from PySide6.QtWidgets import QApplication

from app.ui.markdown.blocks import Formula
from app.ui.markdown.formulas import draw, may_be_drawn
from app.ui.transcript.selection import TextRange
from tests.app.ui.transcript.conftest import Show
from tests.support.clocks import within_own_time
from tests.support.transcript_fixtures import asked, replied

_FRACTION: Final = r"\frac{-b \pm \sqrt{b^2 - 4ac}}{2a}"

# Each is at the limit of what is drawn, and made to take as long as it can.
_COSTLY: Final = (
    "x" * 300,
    r"\frac{1}{" * 5 + "x" + "}" * 5,
    r"\left(" * 6 + "x" + r"\right)" * 6,
    "x^{" * 6 + "x" + "}" * 6,
    r"\sqrt " * 7 + "x",
    r"\sum" * 60,
    r"\begin{pmatrix}" * 4 + "x" + r"\end{pmatrix}" * 4,
    r"\underbrace{\overbrace{x+y}^{n}}_{" * 2 + "x" + "}" * 2,
)
_REFUSED: Final = (
    r"\frac{1}{" * 60 + "x" + "}" * 60,
    r"\left(" * 12 + "x" + r"\right)" * 12,
    r"\sqrt " * 30 + "x",
    "x" * 301,
    r"\href{https://evil.example}{x}",
    r"\hspace{99999999em}",
    r"\rule{99999em}{9em}",
    r"a \\[99999em] b",
    r"\begin{picture}\end{picture}",
    r"\begin{matrix",
    "}{",
)


@pytest.mark.security(77)
@pytest.mark.parametrize("source", _COSTLY)
@within_own_time(30.0)
def test_costly_formula_takes_but_a_moment(source: str) -> None:
    assert may_be_drawn(source)

    draw(source)


@pytest.mark.security(77)
@pytest.mark.parametrize("source", _REFUSED)
def test_formula_that_could_loop_or_fetch_is_not_drawn(source: str) -> None:
    assert not may_be_drawn(source)
    assert draw(source) is None


@pytest.mark.parametrize("source", [r"\frac", "x^", r"\text{<b>&}", r"\left(", "{}", r"\binom{1}{"])
def test_formula_with_a_mistake_is_not_drawn(source: str) -> None:
    assert draw(source) is None


@pytest.mark.security(75)
def test_picture_has_only_shapes() -> None:
    drawing = draw(r"\text{https://evil.example} " + _FRACTION)

    assert drawing is not None
    svg = drawing.svg("#123456")
    assert b'fill="#123456"' in svg
    for word in (b"href", b"evil", b"<image", b"<style", b"<text", b"url("):
        assert word not in svg


def test_formula_becomes_a_picture_with_its_source_as_text(show: Show) -> None:
    text = f"Before\n\n$$\n{_FRACTION}\n$$\n\nafter"
    shown = show([replied("r", text)])

    row = shown.placed("r").row
    assert _FRACTION in row.shown_text
    broken = show([replied("r", text.replace("sqrt", "nosuch"))])
    assert row.height > broken.placed("r").row.height


def test_visible_text_stays_in_place_when_a_picture_is_added_above(show: Show) -> None:
    shown = show([asked("u", "words")])
    shown.add(replied("r", f"$$ {_FRACTION} $$"), *(asked(f"u{n}", "words") for n in range(20)))
    shown.settle()
    shown.scroll_by(-60)
    before = shown.placed("u15").top

    shown.replace(replied("r", f"$$ {_FRACTION} + 1 $$"))
    shown.settle()

    assert shown.placed("u15").top == before


def test_only_fifty_formulas_of_a_message_are_drawn(show: Show) -> None:
    formulas = "\n\n".join(f"$$ \\frac{{x}}{{{n}}} $$" for n in range(60))
    shown = show([replied("r", formulas)], height=6000)

    stack = shown.placed("r").row._stack  # type: ignore[attr-defined] # Only replies have one.
    heights = [piece.measure(700) for piece in stack._pieces]
    assert isinstance(stack._pieces[0].block, Formula)
    assert len(set(heights[:50])) == 1
    assert len(set(heights[50:])) == 1
    assert heights[0] > heights[59]


def test_view_goes_while_a_formula_is_drawn(show: Show) -> None:
    shown = show([asked("u", "words")])
    shown.add(replied("r", f"$$ {_FRACTION} = 7 $$"))

    shown.view.close()
    QApplication.processEvents()


def test_search_hit_in_a_formula_is_marked_in_its_picture(show: Show) -> None:
    lines = " \\\\ ".join(f"y &= x_{n}" for n in range(6)).replace(r"\\ ", "\\\\\n")
    shown = show([replied("r", f"$$\n\\begin{{aligned}}\n{lines}\n\\end{{aligned}}\n$$")])

    row = shown.placed("r").row
    placed = row.text_box(0)
    assert placed is not None
    marks = placed.boxes(TextRange(0, placed.box.length))
    assert marks
    assert all(mark.bottom() <= row.height for mark in marks)
