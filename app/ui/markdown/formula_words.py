"""The commands of formulas that are known, and the characters that stand for them in a text."""

from typing import Final

_GREEK: Final = (
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι"
    " kappa κ lambda λ mu μ nu ν xi ξ pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ"
    " upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π"
    " Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω"
)
_SIGNS: Final = (
    "times × cdot ⋅ div ÷ pm ± mp ∓ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗ cap ∩ cup ∪"
    " wedge ∧ vee ∨ land ∧ lor ∨ neg ¬ lnot ¬ setminus ∖ leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ ll ≪"
    " gg ≫ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝ perp ⊥ parallel ∥ mid ∣ in ∈ notin ∉"
    " ni ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ emptyset ∅ varnothing ∅ forall ∀ exists ∃"
    " nexists ∄ partial ∂ nabla ∇ infty ∞ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ angle ∠ triangle △"
    " prime ′ dagger † top ⊤ bot ⊥ vdash ⊢ models ⊨ to → rightarrow → leftarrow ← uparrow ↑"
    " downarrow ↓ leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ implies ⟹ iff ⟺"
    " mapsto ↦ longrightarrow ⟶ sum ∑ prod ∏ int ∫ iint ∬ iiint ∭ oint ∮ ldots … cdots ⋯ dots …"
    " vdots ⋮ ddots ⋱ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ vert | lvert | rvert |"
    " Vert ‖ lVert ‖ rVert ‖ therefore ∴ because ∵ degree °"
)
_NAMES: Final = (
    "arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd hom inf ker lg lim ln log max"
    " min Pr sec sin sinh sup tan tanh"
)


def _pairs(words: str) -> dict[str, str]:
    parts = words.split()
    return dict(zip(parts[::2], parts[1::2], strict=True))


SYMBOLS: Final[dict[str, str]] = {
    **_pairs(_GREEK),
    **_pairs(_SIGNS),
    **{name: name for name in _NAMES.split()},
    **{mark: mark for mark in "{}$%&#_"},
    "|": "‖",
    "backslash": "\\",
}
SPACES: Final = frozenset({",", ":", ";", " ", "quad", "qquad", "thinspace", "!"})
SIZES: Final = frozenset(
    {"left", "right", "middle", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr"}
    | {"limits", "nolimits", "displaystyle", "textstyle"}
)
LETTERS: Final = frozenset(
    {"text", "textbf", "textit", "textrm", "mathrm", "mathbf", "mathit", "mathsf", "mathtt"}
    | {"mathcal", "mathfrak", "boldsymbol", "operatorname"}
)
ACCENTS: Final = {
    "hat": "\u0302",
    "bar": "\u0304",
    "overline": "\u0305",
    "vec": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "tilde": "\u0303",
}
FRACTIONS: Final = frozenset({"frac", "dfrac", "tfrac"})
DOUBLE_STRUCK: Final = dict(zip("CHNPQRZE", "ℂℍℕℙℚℝℤ𝔼", strict=True))
RAISED: Final = dict(
    zip("0123456789+-=()niabcdeTxyk*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵃᵇᶜᵈᵉᵀˣʸᵏ*′", strict=True)
)
LOWERED: Final = dict(zip("0123456789+-=()aeijknmtx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢⱼₖₙₘₜₓ", strict=True))

DRAWN_ONLY: Final = frozenset(
    {"sqrt", "binom", "mathbb", "underline", "widehat", "widetilde", "overbrace", "underbrace"}
    | {"begin", "end", "\\", "underset", "overset", "xrightarrow", "bmod", "pmod"}
)
ENVIRONMENTS: Final = frozenset(
    {"matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "cases"}
    | {"aligned", "align", "align*", "array", "split", "gathered"}
)
KNOWN: Final = frozenset(SYMBOLS) | SPACES | SIZES | LETTERS | set(ACCENTS) | FRACTIONS | DRAWN_ONLY
"""Every command that may be drawn. None of them fetches, links, or moves by a given length."""
