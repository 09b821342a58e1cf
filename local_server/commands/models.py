"""The command line of `parley-server models`."""

import json
import os
from typing import Annotated

import typer

from local_server.commands.options import run_to_end


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the models that can be chosen.

    Those are the ones on this computer, and any of providers for which there is a key. Nobody
    outside this computer is asked.
    """
    from local_server import discovery  # noqa: PLC0415 - heavy
    from local_server.assistant.models.providers import ProviderAccess  # noqa: PLC0415 - heavy

    report = run_to_end(discovery.find_models(ProviderAccess.of_environment(os.environ)))
    if as_json:
        print(json.dumps(report.as_json()))
        return
    for model in report.as_json()["models"]:
        print(f"{model['id']}  ({model['name']}, {model['provider']})")
    for server in report.servers:
        if not server.models:
            print(f"{server.provider} runs at {server.address}, without a model that can answer.")
    for provider in report.keyed:
        print(f"{provider}:NAME  (any model of the provider; there is a key)")
