"""`Manual` reads the pages that ship with the program, in one language, and searches them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from app.store.search_terms import SearchTerms, Snippet, parse_terms

FIRST_PAGE: Final = "index"
_ENGLISH: Final = "en"
_LINK: Final = re.compile(r"\]\(([a-z0-9-]+)\.md\)")
_FENCE: Final = re.compile(r" {0,3}```")
_HEADING: Final = re.compile(r"#{1,2} +(?P<words>.+)")


@dataclass(frozen=True, slots=True)
class ManualSection:
    """A part of a page under one heading, as Markdown, with the heading's line."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class ManualPage:
    """One page: `name` is its file without the ending, the first section begins with its title."""

    name: str
    sections: tuple[ManualSection, ...]

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.sections[0].heading


@dataclass(frozen=True, slots=True)
class ManualHit:
    """A section that has all the words: `section` is its number in the page."""

    page: ManualPage
    section: int
    excerpt: Snippet

    @property
    def place(self) -> str:
        """The title of the page, and the heading of the section where that is another."""
        heading = self.page.sections[self.section].heading
        return f"{self.page.title} › {heading}" if self.section else self.page.title


class Manual:
    """The pages of one language; a page that it does not have is the English one.

    Files are read when they are asked for first. One for a window.

    Args:
        folder: Has a folder for each language, with one file for each page.
        language: The code of the language, "de" for German.
    """

    def __init__(self, folder: Path, language: str) -> None:
        self._folder = folder
        self._language = language

    @cached_property
    def pages(self) -> tuple[ManualPage, ...]:
        """All pages: the index, then those that it links to, in its order.

        Raises:
            OSError: A file cannot be read.
        """
        index = self._read(FIRST_PAGE)
        named = _LINK.findall("".join(section.text for section in index.sections))
        return (index, *map(self._read, dict.fromkeys(named)))

    @property
    def names(self) -> frozenset[str]:
        """The names of all pages."""
        return frozenset(page.name for page in self.pages)

    def page(self, name: str) -> ManualPage:
        """Return a page; the index for a name that no page has."""
        return next((page for page in self.pages if page.name == name), self.pages[0])

    def search(self, query: str) -> tuple[ManualHit, ...]:
        """Return the sections that have all words of `query`, those with a fitting heading first.

        Nothing is found by a query without words.
        """
        terms = parse_terms(query)
        if not terms:
            return ()
        hits = list(self._hits(terms))
        # The sort is stable: hits of one kind stay in the order of the pages.
        return tuple(sorted(hits, key=lambda hit: not terms.are_in(hit.place)))

    def _hits(self, terms: SearchTerms) -> Iterator[ManualHit]:
        for page in self.pages:
            for number, section in enumerate(page.sections):
                if terms.are_in(section.text):
                    body = section.text.partition("\n")[2].strip()
                    shown = body if terms.are_in(body) else section.text
                    yield ManualHit(page, number, terms.excerpt(shown.replace("|", " ")))

    def _read(self, name: str) -> ManualPage:
        path = self._folder / self._language / f"{name}.md"
        if not path.is_file():
            path = self._folder / _ENGLISH / f"{name}.md"
        return ManualPage(name, tuple(_sections(path.read_text(encoding="utf-8"))))


def _sections(text: str) -> Iterator[ManualSection]:
    """Divide a page at its headings of the first two levels; lines of code are none."""
    heading, lines, is_code = "", list[str](), False
    for line in text.splitlines():
        is_code ^= _FENCE.match(line) is not None
        found = None if is_code else _HEADING.fullmatch(line)
        if found and lines:
            yield ManualSection(heading, "\n".join(lines))
            lines = []
        heading = found["words"] if found else heading
        lines.append(line)
    yield ManualSection(heading, "\n".join(lines))
