"""Figures that tests have counted, printed at the end of the run."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

Tell: TypeAlias = Callable[[str], None]

_KEY = "figure"


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Tell:
    """Return a function that takes a line about what the test has counted."""

    def keep(words: str) -> None:
        request.node.user_properties.append((_KEY, words))

    return keep


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print each line once, in the order of the tests."""
    told = list(dict.fromkeys(_figures(terminalreporter.stats)))
    if told:
        terminalreporter.section("figures")
    for words in told:
        terminalreporter.write_line(words)


def _figures(stats: dict[str, list[Any]]) -> Iterator[str]:
    for reports in stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                yield from (str(words) for key, words in report.user_properties if key == _KEY)
