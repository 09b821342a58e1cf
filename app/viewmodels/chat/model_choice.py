"""The models that can be chosen for a chat, and the one that was.

`model_rows` makes the rows of the picker, and `ChosenModel` finds the one of the open chat.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.api.models import Model, ModelPrice, ModelState
from app.chat.session import ConversationSession
from app.viewmodels.states import Dot, StatusView

_THOUSAND: Final = 1000
_NAME_CHARS: Final = 60
_BETWEEN: Final = " · "


@dataclass(frozen=True, slots=True)
class ModelOption:
    """A model in the picker; `model` is its id, None for the default, whichever that is.

    `state` is how it was when the service listed it. `details` says where it runs, how much it
    takes and what it costs, or why it cannot be chosen.
    `has_thinking` is true also where nobody knows whether it thinks.
    """

    model: str | None
    display_name: str
    details: str
    is_available: bool = True
    state: ModelState = "ready"
    has_thinking: bool = True


def status_with_model(status: StatusView, model: ModelOption) -> StatusView:
    """Return the foot of the sidebar: while all is well, it names the model and how that is."""
    if status.dot is not Dot.GOOD or not model.display_name:
        return status
    translate = QCoreApplication.translate
    match model.state:
        case "unavailable":
            words = translate("Models", "can’t be reached")
        case "loadable":
            words = translate("Models", "not loaded yet")
        case _:
            words = translate("Models", "ready")
    dot = Dot.BAD if model.state == "unavailable" else Dot.GOOD
    return replace(status, dot=dot, name=_one_name(model.display_name), words=words)


def default_model(models: Iterable[Model] = ()) -> ModelOption:
    """Return the first row of the picker: the model that the settings name."""
    default = next((model for model in models if model.is_default), None)
    return ModelOption(
        model=None,
        display_name=default.display_name if default else "",
        details=QCoreApplication.translate("Models", "Default"),
        state=default.state if default else "ready",
        has_thinking=default.has_thinking if default else True,
    )


def _one_name(text: str) -> str:
    return " ".join(text.split())[:_NAME_CHARS]


def model_rows(models: Sequence[Model]) -> list[ModelOption]:
    """Return the default, then every model that the service lists; nothing where it lists none."""
    rows = [_row(model) for model in models]
    return [default_model(models), *rows] if rows else []


def _row(model: Model) -> ModelOption:
    is_available = model.state != "unavailable"
    details = _BETWEEN.join(_details(model)) if is_available else model.reason or ""
    name = model.display_name or model.id
    return ModelOption(
        model.id, name, details, is_available, model.state, has_thinking=model.has_thinking
    )


def _details(model: Model) -> Iterator[str]:
    if model.provider:
        yield model.provider
    if model.context_window:
        translated = QCoreApplication.translate("Models", "{count}k tokens")
        yield translated.format(count=max(1, round(model.context_window / _THOUSAND)))
    if model.price and (price := _price(model.price)):
        yield price


def _price(price: ModelPrice) -> str:
    if price.input is None or price.output is None:
        return ""
    if not (price.input or price.output):
        return QCoreApplication.translate("Models", "free")
    translated = QCoreApplication.translate(
        "Models", "${input} in, ${output} out per million tokens"
    )
    return translated.format(input=f"{price.input:g}", output=f"{price.output:g}")


class ChosenModel(QObject):
    """Finds the model that was chosen for a chat among those of the service.

    A chat keeps its choice itself. A new one has the default until somebody chooses. Made by the
    view model of the chat.
    """

    changed = Signal()
    """Another model answers in the chat that is followed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: ConversationSession | None = None
        self._chosen_for_new: ModelOption | None = None
        self._rows: dict[str | None, ModelOption] = {}

    @property
    def now(self) -> ModelOption:
        """The model that answers the next message; one without a name is not known by any."""
        default = self._rows.get(None, default_model())
        if self._session is None:
            return self._chosen_for_new or default
        model = self._session.settings.model
        if not model or not self._rows:
            return default
        gone = QCoreApplication.translate("Models", "no longer available")
        return self._rows.get(
            model, ModelOption(model, gone, "", is_available=False, state="unavailable")
        )

    def follow(self, session: ConversationSession | None) -> None:
        """Follow another chat; None stands for the new one."""
        self._session = session

    @property
    def chosen_for_new(self) -> ModelOption | None:
        """The model that was chosen for the next new chat."""
        return self._chosen_for_new

    def choose_for_new(self, model: ModelOption | None) -> None:
        """Choose the model of the next new chat; None for the default."""
        self._chosen_for_new = model
        self.changed.emit()

    def offer(self, rows: Iterable[ModelOption]) -> None:
        """Offer these models, which the service has."""
        self._rows = {row.model: row for row in rows}
        self.changed.emit()

    def forget(self) -> None:
        """Drop every choice, as another profile is used."""
        self._chosen_for_new = None
        self._rows = {}
