"""Opening a chat: from its messages to the painted window."""

from collections.abc import Sequence

from app.chat.items import Action, Item
from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.gui.stage import Stage, cpu_ms
from tests.benchmarks.gui.texts import messages, with_versions
from tests.benchmarks.rows import Figure, Goal, Row

_PAGE = 8
_FEW = "100 messages"
_VERSIONS = "500 versions"
_VERSION_COUNT = 500
_ACTIONS = (Action.ASK_ANEW, Action.EDIT, Action.BRANCH)


def measure(bench: Bench) -> list[Row]:
    """Compare with a chat of one page, and with one of 100 messages."""
    count = bench.size(10_000, 2_000)
    found = bench.child("open", count, bench.size(80, 3))
    fastest = {name: Figure.of([min(values)]) for name, values in found.items()}
    against_page = {name: fastest[name] for name in (WINDOW, FLOOR)}
    of_versions = {WINDOW: fastest[_VERSIONS], FLOOR: fastest[FLOOR]}
    against_few = {name: fastest[name] for name in (WINDOW, _FEW)}
    name = f"open {count:,} messages, fastest"
    note = f"The floor of opening is a chat of {_PAGE} messages, which fill the window."
    return [
        Row(name, "ms", against_page, Goal(1.5), WINDOW, FLOOR, notes=(note,)),
        Row(name, "ms", against_few, Goal(1.2), WINDOW, _FEW),
        Row(
            f"open {count:,} messages with {_VERSION_COUNT} versions, fastest",
            "ms",
            of_versions,
            Goal(1.5),
            WINDOW,
            FLOOR,
            notes=(note,),
        ),
    ]


def act(count: int, rounds: int) -> Found:
    """Open chats of all three sizes in turn, and the largest with versions."""
    many = messages(count)
    versions = with_versions(many, _VERSION_COUNT)
    chats = {WINDOW: many, _VERSIONS: versions, _FEW: many[-100:], FLOOR: many[-_PAGE:]}
    found: Found = {name: [] for name in chats}
    stage = Stage()
    stage.view.offer(_ACTIONS)
    for _ in range(rounds):
        for name, items in chats.items():
            stage.show([])
            found[name].append(_open(stage, items))
    return found


def _open(stage: Stage, items: Sequence[Item]) -> float:
    return cpu_ms(lambda: stage.show(items))
