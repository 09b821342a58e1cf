"""How the command line says which models answer."""

from typing import Annotated

import typer

Model = Annotated[
    str | None,
    typer.Option(
        envvar="PARLEY_MODEL",
        help="What answers: offline, or an id that `parley-server models` lists.",
    ),
]
FallbackModels = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLEY_FALLBACK_MODELS",
        metavar="MODEL",
        help="What answers when that model does not; repeatable, asked in order.",
    ),
]
ContextWindow = Annotated[
    int | None,
    typer.Option(min=1024, help="How many tokens the models take, where they do not say."),
]
