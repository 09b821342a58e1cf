"""The languages that a window can speak. Imports nothing: the page of a failed start needs it."""

from typing import Literal

LanguageChoice = Literal["system", "en", "de"]
