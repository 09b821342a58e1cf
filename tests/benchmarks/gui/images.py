"""A long chat with images in it: opening, scrolling, and what they take."""

import gc
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import psutil

from app.chat.items import Item, UserMessage
from app.store.records import StoredAttachment
from local_tools.attached_file import DRAWN, ContentImage
from tests.benchmarks.gui.bench import FLOOR, WINDOW, Bench, Found
from tests.benchmarks.gui.shares import p99
from tests.benchmarks.gui.stage import Stage, cpu_ms
from tests.benchmarks.gui.texts import messages
from tests.benchmarks.rows import Figure, Goal, Row

_IMAGES = 300
_PAGE = 10
_STEP_PX = 60
_WIDTH, _HEIGHT = 540, 360
_CACHED = 32


def measure(bench: Bench) -> list[Row]:
    """Compare with one page, and with the same chat without images."""
    count = bench.size(10_000, 600)
    found = bench.child("images", count, bench.size(20, 3), bench.size(2_000, 100))
    opened = {name: Figure.of([min(found[name])]) for name in (WINDOW, FLOOR)}
    frames = {WINDOW: Figure.of([p99(found["frames"])])}
    more = {WINDOW: Figure.of(found["more"])}
    name = f"{count:,} messages with {_IMAGES} images"
    return [
        Row(f"open {name}, fastest", "ms", opened, Goal(1.5), WINDOW, FLOOR),
        Row(f"frame, {name}, p99", "ms", frames, Goal(8, of="figure"), WINDOW),
        Row(f"memory over {name} without them", "MB", more, Goal(120, of="figure"), WINDOW),
    ]


def act(count: int, rounds: int, frames: int) -> Found:
    """Open, scroll through all images, and look at what that took."""
    plain = messages(count)
    with_images = _with_images(plain)
    stage = Stage()
    stage.view.draw_from(_ReadyImages())
    before = _resident_after_scrolling(stage, plain, frames)
    found: Found = {WINDOW: [], FLOOR: []}
    for _ in range(rounds):
        for name, items in ((WINDOW, with_images), (FLOOR, with_images[-_PAGE:])):
            stage.show([])
            found[name].append(cpu_ms(partial(stage.show, items)))
    stage.show(with_images)
    stage.settle()
    bar = stage.view.verticalScrollBar()
    found["frames"] = [_frame(stage, bar.value() - _STEP_PX) for _ in range(frames)]
    found["more"] = [_resident_after_scrolling(stage, with_images, frames) - before]
    return found


class _ReadyImages:
    """Has the pixels of every image at once, and keeps some; the workers are another matter."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, ContentImage] = OrderedDict()

    def pixels(self, item: StoredAttachment, size: tuple[int, int]) -> ContentImage | None:
        del size
        if item.sha256 not in self._kept:
            data = bytes((90, 140, 200, 255)) * (_WIDTH * _HEIGHT)
            self._kept[item.sha256] = ContentImage(item.name, DRAWN, _WIDTH, _HEIGHT, data)
            if len(self._kept) > _CACHED:
                self._kept.popitem(last=False)
        return self._kept[item.sha256]

    def has_failed(self, item: StoredAttachment, size: tuple[int, int]) -> bool:
        del item, size
        return False


def _with_images(items: Sequence[Item]) -> list[Item]:
    asked = [row for row, item in enumerate(items) if isinstance(item, UserMessage)]
    # The latest ones among them, where the chat opens.
    rows = frozenset(asked[:: -max(1, len(asked) // _IMAGES)][:_IMAGES])
    return [
        replace(item, attachments=(_image(row),))
        if row in rows and isinstance(item, UserMessage)
        else item
        for row, item in enumerate(items)
    ]


def _image(row: int) -> StoredAttachment:
    return StoredAttachment(
        f"a{row}", f"{row}.jpg", "image", 250_000, f"{row:064x}", width=1568, height=1045
    )


def _frame(stage: Stage, value: int) -> float:
    def turn() -> None:
        stage.view.verticalScrollBar().setValue(value)
        stage.paint()

    return cpu_ms(turn)


def _resident_after_scrolling(stage: Stage, items: Sequence[Item], frames: int) -> float:
    stage.show(items)
    stage.settle()
    bar = stage.view.verticalScrollBar()
    for part in range(frames // 10):
        bar.setValue(bar.maximum() - bar.maximum() * part * 10 // frames)
        stage.paint()
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 1e6
