"""`draw` makes a picture of a formula: only formulas that are sure to be quick, and only as shapes.

The library that draws takes twice as long for each level of nesting and cannot be stopped, so the
cost of a formula is estimated first.
"""

import html
import re
import threading
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import Final

EM: Final = 24.0
"""The font size, in the units of a drawing."""

LARGER: Final = 1.15
"""The size of a formula that stands alone, relative to the words around it."""

DRAWN_LIMIT: Final = 50
"""The most formulas of a message that are drawn; further ones are shown as source."""

# ziamath keeps settings and fonts in globals.
_DRAWING: Final = threading.Lock()

_LONGEST: Final = 300
_DEAREST: Final = 1000
_WIDEST: Final = 200 * EM
_COMMAND: Final = re.compile(r"\\([A-Za-z]+\*?|.)|[{}]|\S", re.DOTALL)
_ORDINARY: Final[tuple[type[Exception], ...]] = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError),
    *(StopIteration, SyntaxError, TypeError, ValueError),
)
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\s*\{([^}]*)\}")
_OPENERS: Final = frozenset({"{", r"\left", r"\begin"})
_CLOSERS: Final = frozenset({"}", r"\right", r"\end"})
# Every command that may be drawn. None of them fetches, links, or moves by a given length.
_NAMES: Final = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu "
    "nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma "
    "Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
    "times cdot div pm mp ast star circ bullet oplus otimes cap cup wedge vee land lor neg "
    "lnot setminus leq le geq ge neq ne ll gg approx sim simeq cong equiv propto perp "
    "parallel mid in notin ni subset supset subseteq supseteq emptyset varnothing forall "
    "exists nexists partial nabla infty hbar ell Re Im aleph angle triangle prime dagger top "
    "bot vdash models to rightarrow leftarrow uparrow downarrow leftrightarrow Rightarrow "
    "Leftarrow Leftrightarrow implies iff mapsto longrightarrow sum prod int iint iiint oint "
    "ldots cdots dots vdots ddots langle rangle lfloor rfloor lceil rceil vert lvert rvert "
    "Vert lVert rVert therefore because degree "
    "arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd hom inf ker lg lim ln log "
    "max min Pr sec sin sinh sup tan tanh "
    "Big Bigg Bigl Bigr bar begin big bigg bigl bigr binom bmod boldsymbol ddot dfrac "
    "displaystyle dot end frac hat left limits mathbb mathbf mathcal mathfrak mathit mathrm "
    "mathsf mathtt middle nolimits operatorname overbrace overline overset pmod right sqrt "
    "text textbf textit textrm textstyle tfrac tilde underbrace underline underset vec "
    "widehat widetilde xrightarrow "
    "qquad quad thinspace backslash "
)
_KNOWN: Final = frozenset(_NAMES.split()) | set("{}$%&#_|\\,:; !")
_ENVIRONMENTS: Final = frozenset(
    {"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "cases"}
    | {"aligned", "align", "align*", "array", "split", "gathered"}
)
# These take the next sign as an argument, so they nest without a brace.
_TAKERS: Final = frozenset({r"\sqrt", r"\frac", r"\dfrac", r"\tfrac", r"\binom", "^", "_"})
# A length after a row break (`\\[2em]`) could add space without bounds.
_ROOM: Final = re.compile(r"\\\\\s*\[")
_NUMBER: Final = re.compile(r"-?\d{1,7}(?:\.\d{1,12})?")
_PATH: Final = re.compile(r"[MLHVCSQTAZmlhvcsqtaz\d\s.,-]*")
_ATTRIBUTES: Final = {
    "path": {"d": _PATH},
    "rect": dict.fromkeys(("x", "y", "width", "height"), _NUMBER),
    "line": dict.fromkeys(("x1", "y1", "x2", "y2", "stroke-width"), _NUMBER),
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes without colour, in a box; lengths are in units of which `EM` make the font size."""

    shapes: str
    left: float
    top: float
    width: float
    height: float

    def inline_svg(self, words: str) -> str:
        """Return the picture for a web page, in the colour and size of the letters around it.

        `words` are what a screen reader says.
        """
        width, height = self.width / EM * LARGER, self.height / EM * LARGER
        return (
            f'<svg role="img" aria-label="{html.escape(words)}" width="{width:.3f}em"'
            f' height="{height:.3f}em" viewBox="{self._box}"><g fill="currentColor">{self.shapes}'
            "</g></svg>"
        )

    @property
    def _box(self) -> str:
        return f"{self.left} {self.top} {self.width} {self.height}"

    def svg(self, ink: str) -> bytes:
        """Return the picture in a colour, given as QColor names it: a hash and six digits."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}"'
            f' viewBox="{self._box}"><g fill="{ink}" stroke="none">{self.shapes}</g></svg>'
        ).encode()


def may_be_drawn(source: str) -> bool:
    """Return whether a formula has only known commands, and is drawn in a moment."""
    if len(source) > _LONGEST or _ROOM.search(source):
        return False
    if not _ENVIRONMENTS.issuperset(_ENVIRONMENT.findall(source)):
        return False
    cost, depth, taken = 0, 0, 0
    for found in _COMMAND.finditer(_ENVIRONMENT.sub(_without_name, source)):
        sign = found[0]
        if found[1] and found[1] not in _KNOWN:
            return False
        depth += (sign in _OPENERS) - (sign in _CLOSERS)
        taken = taken + 1 if sign in _TAKERS else 0
        if depth < 0:
            return False
        cost += 2 ** min(20, depth + taken)
    return depth == 0 and cost <= _DEAREST


def draw(source: str) -> Drawing | None:
    """Return the formula as shapes, or None if it cannot be read.

    Any thread may ask, and waits for the others: it takes a moment.
    """
    if not may_be_drawn(source):
        return None
    with _DRAWING:
        return _draw(source)


def _draw(source: str) -> Drawing | None:
    # Importing latex2mathml takes a quarter of a second, and few chats have formulas.
    import latex2mathml.exceptions  # noqa: PLC0415
    from ziamath.config import config  # noqa: PLC0415
    from ziamath.zmath import Latex  # noqa: PLC0415

    # SVG 2 draws glyphs by <use> elements, which are none of the shapes kept below.
    config.svg2 = False
    # latex2mathml's own errors have no common base; what it does not expect raises built-in ones.
    kinds = vars(latex2mathml.exceptions).values()
    own = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Exception)]
    mistakes: tuple[type[Exception], ...] = (*own, *_ORDINARY)
    try:
        picture = Latex(source, size=EM).svg()
    except mistakes:
        return None
    return _shapes_of(picture)


def _without_name(found: re.Match[str]) -> str:
    return found[0].partition("{")[0] + " "


def _shapes_of(picture: str) -> Drawing | None:
    root = ET.fromstring(picture)  # noqa: S314 - Made here a moment ago.
    numbers = [float(number) for number in root.get("viewBox", "").split()]
    match numbers:
        case [left, top, width, height] if 0 < width <= _WIDEST and 0 < height <= _WIDEST:
            shapes = "".join(_shape(element) for element in root.iter())
            return Drawing(shapes, left, top, width, height) if shapes else None
    return None


def _shape(element: ET.Element) -> str:
    """Return a shape with nothing but its form; everything else is no part of a formula."""
    name = element.tag.rpartition("}")[2]
    allowed = _ATTRIBUTES.get(name)
    if allowed is None:
        return ""
    kept = {key: value for key, value in element.items() if key in allowed}
    if not all(allowed[key].fullmatch(value) for key, value in kept.items()):
        return ""
    attributes = "".join(f' {key}="{value}"' for key, value in kept.items())
    return f"<{name}{attributes}/>"
