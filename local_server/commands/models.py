"""The command line of `parley-server models`."""

import json
from typing import Annotated

import typer

from local_server.commands.options import run_to_end


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List what can answer, and which model servers run on this computer."""
    from local_server import discovery  # noqa: PLC0415 - heavy

    found = run_to_end(discovery.find_model_servers())
    if as_json:
        print(json.dumps(discovery.report(found)))
        return
    for model in discovery.report(found)["models"]:
        print(f"{model['id']}  ({model['name']})")
    for server in found:
        if not server.is_usable:
            print(f"{server.provider} runs here too, but cannot be chosen yet.")
