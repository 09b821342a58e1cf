"""A screen reader's side of the desktop: a bus, a display, and the tree of what programs show.

Speaks AT-SPI over D-Bus, as Orca does. Everything runs in processes of its own, so nothing of it
touches the desktop of whoever runs the tests.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from jeepney import DBusAddress, MatchRule, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import DBusConnection, open_dbus_connection

NEEDED: Final = ("dbus-daemon", "Xvfb", "at-spi-bus-launcher")
_CHECKOUT: Final = Path(__file__).parents[2]
_ATSPI: Final = "org.a11y.atspi"
_ROOT: Final = "/org/a11y/atspi/accessible/root"
_REGISTRY: Final = DBusAddress(_ROOT, f"{_ATSPI}.Registry", f"{_ATSPI}.Accessible")
_REGISTER: Final = DBusAddress(
    "/org/a11y/atspi/registry", f"{_ATSPI}.Registry", f"{_ATSPI}.Registry"
)
_KEYBOARD: Final = DBusAddress(
    "/org/a11y/atspi/registry/deviceeventcontroller",
    f"{_ATSPI}.Registry",
    f"{_ATSPI}.DeviceEventController",
)
# Types of synthesized key events (AT-SPI specification), and the keycode of Control in X.
_PRESSED, _RELEASED, _BY_SYMBOL = 0, 1, 3
_CONTROL_CODE: Final = 37
# Long enough for a program to load: until then it does not answer.
_TIMEOUT_S: Final = 40.0
_REGISTRY_TRIES: Final = 10
# Not every change has an event.
_LOOKS_AGAIN_S: Final = 0.5
_TOGETHER_S: Final = 0.02
# States that tell what a person could find and use: the numbers of the AT-SPI specification.
_ENABLED, _FOCUSABLE, _SHOWING = 8, 11, 25


def missing_programs() -> list[str]:
    """Return the programs of a desktop that are not installed here."""
    return [name for name in NEEDED if _which(name) is None]


class Key(Enum):
    """Keys by their X symbols."""

    TAB = 0xFF09
    ESC = 0xFF1B
    DOWN = 0xFF54
    F6 = 0xFFC3
    COMMA = 0x2C
    K = 0x6B
    N = 0x6E


@dataclass(frozen=True)
class Node:
    """One thing that a program shows, as it was when it was looked at."""

    bus: str
    path: str
    name: str
    role: str
    states: frozenset[int]

    @property
    def is_showing(self) -> bool:
        return _SHOWING in self.states

    @property
    def can_be_used(self) -> bool:
        return {_SHOWING, _FOCUSABLE, _ENABLED} <= self.states


class Reader:
    """Reads the trees of all programs of a desktop, and acts on them without mouse or keys."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection
        # Programs send events only to readers that asked for them.
        for event in ("object:", "window:"):
            self._register(event)
        for interface in ("Object", "Window"):
            rule = MatchRule(type="signal", interface=f"{_ATSPI}.Event.{interface}")
            connection.send_and_get_reply(message_bus.AddMatch(rule))

    def nodes(self) -> Iterator[Node]:
        """Everything that shows now, from the programs down; of what is hidden, its top alone."""
        for bus, path in self._call(_REGISTRY, "GetChildren")[0]:
            yield from self._below(bus, path)

    def find(self, name: str, role: str = "") -> Node | None:
        """Return the first thing with this name that shows."""
        for node in self.nodes():
            if node.name == name and node.is_showing and role in ("", node.role):
                return node
        return None

    def waits_for(self, look: Callable[[], Any], what: str) -> Any:
        """Look again after each event of the desktop, until there is something to see."""
        end = time.monotonic() + _TIMEOUT_S
        while not (seen := look()):
            left = end - time.monotonic()
            assert left > 0, f"not seen in {_TIMEOUT_S:g} s: {what}; but {self.told()}"
            self._await_event(min(left, _LOOKS_AGAIN_S))
        return seen

    def waits_for_name(self, name: str, role: str = "") -> Node:
        """Wait until something with this name shows."""
        found: Node = self.waits_for(lambda: self.find(name, role), name)
        return found

    def waits_for_use(self, name: str) -> Node:
        """Wait until something with this name can be used."""

        def look() -> Node | None:
            node = self.find(name)
            return node if node and node.can_be_used else None

        found: Node = self.waits_for(look, f"{name}, to be used")
        return found

    def press(self, node: Node) -> None:
        """Do the default action of a node: press a button, choose a card."""
        self._call(_address(node, "Action"), "DoAction", "i", 0)

    def write(self, node: Node, text: str) -> None:
        """Put text into a field."""
        done = self._call(_address(node, "EditableText"), "SetTextContents", "s", text)
        assert done == (True,)

    def type_key(self, key: Key, *, with_control: bool = False) -> None:
        """Press a key in whatever has the keyboard."""
        if with_control:
            self._generate(_CONTROL_CODE, _PRESSED)
        self._generate(key.value, _BY_SYMBOL)
        if with_control:
            self._generate(_CONTROL_CODE, _RELEASED)

    def text_of(self, node: Node) -> str:
        """Return the text in a field or a message."""
        text: str = self._call(_address(node, "Text"), "GetText", "ii", 0, -1)[0]
        return text

    def told(self) -> list[str]:
        """Return all that shows as text, for failure messages."""
        return [f"{node.role}: {node.name}" for node in self.nodes() if node.is_showing]

    def _generate(self, key: int, kind: int) -> None:
        self._call(_KEYBOARD, "GenerateKeyboardEvent", "isu", key, "", kind)

    def _await_event(self, timeout_s: float) -> None:
        """Wait for an event, and drop those that came with it: one look is enough for all."""
        with suppress(TimeoutError):
            self._connection.receive(timeout=timeout_s)
            while True:
                self._connection.receive(timeout=_TOGETHER_S)

    def _below(self, bus: str, path: str) -> Iterator[Node]:
        address = DBusAddress(path, bus, f"{_ATSPI}.Accessible")
        try:
            node = Node(
                bus,
                path,
                self._name(address),
                self._call(address, "GetRoleName")[0],
                _states(self._call(address, "GetState")[0]),
            )
            children = self._call(address, "GetChildren")[0]
        except LookupError:
            # It went away while it was looked at.
            return
        yield node
        if not node.is_showing and node.role != "application":
            return
        for child_bus, child_path in children:
            yield from self._below(child_bus, child_path)

    def _register(self, event: str) -> None:
        """Ask for events; a registry that ends while it begins is started again once asked."""
        for tries_left in reversed(range(_REGISTRY_TRIES)):
            try:
                self._call(_REGISTER, "RegisterEvent", "s", event)
            except LookupError:
                if not tries_left:
                    raise
            else:
                return

    def _name(self, address: DBusAddress) -> str:
        properties = DBusAddress(
            address.object_path, address.bus_name, "org.freedesktop.DBus.Properties"
        )
        kind, name = self._call(properties, "Get", "ss", f"{_ATSPI}.Accessible", "Name")[0]
        assert kind == "s"
        return str(name)

    def _call(
        self, address: DBusAddress, method: str, signature: str = "", *arguments: object
    ) -> tuple[Any, ...]:
        message = new_method_call(address, method, signature or None, arguments)
        reply = self._connection.send_and_get_reply(message, timeout=_TIMEOUT_S)
        if reply.header.message_type.name == "error":
            raise LookupError(f"{method}: {reply.body}")
        return tuple(reply.body)


@contextmanager
def desktop() -> Iterator[tuple[dict[str, str], Reader]]:
    """Run a display and a bus; yield the variables for programs on them, and a reader."""
    with ExitStack() as processes:
        display = processes.enter_context(
            running("Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp")
        )
        bus = processes.enter_context(
            running("dbus-daemon", "--session", "--nofork", "--print-address=1")
        )
        variables = {
            "DISPLAY": f":{_first_line(display)}",
            "DBUS_SESSION_BUS_ADDRESS": _first_line(bus),
            "QT_QPA_PLATFORM": "xcb",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }
        processes.enter_context(
            running("at-spi-bus-launcher", "--launch-immediately", variables=variables)
        )
        with open_dbus_connection(_reading_address(variables)) as connection:
            yield variables, Reader(connection)


@contextmanager
def program(folder: Path, variables: Mapping[str, str]) -> Iterator[None]:
    """Run the whole program on a desktop, with everything in `folder`, and end it well."""
    argv = [sys.executable, "-m", "app.main", "--data", str(folder)]
    with subprocess.Popen(argv, cwd=_CHECKOUT, env={**os.environ, **variables}) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(_TIMEOUT_S)
    assert process.returncode == 0


def _reading_address(variables: Mapping[str, str]) -> str:
    """Return the address of the bus that programs tell readers on, once its launcher is there."""
    launcher = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
    with open_dbus_connection(variables["DBUS_SESSION_BUS_ADDRESS"]) as session:
        appears = MatchRule(type="signal", member="NameOwnerChanged")
        session.send_and_get_reply(message_bus.AddMatch(appears))
        # Asking at once would make the bus start another one.
        is_there = message_bus.NameHasOwner("org.a11y.Bus")
        end = time.monotonic() + _TIMEOUT_S
        while not session.send_and_get_reply(is_there).body[0]:
            assert time.monotonic() < end, "no launcher of assistive technology"
            with suppress(TimeoutError):
                session.receive(timeout=_LOOKS_AGAIN_S)
        ask = new_method_call(launcher, "GetAddress")
        return str(session.send_and_get_reply(ask, timeout=_TIMEOUT_S).body[0])


@contextmanager
def running(
    name: str, *arguments: str, variables: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[str]"]:
    """Run a program of a desktop, also one that only others start, until the end of the block."""
    program = _which(name)
    assert program, name
    with subprocess.Popen(
        [program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **(variables or {})},
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(_TIMEOUT_S)


def _first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def _which(name: str) -> str | None:
    folders = [*os.get_exec_path(), "/usr/libexec", "/usr/lib/at-spi2-core"]
    return shutil.which(name, path=os.pathsep.join(folders))


def _address(node: Node, interface: str) -> DBusAddress:
    return DBusAddress(node.path, node.bus, f"{_ATSPI}.{interface}")


def _states(words: list[int]) -> frozenset[int]:
    return frozenset(
        32 * number + bit
        for number, word in enumerate(words)
        for bit in range(32)
        if word & (1 << bit)
    )
