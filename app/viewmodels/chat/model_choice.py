"""The models to choose from for a chat, and the chosen one.

`model_rows` makes the rows of the picker, and `ChosenModel` finds the one of the open chat.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from PySide6.QtCore import QCoreApplication, QLocale, QObject, Signal

from app.api.models import Model, ModelPrice, ModelState, is_model_id, name_of_model_id
from app.chat.session import ConversationSession
from app.store.conversations import ConversationTable
from app.viewmodels.i18n import localized_reason
from app.viewmodels.states import Dot, StatusView

_THOUSAND: Final = 1000
_KIBI: Final = 1024
_MILLION: Final = 1_000_000
_CENT: Final = 0.01
_SI: Final = QLocale.DataSizeFormat.DataSizeSIFormat
_DEMO: Final = "offline"
_FILE: Final = "file:"
_MODEL_FILE: Final = ".gguf"
_ADDRESS: Final = re.compile(r"@https?://(\[[^\]]+\]|[^@\s:/]+)[^@\s]*\Z")
_HERE: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
_NAME_CHARS: Final = 60
_BETWEEN: Final = " · "

_Place = Literal["inside", "here", "elsewhere"]


@dataclass(frozen=True, slots=True)
class ModelOption:
    """A model in the picker; `model` is its id, None for the default, whichever that is.

    `state` is how it was when the service listed it. `details` say in one line where it runs, what
    it can, how much it takes and what it costs, or why it cannot be chosen. The same stands in
    columns: `where` it runs, `window` and `price`, both as short as can be, the window empty where
    it is not known, and `can_see` and `has_tools`. Rows of one `group` follow each other.
    `has_thinking` is true also where nobody knows whether it thinks; `always_thinks` where nobody
    can turn it off. `single_id` is the id of the default where the service lists no other model.
    """

    model: str | None
    display_name: str
    details: str
    is_available: bool = True
    state: ModelState = "ready"
    has_thinking: bool = True
    always_thinks: bool = False
    can_see: bool = False
    has_tools: bool = True
    where: str = ""
    window: str = ""
    price: str = ""
    group: str = ""
    single_id: str = ""


def status_with_model(status: StatusView, model: ModelOption) -> StatusView:
    """Return the status line of the sidebar; while connected, it names the model and its state."""
    if status.dot is not Dot.GOOD or not model.display_name:
        return status
    words = state_words(model)
    if model.state == "loadable":
        words = QCoreApplication.translate("Models", "not loaded yet")
    dot = Dot.BAD if model.state == "unavailable" else Dot.GOOD
    return replace(status, dot=dot, name=_one_name(model.display_name), words=words)


def _one_name(text: str) -> str:
    return " ".join(text.split())[:_NAME_CHARS]


def state_words(model: ModelOption) -> str:
    """Say how a model is, in a word or two."""
    translate = QCoreApplication.translate
    match model.state:
        case "unavailable":
            return translate("Models", "can’t be reached")
        case "loadable":
            return translate("Models", "not loaded")
        case _:
            return translate("Models", "ready")


def default_model(models: Iterable[Model] = ()) -> ModelOption:
    """Return the first row of the picker: the model that the settings name."""
    default = next((model for model in models if model.is_default), None)
    words = QCoreApplication.translate("Models", "Default")
    if default is None:
        return ModelOption(model=None, display_name="", details=words)
    row = _row(default, "")
    # A chat can always go back to the default, even while its model is not available.
    # The same model has a row of its own below, which the settings do not change.
    where = QCoreApplication.translate("Models", "Always the current default")
    return replace(row, model=None, details=words, is_available=True, where=where, group=words)


def model_rows(
    models: Sequence[Model], *, is_local: bool = False, file_sizes: Mapping[str, int] | None = None
) -> list[ModelOption]:
    """Return the default, then every model as `listed_rows` has it; nothing where it has none.

    Where the service lists a single model, that is the default, and stands once.
    """
    rows = listed_rows(models, is_local=is_local, file_sizes=file_sizes)
    if len(rows) == 1 and models[0].is_default:
        return [replace(rows[0], model=None, single_id=models[0].id)]
    return [default_model(models), *rows] if rows else []


def listed_rows(
    models: Sequence[Model], *, is_local: bool = False, file_sizes: Mapping[str, int] | None = None
) -> list[ModelOption]:
    """Return every model that the service lists, by where it runs.

    Args:
        models: Those that the service lists.
        is_local: The service runs on this computer, so that it is known where its models do.
        file_sizes: How large model files are, by the id of the model.
    """
    places: dict[str, list[ModelOption]] = {}
    groups = _local_groups() if is_local else {}
    for group in groups.values():
        places[group] = []
    for model in models:
        group = groups[_place_of(model.id)] if is_local else model.provider
        where = _where(model, (file_sizes or {}).get(model.id))
        places.setdefault(group, []).append(_row(model, group, where))
    return [row for place in places.values() for row in place]


def _local_groups() -> dict[_Place, str]:
    translate = QCoreApplication.translate
    return {
        "inside": translate("Models", "Run by Parley"),
        "here": translate("Models", "Found on this computer"),
        "elsewhere": translate("Models", "With a key or address"),
    }


def _place_of(model_id: str) -> _Place:
    """Return where a model runs, by the id that the service on this computer gives it."""
    if model_id == _DEMO or model_id.startswith(_FILE):
        return "inside"
    at = _ADDRESS.search(model_id)
    is_here = at[1] in _HERE if at else model_id.startswith("ollama:")
    return "here" if is_here else "elsewhere"


def is_model_file(model_id: str) -> bool:
    """Return whether the service on this computer runs this model from a file."""
    return model_id.startswith(_FILE)


def model_file(model_id: str) -> Path:
    """Return the file of such a model."""
    return Path(model_id.removeprefix(_FILE))


def single_model_file(paths: Sequence[Path]) -> Path | None:
    """Return the model file that was dropped or pasted alone; None for anything else."""
    is_one = len(paths) == 1 and paths[0].suffix.lower() == _MODEL_FILE
    return paths[0] if is_one else None


def _where(model: Model, size_bytes: int | None) -> str:
    """Return the line below a name: the provider, and of a file its name and size."""
    parts = [model.provider]
    if size_bytes is not None:
        parts = [model_file(model.id).name, QLocale().formattedDataSize(size_bytes, 1, _SI)]
    return _BETWEEN.join(filter(None, parts))


def _row(model: Model, group: str, where: str = "") -> ModelOption:
    is_available = model.state != "unavailable"
    price = "" if model.list_fault else _price(model.price)
    row = ModelOption(
        model.id,
        model.display_name or model.id,
        "",
        is_available,
        model.state,
        has_thinking=model.has_thinking or model.always_thinks,
        always_thinks=model.always_thinks,
        can_see="image" in model.input,
        has_tools=model.has_tools,
        where=where or model.provider,
        window=_short_count(model.context_window) if model.context_window else "",
        price=price,
        group=group,
    )
    details = _BETWEEN.join(_details(row)) if is_available else localized_reason(model.reason or "")
    return replace(row, details=details)


def _details(row: ModelOption) -> Iterator[str]:
    translate = QCoreApplication.translate
    if row.where:
        yield row.where
    if row.can_see:
        yield translate("Models", "sees images")
    if row.always_thinks:
        yield translate("Models", "always thinks")
    elif row.has_thinking:
        yield translate("Models", "thinks")
    if row.has_tools:
        yield translate("Models", "uses tools")
    if row.window:
        yield translate("Models", "{count} tokens").format(count=row.window)
    is_unknown = row.price == _unknown()
    yield translate("Models", "price unknown") if is_unknown else row.price


def _short_count(tokens: int) -> str:
    """Write a number of tokens as people say it: "32k", "1M"."""
    if tokens >= _MILLION:
        return f"{QLocale().toString(tokens / _MILLION, 'g', 2)}M"
    # Windows are powers of two or round thousands: 32,768 is 32k, and 200,000 is 200k.
    thousands = tokens // _KIBI if tokens % _KIBI == 0 else round(tokens / _THOUSAND)
    return f"{max(1, thousands)}k"


def _unknown() -> str:
    return QCoreApplication.translate("Models", "unknown")


def _price(price: ModelPrice | None) -> str:
    if price is None or price.input is None or price.output is None:
        return _unknown()
    if not (price.input or price.output):
        return QCoreApplication.translate("Models", "free")
    amounts = (_amount(amount) for amount in (price.input, price.output))
    return QCoreApplication.translate("Models", "${input} / ${output}").format(
        input=next(amounts), output=next(amounts)
    )


def _amount(usd: float) -> str:
    """Write a price with two digits after the point, or as many as it takes to be more than 0."""
    digits = 2 if usd >= _CENT or not usd else 4
    return QLocale().toString(usd, "f", digits)


class ChosenModel(QObject):
    """Finds the model that was chosen for a chat among those of the service.

    A chat keeps its choice itself. A new one has the model that its agent had last, if that can be
    reached, else the default. Made by the view model of the chat.
    """

    changed = Signal()
    """Another model answers in the chat that is followed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: ConversationSession | None = None
        self._chosen_for_new: ModelOption | None = None
        self._beginning: str | None = None
        self._recalls_for: tuple[ConversationTable, str | None] | None = None
        self._rows: dict[str | None, ModelOption] = {}

    @property
    def now(self) -> ModelOption:
        """The model that answers the next message; one without a name is not known by any."""
        default = self._rows.get(None, default_model())
        if self._session is None:
            recalled = self._rows.get(self._beginning, default)
            if chosen := self._chosen_for_new:
                # As the service lists it now: of a file that was just opened only the id was known.
                return self._rows.get(chosen.model, chosen)
            return recalled if recalled.is_available else default
        model = self._session.settings.model
        if not model or not self._rows:
            return default
        gone = QCoreApplication.translate("Models", "no longer available")
        name = name_of_model_id(model)
        return self._rows.get(
            model, ModelOption(model, name, gone, is_available=False, state="unavailable")
        )

    def with_agent(self, agent_model: str) -> ModelOption:
        """Return the model that answers for an agent whose file names `agent_model`, or none.

        As in the service: what was chosen for the chat counts first.
        """
        now, demo = self.now, self._rows.get(_DEMO)
        # The demo, where it is the default, plays every agent.
        is_played = demo is not None and now.display_name == demo.display_name
        if now.model is not None or not self._rows or is_played:
            return now
        if not (is_model_id(agent_model) or agent_model == _DEMO):
            return now
        name = name_of_model_id(agent_model)
        gone = ModelOption(None, name, "", is_available=False, state="unavailable")
        # As the service reads an agent's file: it accepts no model file there, and ignores a slash
        # at the end of an address.
        is_refused = is_model_file(agent_model)
        found = gone if is_refused else self._rows.get(agent_model.rstrip("/"), gone)
        return replace(found, model=None)

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

    async def recall(self, table: ConversationTable, agent: str | None) -> None:
        """Begin a new chat with the model that this agent had last.

        Raises:
            StoreError: It cannot be read; a new chat has the default then.
        """
        self._recalls_for = table, agent
        model = await table.last_model(agent)
        # Meanwhile another agent, or another profile, may have been chosen.
        if self._recalls_for == (table, agent) and model != self._beginning:
            self._beginning = model
            self.changed.emit()

    def offer(self, rows: Iterable[ModelOption]) -> None:
        """Offer these models, which the service has."""
        self._rows = {row.model: row for row in rows}
        default = self._rows.get(None)
        if default is not None and default.single_id:
            # A chat may have chosen it while there were others.
            self._rows[default.single_id] = replace(default, model=default.single_id)
        self.changed.emit()

    def forget(self) -> None:
        """Drop every choice, as another profile is used."""
        self._chosen_for_new = self._beginning = self._recalls_for = None
        self._rows = {}
