"""How the command line says which models answer."""

from typing import Annotated

import typer

Model = Annotated[
    str | None,
    typer.Option(
        envvar="PARLEY_MODEL",
        metavar="ID",
        help="What answers: offline, or an id that the command `models` lists.",
    ),
]
FallbackModels = Annotated[
    list[str] | None,
    typer.Option(
        envvar="PARLEY_FALLBACK_MODELS",
        metavar="ID",
        help="What answers when that model does not; repeatable, asked in order.",
    ),
]
ContextWindow = Annotated[
    int | None,
    typer.Option(
        min=1024, metavar="N", help="How many tokens the models take, where they do not say."
    ),
]
