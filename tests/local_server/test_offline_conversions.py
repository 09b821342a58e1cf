"""The offline assistant converts units, and says where it rounds or takes one of two meanings."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_server.assistant.offline.conversions import answer_conversion
from local_server.assistant.offline.units import find_unit
from tests.support.offline_requests import said

_US = "Taken as US measure; say *imperial* for the other."


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("5 miles in km", "5 miles = **8.04672 kilometers**."),
        ("convert 72 °F to °C", "72 °F ≈ **22.2222 °C**, rounded to 6 digits."),
        ("please convert 100 celsius to fahrenheit", "100 °C = **212 °F**."),
        ("-40 C in F", "−40 °C = **−40 °F**."),
        ("how many grams in 3 oz?", "3 ounces ≈ **85.0486 grams**, rounded to 6 digits."),
        ("how many feet are there in a mile", "1 mile = **5,280 feet**."),
        ("what is 10 kg in pounds?", "10 kilograms ≈ **22.0462 pounds**, rounded to 6 digits."),
        ("5 in in cm", "5 inches = **12.7 centimeters**."),
        ("30.48 cm in ft", "30.48 centimeters = **1 foot**."),
        ("5'11\" in cm", "71 inches = **180.34 centimeters**."),
        ("1/2 mile in meters", "0.5 miles = **804.672 meters**."),
        ("half a mile in meters", "0.5 miles = **804.672 meters**."),
        ("100 km/h in mph",
         "100 kilometers per hour ≈ **62.1371 miles per hour**, rounded to 6 digits."),
        ("1 acre in m²", "1 acre ≈ **4,046.86 square meters**, rounded to 6 digits."),
        ("3 kWh to MJ", "3 kilowatt hours = **10.8 megajoules**."),
        ("2 hours in minutes", "2 hours = **120 minutes**."),
        ("1 MiB in KiB", "1 mebibyte = **1,024 kibibytes**."),
        ("100 Mb in MB", "100 megabits = **12.5 megabytes**. Names such as MB are decimal here "
         "(1 MB = 1,000,000 bytes), MiB is binary."),
        ("1 gallon in litres", f"1 US gallon ≈ **3.78541 liters**, rounded to 6 digits. {_US}"),
        ("1 imperial gallon in litres", "1 imperial gallon = **4.54609 liters**."),
        ("8 oz in ml", f"8 US fluid ounces ≈ **236.588 milliliters**, rounded to 6 digits. {_US}"),
        ("1 ton in kg",
         "1 US ton = **907.18474 kilograms**. A ton was taken as the US one of 2,000 pounds; "
         "1,000 kg are a *tonne*."),
    ],
)  # fmt: skip
def test_amount_is_converted(message: str, answer: str) -> None:
    assert said(message) == answer


def test_amount_of_another_kind_cannot_be_converted() -> None:
    assert said("5 kg in km") == (
        "Kilograms measure mass and kilometers length, so one cannot become the other."
    )
    assert "below absolute zero" in said("-300 C in K")


@pytest.mark.parametrize(
    "message",
    ["5 apples in oranges", "Put 5 notes in order", "km", "in in in", "to be or not to be", "",
     "1/0 miles in km", "how many people are in Rome", "5 km", "convert me to faith"],
)  # fmt: skip
def test_other_words_are_no_conversion(message: str) -> None:
    assert answer_conversion(message) is None


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [("mile", "yard", "1760"), ("yard", "m", "0.9144"), ("lb", "oz", "16"), ("gallon", "cup", "16"),
     ("imperial gallon", "imperial pint", "8"), ("acre", "sq ft", "43560"),
     ("knot", "m/s", "463/900"),
     ("GiB", "byte", "1073741824"), ("byte", "bit", "8"), ("week", "hour", "168"),
     ("kcal", "J", "4184"), ("stone", "lb", "14"), ("nautical mile", "m", "1852")],
)  # fmt: skip
def test_sizes_are_the_definitions(one: str, other: str, factor: str) -> None:
    (larger, *_), (smaller, *_) = find_unit(one), find_unit(other)
    assert larger.size / smaller.size == Fraction(factor)


@given(st.text(alphabet="0123456789 .,/'\"°CFkmgoz in to\n", max_size=40))
def test_any_string_gets_an_answer_or_none(text: str) -> None:
    answer = answer_conversion(text)
    assert answer is None or answer.endswith(".")
