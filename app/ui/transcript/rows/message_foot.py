"""`MessageFoot` is the line below a message: its actions, time, agent and model.

Where a reply ends with a tool call it stands below that.

`has_foot` says which items have one. It is painted only for the message that is hovered, focused,
edited or last; its space is always reserved, so that nothing moves. `action_words` words the
buttons of the transcript, `edited_words` that a message is edited.
"""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from app.chat.items import Action, Item, ReplyPart, SendState, ToolCall, UserMessage
from app.store.plain_text import without_markdown
from app.ui.transcript.hit_targets import Choose, CopyMessage, HitTarget, TargetAction
from app.ui.transcript.painting import PaintContext, TranscriptStyle
from app.ui.widgets.labels import short_name
from app.ui.widgets.stylesheet import Token
from app.viewmodels.chat.usage_texts import reply_usage_words
from app.viewmodels.dates import local_now, short_time
from app.viewmodels.i18n import catalog_text

_BUTTON_PX: Final = 28
_ICON_PX: Final = 16
_GAP_PX: Final = 4
_WORDS_GAP_PX: Final = 8
_RADIUS_PX: Final = 6
_MOST_WORDS_PX: Final = 400
_BEGINNING_CHARS: Final = 40
_LOOKED_AT_CHARS: Final = 200
_ICONS: Final[dict[TargetAction, str]] = {
    CopyMessage(): "copy",
    Choose(Action.ASK_ANEW): "rotate-ccw",
    Choose(Action.EDIT): "pencil",
    Choose(Action.BRANCH): "git-branch",
    Choose(Action.OLDER_VERSION): "chevron-left",
    Choose(Action.NEWER_VERSION): "chevron-right",
}
_OF_VERSIONS: Final = frozenset({Choose(Action.OLDER_VERSION), Choose(Action.NEWER_VERSION)})
# What never arrived is sent again by its notice, and cannot be copied up to.
_NEVER_ARRIVED: Final = frozenset({SendState.UNSENT, SendState.FAILED})


def has_foot(item: Item | None) -> bool:
    """Return whether an item can have actions."""
    if isinstance(item, UserMessage):
        return item.state is SendState.SENT or item.state in _NEVER_ARRIVED
    if isinstance(item, ToolCall):
        return item.closes is not None
    return isinstance(item, ReplyPart) and item.ends_reply


def action_words(action: Action) -> str:
    """Return the caption of the button for an action, in the language of the window."""
    translate = QCoreApplication.translate
    return {
        Action.LOAD_REST: translate("Transcript", "Load the rest"),
        Action.SEND_AGAIN: translate("Transcript", "Send again"),
        Action.TRY_AGAIN: translate("Transcript", "Try again"),
        Action.GO_ON: translate("Transcript", "Continue"),
        Action.CHECK_AGAIN: translate("Transcript", "Check again"),
        Action.CANCEL: translate("Transcript", "Cancel"),
        Action.OPEN_SETTINGS: translate("Transcript", "Open settings"),
        Action.CHOOSE_FOLDER: translate("Transcript", "Choose folder…"),
        Action.CHOOSE_MODEL: translate("Transcript", "Choose another model…"),
        Action.CONTINUE_REPLY: translate("Transcript", "Continue"),
        Action.STOP_CALL: translate("Transcript", "Stop"),
        Action.SEND_NOW: translate("Transcript", "Send now"),
        Action.REMOVE: translate("Transcript", "Remove"),
        Action.MOVE_UP: translate("Transcript", "Move up"),
        Action.MOVE_DOWN: translate("Transcript", "Move down"),
        Action.ASK_ANEW: translate("Transcript", "Try again"),
        Action.EDIT: translate("Transcript", "Edit"),
        Action.BRANCH: translate("Transcript", "Branch"),
        Action.UNDO_CALL: translate("Transcript", "Undo"),
        Action.OLDER_VERSION: translate("Transcript", "Earlier version"),
        Action.NEWER_VERSION: translate("Transcript", "Later version"),
    }[action]


def edited_words() -> str:
    """Return what a message says whose text is in the message box."""
    return QCoreApplication.translate("Transcript", "Being edited")


def _words_for(action: TargetAction) -> str:
    if isinstance(action, Choose):
        return action_words(action.choice)
    return QCoreApplication.translate("Transcript", "Copy")


class MessageFoot:
    """Aligned right below a user's message, left below a reply.

    Made by a row; ends with it.
    """

    def __init__(self, style: TranscriptStyle, offered: Sequence[Action]) -> None:
        self._style = style
        self._offered = offered
        self._item: UserMessage | ReplyPart | None = None
        self._words = ""
        self._beginning = ""

    def show(self, item: UserMessage | ReplyPart | None) -> None:
        """Show a later state of the message; None for no message."""
        self._item = item if self._offered and has_foot(item) else None
        if item is None:
            return
        self._words = _words_of(item)
        # As it is read, not as it is marked up.
        words = without_markdown(item.text[:_LOOKED_AT_CHARS]).split()
        self._beginning = " ".join(words)[:_BEGINNING_CHARS].rstrip()

    @property
    def height(self) -> int:
        """The room below the message; 0 where nothing can be done."""
        return self._style.scaled(_BUTTON_PX) + _GAP_PX if self._item else 0

    def targets(self, top: float, width: float) -> list[HitTarget]:
        """Return the buttons, from left to right, below a message that ends at `top`."""
        item = self._item
        if item is None:
            return []
        side = self._style.scaled(_BUTTON_PX)
        top += _GAP_PX
        actions = self._actions(item)
        if isinstance(item, ReplyPart):
            # The first icon stands at the edge of the text, not its button.
            left = -(side - self._style.scaled(_ICON_PX)) / 2
        else:
            left = width - side * len(actions) - self._switch_px
        found = []
        for action in actions:
            if action == Choose(Action.NEWER_VERSION):
                left += self._switch_px
            box = QRectF(left, top, side, side)
            words = _words_for(action)
            name = self._name(words)
            if action in _OF_VERSIONS:
                name = self._name(f"{words} ({self._switch_words()})")
            found.append(HitTarget(action, box, name, tooltip=words))
            left += side
        return found

    def hint_at(self, point: QPointF, top: float, width: float) -> str:
        """Return what the reply used, if the point is at the words beside the buttons."""
        item, targets = self._item, self.targets(top, width)
        if not targets or not isinstance(item, ReplyPart) or item.usage is None:
            return ""
        line = self._words_box(targets)
        line.setWidth(QFontMetricsF(self._style.small).horizontalAdvance(self._words))
        return reply_usage_words(item.usage) if line.contains(point) else ""

    def paint(self, context: PaintContext, top: float, width: float) -> None:
        """Paint the buttons and the words beside them; versions are always seen."""
        targets = self.targets(top, width)
        if not targets:
            return
        is_shown = context.shows_foot or self._is_edited
        for target in targets:
            if is_shown or target.action in _OF_VERSIONS:
                self._paint_button(context, target)
        self._paint_switch(context, targets)
        if is_shown:
            self._paint_words(context, targets)

    @property
    def _is_edited(self) -> bool:
        return isinstance(self._item, UserMessage) and self._item.is_edited

    def _actions(self, item: UserMessage | ReplyPart) -> list[TargetAction]:
        never_arrived = isinstance(item, UserMessage) and item.state in _NEVER_ARRIVED
        offered = [Action.EDIT] if never_arrived else [Action.ASK_ANEW, Action.EDIT, Action.BRANCH]
        actions: list[TargetAction] = [CopyMessage()]
        actions += [Choose(action) for action in offered if action in self._offered]
        if isinstance(item, UserMessage) and item.version_count > 1:
            actions += [Choose(Action.OLDER_VERSION), Choose(Action.NEWER_VERSION)]
        return actions

    def _name(self, words: str) -> str:
        """Return the accessible name of a button, which says whose it is."""
        return f"{words}: {self._beginning}" if self._beginning else words

    def _paint_button(self, context: PaintContext, target: HitTarget) -> None:
        style, painter = self._style, context.painter
        leads_on = target.action != self._last_arrow
        is_hovered = leads_on and context.hovered == target.action
        if is_hovered:
            style.draw_panel(painter, target.box, "bubble", None, _RADIUS_PX)
        if context.focus == target:
            style.draw_focus(painter, target.box.adjusted(2, 2, -2, -2), _RADIUS_PX)
        side = style.scaled(_ICON_PX)
        box = QRectF(0, 0, side, side)
        box.moveCenter(target.box.center())
        icon = "check" if context.done == target.action else _ICONS[target.action]
        ink: Token = "ink" if is_hovered else "ink-2"
        if self._is_edited and target.action == Choose(Action.EDIT):
            ink = "accent"
        style.draw_icon(painter, icon, ink if leads_on else "line-strong", box)

    def _paint_words(self, context: PaintContext, targets: Sequence[HitTarget]) -> None:
        line = self._words_box(targets)
        align = Qt.AlignmentFlag.AlignLeft
        if isinstance(self._item, UserMessage):
            line.moveRight(targets[0].box.left() - _WORDS_GAP_PX)
            align = Qt.AlignmentFlag.AlignRight
        self._draw_words(context, line, align, self._words)

    @staticmethod
    def _words_box(targets: Sequence[HitTarget]) -> QRectF:
        """Return the place behind the buttons."""
        last = targets[-1].box
        return QRectF(last.right() + _WORDS_GAP_PX, last.top(), _MOST_WORDS_PX, last.height())

    @property
    def _last_arrow(self) -> TargetAction | None:
        """The arrow that leads to no version, as the first or last one is shown."""
        item = self._item
        if not isinstance(item, UserMessage):
            return None
        ends = {1: Action.OLDER_VERSION, item.version_count: Action.NEWER_VERSION}
        return Choose(ends[item.version]) if item.version in ends else None

    @property
    def _switch_px(self) -> float:
        words = self._switch_words()
        return QFontMetricsF(self._style.small).horizontalAdvance(words) if words else 0

    def _switch_words(self) -> str:
        item = self._item
        if not isinstance(item, UserMessage) or item.version_count < 2:
            return ""
        return QCoreApplication.translate("Transcript", "{number} of {count}").format(
            number=item.version, count=item.version_count
        )

    def _paint_switch(self, context: PaintContext, targets: Sequence[HitTarget]) -> None:
        if words := self._switch_words():
            before, after = (t.box for t in targets if t.action in _OF_VERSIONS)
            line = QRectF(
                before.right(), before.top(), after.left() - before.right(), after.height()
            )
            self._draw_words(context, line, Qt.AlignmentFlag.AlignHCenter, words)

    def _draw_words(
        self, context: PaintContext, line: QRectF, align: Qt.AlignmentFlag, words: str
    ) -> None:
        context.painter.setFont(self._style.small)
        context.painter.setPen(self._style.color("ink-2"))
        one_line = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
        context.painter.drawText(line, align | one_line, words)


def _words_of(item: UserMessage | ReplyPart) -> str:
    """Return when a message was said, and by which agent and model if not by the user."""
    time = short_time(item.created_at, local_now()) if item.created_at else ""
    names: list[str] = []
    if isinstance(item, ReplyPart):
        agent = catalog_text(item.agent_display_name or item.agent_name or "")
        given = (agent, item.model)
        names = [short_name(name) for name in given if name]
    elif item.is_edited:
        names = [edited_words()]
    return " · ".join(filter(None, (*names, time)))
