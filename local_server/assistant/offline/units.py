"""The units that can be converted, each with its exact size.

Sizes are the definitions: the international yard and pound of 1959, the US and the imperial
gallon, decimal and binary multiples of the byte.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True)
class Unit:
    """A unit.

    Attributes:
        kind: What is measured; only units of one kind convert into each other.
        size: How many of the kind's base unit it is.
        zero: Where its scale begins, in base units; only temperatures begin elsewhere.
        note: What has to be said when it is used, because others mean something else by it.
    """

    name: str
    kind: str
    size: Fraction
    zero: Fraction = Fraction(0)
    note: str = ""

    def named(self, number: Fraction) -> str:
        """Name so many of it: `1 foot`, `2 feet`."""
        if number != 1:
            return self.name
        what, per, of_what = self.name.partition(" per ")
        for plural, singular in (("feet", "foot"), ("inches", "inch"), ("s", "")):
            if what.endswith(plural):
                return what.removesuffix(plural) + singular + per + of_what
        return self.name


_FOOT: Final = Fraction("0.3048")
_POUND: Final = Fraction("0.45359237")
_US_GALLON: Final = Fraction("3.785411784")
_GALLON: Final = Fraction("4.54609")
_BITS: Final = Fraction(1, 8)

# Name in the plural, size, other names after it, first the short one.
_ROWS: Final[dict[str, tuple[tuple[str, Fraction | str, str], ...]]] = {
    "length": (
        ("meters", "1", "m,meter,metre,metres"),
        ("kilometers", "1000", "km,kilometer,kilometre,kilometres"),
        ("centimeters", "0.01", "cm,centimeter,centimetre,centimetres"),
        ("millimeters", "0.001", "mm,millimeter,millimetre,millimetres"),
        ("micrometers", "0.000001", "µm,μm,um,micrometer,micron,microns"),
        ("nanometers", "0.000000001", "nm,nanometer"),
        ("inches", _FOOT / 12, "in,inch,\",″"),
        ("feet", _FOOT, "ft,foot,',′"),
        ("yards", _FOOT * 3, "yd,yard,yds"),
        ("miles", _FOOT * 5280, "mi,mile"),
        ("nautical miles", "1852", "nmi,nautical mile"),
        ("light years", "9460730472580800", "ly,light year,lightyear,lightyears"),
    ),
    "mass": (
        ("kilograms", "1", "kg,kilogram,kilo,kilos"),
        ("grams", "0.001", "g,gram,gramme,grammes"),
        ("milligrams", "0.000001", "mg,milligram"),
        ("tonnes", "1000", "t,tonne,metric ton,metric tons"),
        ("pounds", _POUND, "lb,lbs,pound"),
        ("ounces", _POUND / 16, "oz,ounce"),
        ("stone", _POUND * 14, "st,stones"),
        ("US tons", _POUND * 2000, "ton,tons,short ton,short tons,us ton"),
        ("long tons", _POUND * 2240, "long ton,imperial ton,imperial tons"),
    ),
    "volume": (
        ("liters", "1", "l,liter,litre,litres"),
        ("milliliters", "0.001", "ml,milliliter,millilitre,millilitres"),
        ("centiliters", "0.01", "cl,centiliter,centilitre,centilitres"),
        ("deciliters", "0.1", "dl,deciliter,decilitre,decilitres"),
        ("cubic meters", "1000", "m3,m³,cubic meter,cubic metre,cubic metres"),
        ("cubic centimeters", "0.001", "cm3,cm³,cc,cubic centimeter,cubic centimetres"),
        ("cubic feet", _FOOT**3 * 1000, "ft3,ft³,cubic foot"),
        ("US gallons", _US_GALLON, "gallon,gallons,gal,us gallon"),
        ("US quarts", _US_GALLON / 4, "quart,quarts,qt,us quart"),
        ("US pints", _US_GALLON / 8, "pint,pints,pt,us pint"),
        ("US cups", _US_GALLON / 16, "cup,cups,us cup"),
        ("US fluid ounces", _US_GALLON / 128, "fl oz,floz,fluid ounce,fluid ounces,us fl oz"),
        ("US tablespoons", _US_GALLON / 256, "tbsp,tablespoon,tablespoons"),
        ("US teaspoons", _US_GALLON / 768, "tsp,teaspoon,teaspoons"),
        ("imperial gallons", _GALLON, "imperial gallon,imp gal,uk gallon,uk gallons"),
        ("imperial quarts", _GALLON / 4, "imperial quart,uk quart,uk quarts"),
        ("imperial pints", _GALLON / 8, "imperial pint,uk pint,uk pints"),
        ("imperial fluid ounces", _GALLON / 160, "imperial fl oz,imperial fluid ounce,uk fl oz"),
    ),
    "speed": (
        ("meters per second", "1", "m/s,mps,meter per second,metres per second"),
        ("kilometers per hour", Fraction(5, 18), "km/h,kmh,kph,kilometres per hour"),
        ("miles per hour", _FOOT * 5280 / 3600, "mph,mile per hour,mi/h"),
        ("feet per second", _FOOT, "ft/s,fps,foot per second"),
        ("knots", Fraction(1852, 3600), "kn,kt,knot"),
    ),
    "area": (
        ("square meters", "1", "m2,m²,sqm,sq m,square meter,square metre,square metres"),
        ("square kilometers", "1000000", "km2,km²,square kilometer,square kilometres"),
        ("square centimeters", "0.0001", "cm2,cm²,square centimeter,square centimetres"),
        ("hectares", "10000", "ha,hectare"),
        ("square inches", (_FOOT / 12) ** 2, "in2,in²,sq in,square inch"),
        ("square feet", _FOOT**2, "ft2,ft²,sqft,sq ft,square foot"),
        ("square yards", (_FOOT * 3) ** 2, "yd2,yd²,sq yd,square yard"),
        ("acres", (_FOOT * 3) ** 2 * 4840, "ac,acre"),
        ("square miles", (_FOOT * 5280) ** 2, "mi2,mi²,sq mi,square mile"),
    ),
    "data": (
        ("bytes", "1", "B,byte"),
        ("kilobytes", "1000", "kB,KB,kilobyte"),
        ("megabytes", "1000000", "MB,megabyte"),
        ("gigabytes", "1000000000", "GB,gigabyte,gig,gigs"),
        ("terabytes", "1000000000000", "TB,terabyte"),
        ("kibibytes", "1024", "KiB,kibibyte"),
        ("mebibytes", Fraction(1024**2), "MiB,mebibyte"),
        ("gibibytes", Fraction(1024**3), "GiB,gibibyte"),
        ("tebibytes", Fraction(1024**4), "TiB,tebibyte"),
        ("bits", _BITS, "bit"),
        ("kilobits", 1000 * _BITS, "kbit,Kb,kilobit"),
        ("megabits", 10**6 * _BITS, "Mbit,Mb,megabit"),
        ("gigabits", 10**9 * _BITS, "Gbit,Gb,gigabit"),
    ),
    "time": (
        ("seconds", "1", "s,sec,secs,second"),
        ("milliseconds", "0.001", "ms,millisecond"),
        ("minutes", "60", "min,mins,minute"),
        ("hours", "3600", "h,hr,hrs,hour"),
        ("days", "86400", "d,day"),
        ("weeks", "604800", "wk,week"),
        ("years", "31557600", "yr,yrs,year"),
    ),
    "energy": (
        ("joules", "1", "J,joule"),
        ("kilojoules", "1000", "kJ,kilojoule"),
        ("megajoules", "1000000", "MJ,megajoule"),
        ("calories", "4.184", "cal,calorie"),
        ("kilocalories", "4184", "kcal,kilocalorie"),
        ("watt hours", "3600", "Wh,watt hour"),
        ("kilowatt hours", "3600000", "kWh,kilowatt hour,kilowatt-hour,kilowatt-hours"),
        ("BTU", "1055.05585262", "btu,btus"),
    ),
}  # fmt: skip
_DECIMAL: Final = "Names such as MB are decimal here (1 MB = 1,000,000 bytes), MiB is binary."
_US_MEASURE: Final = "Taken as US measure; say *imperial* for the other."
_NOTES: Final = {
    "US tons": "A ton was taken as the US one of 2,000 pounds; 1,000 kg are a *tonne*.",
    "calories": "A calorie was taken as 4.184 J; what food packets call one is a *kilocalorie*.",
    "years": "A year was taken as 365.25 days.",
    **dict.fromkeys(("kilobytes", "megabytes", "gigabytes", "terabytes"), _DECIMAL),
    **dict.fromkeys(("US gallons", "US quarts", "US pints", "US fluid ounces"), _US_MEASURE),
}
_CELSIUS_ZERO: Final = Fraction("273.15")
_FAHRENHEIT_ZERO: Final = _CELSIUS_ZERO - 32 * Fraction(5, 9)
_TEMPERATURES: Final = (
    (Unit("°C", "temperature", Fraction(1), _CELSIUS_ZERO), "°c,c,celsius,degrees celsius"),
    (
        Unit("°F", "temperature", Fraction(5, 9), _FAHRENHEIT_ZERO),
        "°f,f,fahrenheit,degrees fahrenheit",
    ),
    (Unit("K", "temperature", Fraction(1)), "k,kelvin,kelvins"),
)


def find_unit(name: str) -> tuple[Unit, ...]:
    """List the units that a name may mean: as it is written, else whatever its case."""
    said = " ".join(name.split())
    return _EXACT.get(said) or _ANY_CASE.get(said.casefold().replace("° ", "°")) or ()


def _read_rows() -> dict[str, tuple[Unit, ...]]:
    named: dict[str, tuple[Unit, ...]] = {}
    for kind, rows in _ROWS.items():
        for name, size, others in rows:
            unit = Unit(name, kind, Fraction(size), note=_NOTES.get(name, ""))
            for other in (name, *others.split(",")):
                named[other] = (*named.get(other, ()), unit)
    for unit, others in _TEMPERATURES:
        for other in (unit.name, *others.split(",")):
            named[other] = (unit,)
    # In a recipe ounces may be fluid ones: which, the other unit tells.
    for said in ("oz", "ounce", "ounces"):
        named[said] = (*named[said], *named["fluid ounces"])
    return named


_EXACT: Final = _read_rows()
_ANY_CASE: Final = {
    # Where two differ by case alone, such as MB and Mb, the one that stands first is meant.
    name.casefold(): units
    for name, units in reversed(_EXACT.items())
}
