"""The offline assistant works out sums: exactly, within bounds, and honestly where it cannot."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_server.assistant.offline.sums import SumError, answer_sum, evaluate
from tests.support.offline_requests import said


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("What is 0.1 + 0.2?", "0.1 + 0.2 = **0.3**"),
        ("15 % of 240", "15 % of 240 = **36**"),
        ("240 + 19%", "240 + 19 % = **285.6**"),
        ("10 - 20%", "10 − 20 % = **8**"),
        ("240 * 19%", "240 × 19 % = **45.6**"),
        ("(1 + 2) × 3 ÷ 2", "(1 + 2) × 3 ÷ 2 = **4.5**"),
        ("2(3+4)", "2(3 + 4) = **14**"),
        ("-2^2", "−2^2 = **−4**"),
        ("2^3^2", "2^3^2 = **512**"),
        ("2**-3", "2^−3 = **0.125**"),
        ("17 % 5", "17 mod 5 = **2**"),
        ("sqrt 16 + 9", "√16 + 9 = **13**"),
        ("square root of 2", "√2 ≈ **1.414213562**, rounded to 10 digits"),
        ("10/3", "10 ÷ 3 ≈ **3.333333333**, rounded to 10 digits"),
        ("1/3 + 1/6", "1 ÷ 3 + 1 ÷ 6 = **0.5**"),
        ("1,234,567.89 * 2", "1,234,567.89 × 2 = **2,469,135.78**"),
        ("1 000 + 5", "1,000 + 5 = **1,005**"),
        ("$240 + 19 %", "240 + 19 % = **285.6**"),
        ("12 x 12 =", "12 × 12 = **144**"),
        ("Three times four", "3 × 4 = **12**"),
        ("twenty-one plus two hundred and five", "21 + 205 = **226**"),
        ("5 million / 4", "5,000,000 ÷ 4 = **1,250,000**"),
        ("half of 18", "half of 18 = **9**"),
        ("half of 30 + 0.5", "half of 30 + 0.5 = **15.5**"),
        ("pi*2", "π × 2 ≈ **6.283185307**, rounded to 10 digits"),
        ("what is 2π?", "2π ≈ **6.283185307**, rounded to 10 digits"),
        ("20% off 80", "20 % off 80 = **64**"),
        ("what is 20% off of $80?", "20 % off 80 = **64**"),
        ("what is half off 80?", "half off 80 = **40**"),
        ("5!", "5! = **120**"),
        ("what is 0! ?", "0! = **1**"),
        ("3 + 4!", "3 + 4 = **7**"),
        ("what's 7 squared, please?", "7^2 = **49**"),
        ("20 is what percent of 80?", "20 is **25 %** of 80"),
        ("what percentage of 3 is 1", "1 is about **33.33333333 %** of 3, rounded to 10 digits"),
        ("2^100", "2^100 = **1,267,650,600,228,229,401,496,703,205,376**"),
        ("3^300", "3^300 ≈ **1.368914791 × 10^143**, rounded to 10 digits"),
        ("0.1^9", "0.1^9 = **0.000000001**"),
    ],
)
def test_sum_is_worked_out(message: str, answer: str) -> None:
    assert said(message) == answer


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("1/0", "Nothing can be divided by zero."),
        ("5 % 0", "Nothing can be divided by zero."),
        ("0^-1", "Nothing can be divided by zero."),
        ("sqrt(-4)", "is not a real number"),
        ("(-8)^(1/3)", "is not a real number"),
        ("9**9**9", "An exponent over 10,000 is too large for me."),
        ("501!", "The result is too large for me."),
        ("2^10000", "The result is too large for me."),
        ("(2^4000)^0.9 * 2^4000", "too large for me"),
        ("1e300 * 1e300 * 1e300 * 1e300 * 1e300", "too large for me"),
        ("(" * 60 + "1+1" + ")" * 60, "nested more than 40 deep"),
        ("1 + " + "-" * 60 + "1", "nested more than 40 deep"),
    ],
)
def test_sum_without_a_result_says_why(message: str, reason: str) -> None:
    text = said(message)
    assert text.startswith("I read this as a sum, and it has no result here.")
    assert reason in text


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("2 +", "It ends where a number should be."),
        ("2 + (3", "A parenthesis is opened and not closed."),
        ("2 + 3)", "There is something left after its end."),
        ("2 + * 3", "There is “*” where a number should be."),
        ("2 3 +", "There is something left after its end."),
        ("what is 5 + 3 apples", "I do not know what “apples” is in it."),
        ("1,5 + 2", "I cannot tell decimals from thousands"),
        ("1.2.3 + 1", "I cannot tell decimals from thousands"),
        ("1+" * 300 + "1", "more than 200 parts"),
        ("9" * 101 + "+1", "more than 100 figures"),
    ],
)
def test_what_looks_like_a_sum_and_cannot_be_read_is_told_so(message: str, reason: str) -> None:
    text = said(message)
    assert text.startswith("That looks like a sum, but I cannot read it:")
    assert reason in text


@pytest.mark.parametrize(
    "message",
    ["5", "-5", "one of two", "one and two", "a + b", "calculate the mass of the sun", "and", "",
     "Why is 5 + 3 eight?", "three apples", "the square", "50 of 60", "x", "...", "of", "%"],
)  # fmt: skip
def test_other_words_are_no_sum(message: str) -> None:
    assert answer_sum(message) is None


@given(st.text(alphabet="0123456789.,+-*/^%()x =√eE\n mod of", max_size=40))
def test_any_string_of_signs_gets_an_answer_or_none(text: str) -> None:
    answer = answer_sum(text)
    assert answer is None or len(answer) < 1000


@given(
    st.recursive(
        st.integers(0, 10**6).map(str),
        lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        max_leaves=8,
    )
)
def test_result_is_the_exact_one(text: str) -> None:
    figures = "".join(f"Fraction({part})" if part.isdigit() else part for part in _parts(text))
    try:
        expected = eval(figures, {"Fraction": Fraction})  # noqa: S307 - the test's own arithmetic
    except ZeroDivisionError:
        with pytest.raises(SumError):
            evaluate(text)
        return
    assert evaluate(text) == expected


def _parts(text: str) -> list[str]:
    return text.replace("(", " ( ").replace(")", " ) ").split()
