"""Ask the model in a GGUF file, through the engine that the service runs."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from local_server.assistant.models.answer import Answer, ContextWindow, Texts
from local_server.assistant.models.failures import UpstreamError
from local_server.assistant.models.openai_model import OpenAiModel
from local_server.assistant.models.prompt_builder import Prompt
from local_server.assistant.models.providers import Endpoint, ModelId
from local_server.assistant.reply import TokenUsage
from local_server.engine.engine_process import RunningEngine
from local_server.engine.keeper import BorrowedEngine, EngineKeeper
from local_server.engine.memory import EngineError
from local_server.engine.model_files import ModelFileError, read_model_file


class EngineModel:
    """One model file. Made once, for the life of the service, in any thread but the loop's."""

    def __init__(self, model_id: ModelId, keeper: EngineKeeper) -> None:
        """Make one; its file is read for its name, and loaded when it is first asked."""
        self._model_id = model_id
        self._keeper = keeper
        self._label = _name_of(model_id)
        self._asked: OpenAiModel | None = None
        self._engine: RunningEngine | None = None

    @property
    def id(self) -> str:
        """The id by which it is chosen."""
        return str(self._model_id)

    @property
    def label(self) -> str:
        """The name under which the user knows it."""
        return self._label

    async def window(self) -> ContextWindow:
        """Return how many tokens question and answer may have together; loads the model.

        Raises:
            UpstreamError: When it cannot be loaded.
        """
        with _explained():
            return ContextWindow(await self._keeper.window_of(self._model_id.path))

    async def can_choose(self) -> bool:
        """Return false: to let it choose the agent would take too long."""
        return False

    async def sees_images(self) -> bool:
        """Return whether it can be shown images: the engine refuses what it cannot see."""
        return self._asked is None or await self._asked.sees_images()

    async def cost_usd(self, tokens: TokenUsage) -> float | None:
        """Return 0: it runs on this computer."""
        del tokens
        return 0.0

    async def ask(self, prompt: Prompt, answer: Answer) -> Texts:
        """Ask once, and wait until the answer begins.

        Raises:
            UpstreamError: When the model cannot answer.
        """
        with _explained():
            borrowed = await self._keeper.borrow(self._model_id.path)
        try:
            model = await self._model_of(borrowed.engine)
            texts = await model.ask(prompt, answer)
        except BaseException:
            borrowed.give_back()
            raise
        return _BorrowedTexts(texts, borrowed)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._asked is not None:
            await self._asked.aclose()

    async def _model_of(self, engine: RunningEngine) -> OpenAiModel:
        """Return the client of this run of the engine: each run has its own address and key."""
        if self._asked is not None and self._engine is engine:
            return self._asked
        before = self._asked
        endpoint = Endpoint(
            engine.address, engine.key, is_official=False, socket_path=engine.socket_path
        )
        self._engine = engine
        self._asked = OpenAiModel(self._model_id, endpoint, engine.window)
        if before is not None:
            await before.aclose()
        return self._asked


class _BorrowedTexts:
    """The text of an answer, at whose end the engine is given back."""

    def __init__(self, texts: Texts, borrowed: BorrowedEngine) -> None:
        self._texts = texts
        self._borrowed = borrowed

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        return await anext(self._texts)

    async def aclose(self) -> None:
        try:
            await self._texts.aclose()
        finally:
            self._borrowed.give_back()


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except EngineError as exc:
        raise UpstreamError("not_started", str(exc)) from exc


def _name_of(model_id: ModelId) -> str:
    try:
        return read_model_file(model_id.path).name
    except ModelFileError:
        return model_id.display_name
