"""What a screen reader calls the controls of a window."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QWidget

_ROLES = frozenset(
    {
        QAccessible.Role.Button,
        QAccessible.Role.ButtonMenu,
        QAccessible.Role.CheckBox,
        QAccessible.Role.RadioButton,
        QAccessible.Role.ComboBox,
        QAccessible.Role.EditableText,
        QAccessible.Role.List,
        QAccessible.Role.ListItem,
        QAccessible.Role.Slider,
        QAccessible.Role.SpinBox,
        QAccessible.Role.Link,
    }
)
_MARKUP = re.compile(r"<\w+[^>]*>|</\w+>|&(amp|lt|gt|quot|#\d+);")
# What Qt calls a stack of pages says nothing to anybody.
_NEVER = frozenset({QAccessible.Role.LayeredPane})
_TICKED = (QCheckBox, QAbstractItemView)
# Two chats may have one name, and a text that is read is no control.
_MAY_BE_ALIKE = frozenset({QAccessible.Role.ListItem, QAccessible.Role.EditableText})


def spoken_faults(window: QWidget) -> list[str]:
    """Return what a screen reader could not name, could not tell apart, or would say wrongly."""
    parts = list(_below(QAccessible.queryAccessibleInterface(window)))
    controls = [one for one in parts if one.role() in _ROLES]
    return _nameless(controls) + _twins(controls) + _misread(parts)


def _misread(parts: Sequence[QAccessibleInterface]) -> list[str]:
    """Return what is said with markup, twice, or as something that it is not."""
    faults: list[str] = []
    for one in parts:
        name, description = _name_of(one), one.text(QAccessible.Text.Description).strip()
        if _MARKUP.search(f"{name} {description}"):
            faults.append(f"markup: {name} – {description}")
        # Qt gives the placeholder of a line for its description; readers leave that out.
        if description == name != "" and one.role() is not QAccessible.Role.EditableText:
            faults.append(f"twice: {name}")
        is_box = one.role() is QAccessible.Role.CheckBox
        if one.role() in _NEVER or (is_box and not isinstance(one.object(), _TICKED)):
            faults.append(f"{one.role().name}: {name} in {_path(one)}")
    return faults


def _nameless(controls: Sequence[QAccessibleInterface]) -> list[str]:
    """Return the controls that a screen reader could only call by their kind."""
    return [f"{one.role().name} in {_path(one)}" for one in controls if not _name_of(one)]


def _twins(controls: Sequence[QAccessibleInterface]) -> list[str]:
    """Return the names that two controls of one kind have in common."""
    counted = Counter(
        (one.role().name, _name_of(one)) for one in controls if one.role() not in _MAY_BE_ALIKE
    )
    return [
        f"{count} times {role} “{name}”" for (role, name), count in counted.items() if count > 1
    ]


def _below(one: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield one
    for number in range(one.childCount()):
        child: QAccessibleInterface | None = one.child(number)
        # Parts that are not shown have no say yet.
        if child and child.isValid() and not child.state().invisible:
            yield from _below(child)


def _name_of(one: QAccessibleInterface) -> str:
    return one.text(QAccessible.Text.Name).strip()


def _path(one: QAccessibleInterface) -> str:
    names: list[str] = []
    above: QAccessibleInterface | None = one.parent()
    while above and above.isValid():
        one, above = above, above.parent()
        names.append(one.text(QAccessible.Text.Name) or type(one.object()).__name__)
    return " < ".join(names)
