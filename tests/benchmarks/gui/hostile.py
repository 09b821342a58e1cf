"""Text that was made to stop the window: the longest turn of the loop until it is shown."""

from typing import Final

from tests.benchmarks.gui.bench import WINDOW, Bench, Found
from tests.benchmarks.gui.stage import Stage, Turns
from tests.benchmarks.gui.texts import messages, reply
from tests.benchmarks.rows import Figure, Goal, Row

_KINDS: Final = ("one line", "table cells", "nested quotes", "small paragraphs")


def measure(bench: Bench) -> list[Row]:
    """Show each of them whole, as when a chat is opened."""
    sizes = (
        bench.size(10_000_000, 100_000),
        bench.size(10_000, 1_000),
        bench.size(3_000, 300),
        bench.size(100_000, 1_000),
    )
    rows = []
    for kind, (name, size) in enumerate(zip(_KINDS, sizes, strict=True)):
        longest = {WINDOW: Figure.of(bench.child("hostile", kind, size)["longest"])}
        label = f"longest turn, {size:,} {name}".replace("one line", "letters in one line")
        rows.append(Row(label, "ms", longest, Goal(100, of="figure"), WINDOW))
    return rows


def act(kind: int, size: int) -> Found:
    """Show the text in a chat of some messages."""
    stage = Stage()
    stage.show(messages(8))
    stage.settle()
    items = [*messages(8), reply(-1, _text(kind, size))]
    turns = Turns()
    stage.items = items
    stage.model.replace_all(items)
    stage.settle()
    return {"longest": [max(turns.lengths_ms)]}


def _text(kind: int, size: int) -> str:
    match _KINDS[kind]:
        case "one line":
            return "x" * size
        case "table cells":
            row = "|" + " a |" * 10 + "\n"
            return row + "|" + "---|" * 10 + "\n" + row * (size // 10)
        case "nested quotes":
            return ">" * size + " deep"
        case _:
            return "word\n\n" * size
