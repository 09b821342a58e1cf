"""The approval cards of the open chat."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.approvals.queue import Allowed, ApprovalQueue, Card, Decision, Denied
from app.viewmodels.marked_words import marked_words
from app.viewmodels.states import CardView
from local_tools.prepare import Fact
from local_tools.tool import Effects


class ApprovalViewModel(QObject):
    """Shows what waits for a decision in one conversation, and takes the decision.

    What a card says is made here from the prepared call, never from the assistant's prose. One
    for the window's life; `show` points it at another conversation or at none.
    """

    cards_changed = Signal(object)
    """The cards to show now, in order; argument: a tuple of `CardView`."""

    def __init__(self, queue: ApprovalQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = queue
        self._conversation_id: str | None = None
        self._unsubscribe: Callable[[], None] = queue.subscribe(self._on_queue_change)

    @property
    def cards(self) -> tuple[CardView, ...]:
        """The cards of the shown conversation."""
        if self._conversation_id is None:
            return ()
        waiting = self._queue.waiting(self._conversation_id)
        return tuple(
            _view_of(card, position, len(waiting)) for position, card in enumerate(waiting, 1)
        )

    def show(self, conversation_id: str | None) -> None:
        """Shows this conversation's cards from now on."""
        self._conversation_id = conversation_id
        self.cards_changed.emit(self.cards)

    def allow(self, request_id: str, generation: int) -> bool:
        """Lets the call run once; false when the card shown is no longer the one that waits."""
        return self._answer(request_id, generation, Allowed())

    def deny(self, request_id: str, generation: int, reason: str) -> bool:
        """Declines the call, and tells the assistant why if `reason` is not empty."""
        return self._answer(request_id, generation, Denied(reason))

    def close(self) -> None:
        """Stops following the queue."""
        self._unsubscribe()

    def _answer(self, request_id: str, generation: int, decision: Decision) -> bool:
        return self._queue.answer(request_id, generation, decision)

    def _on_queue_change(self, conversation_id: str) -> None:
        if conversation_id == self._conversation_id:
            self.cards_changed.emit(self.cards)


def _view_of(card: Card, position: int, total: int) -> CardView:
    call = card.request.prepared
    preview = call.preview
    return CardView(
        request_id=card.request.request_id,
        generation=card.generation,
        question=_question(call.tool_name, call.title),
        effect_words=_effect_words(call.tool_name, call.effects),
        tool_name=call.tool_name,
        source_words=QCoreApplication.translate("Approval", "comes with Parley"),
        facts=tuple(_said(fact) for fact in call.facts if fact.label != "Tool"),
        preview_kind="none" if preview is None else ("diff" if preview.kind == "diff" else "text"),
        preview_text="" if preview is None else preview.text,
        sandbox_words=QCoreApplication.translate(
            "Approval", "runs in its own process with your rights, without a sandbox"
        ),
        position=position,
        total=total,
    )


def _question(tool_name: str, title: str) -> str:
    questions = {
        "read_file": QCoreApplication.translate("Approval", "Read a file on this computer?"),
        "list_folder": QCoreApplication.translate("Approval", "List a folder on this computer?"),
        "write_file": QCoreApplication.translate("Approval", "Write a file on this computer?"),
        "run_command": QCoreApplication.translate("Approval", "Run a program on this computer?"),
        "current_time": QCoreApplication.translate("Approval", "Tell the assistant the time?"),
    }
    general = QCoreApplication.translate("Approval", "Use “{tool}” on this computer?")
    return questions.get(tool_name) or general.format(tool=marked_words("Tools", title))


def _said(fact: Fact) -> tuple[str, str]:
    """A fact with its label, and what is a remark of ours, in the language of the window."""
    is_remark = fact.label in ("Place", "File")
    value = marked_words("Tools", fact.value) if is_remark else fact.value
    return marked_words("Tools", fact.label), value


def _effect_words(tool_name: str, effects: Effects) -> str:
    if effects.read_only:
        return QCoreApplication.translate("Approval", "reads only")
    if tool_name == "run_command":
        return QCoreApplication.translate("Approval", "runs a program")
    if effects.destructive:
        return QCoreApplication.translate("Approval", "changes files")
    return QCoreApplication.translate("Approval", "acts on this computer")
