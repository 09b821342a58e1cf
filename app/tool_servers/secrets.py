"""What tool servers are told in secret: kept in the keyring, each server's under its name.

What an address was given is only ever sent to that address: who edits the file of servers, and
leaves the name, gets nothing.
"""

import json
from typing import Final

from pydantic import BaseModel, ConfigDict, SecretStr, TypeAdapter, ValidationError

from app.key_store import KeyStore
from app.tool_servers.kept import has_secrets, is_without_secrets, secrets_of, with_secrets
from local_tools.mcp.config import RemoteAddress, ServerConfig

_VALUES: Final = TypeAdapter(dict[str, str])


class _OfAddress(BaseModel):
    """The values of headers, and to which scheme, host and port they may go."""

    model_config = ConfigDict(extra="forbid", strict=True)

    origin: str
    headers: dict[str, str]


class ServerSecrets:
    """Keeps the values of variables and headers. Lives as long as the program."""

    def __init__(self, keys: KeyStore) -> None:
        self._keys = keys

    async def keep(self, config: ServerConfig) -> None:
        """Take what is secret of a server, if anything is."""
        if has_secrets(config):
            values = {name: value for name, value in secrets_of(config).items() if value}
            known = {**await self._known(config), **values}
            await self._keys.save(_name_of(config.name), SecretStr(_written(config, known)))

    async def filled(self, config: ServerConfig) -> ServerConfig:
        """The server with what is kept of it."""
        if not is_without_secrets(config):
            return config
        return with_secrets(config, await self._known(config))

    async def forget(self, name: str) -> None:
        """Let go of all that a server was told."""
        await self._keys.forget(_name_of(name))

    async def _known(self, config: ServerConfig) -> dict[str, str]:
        found = await self._keys.load(_name_of(config.name))
        if found is None:
            return {}
        try:
            if not isinstance(config.place, RemoteAddress):
                return _VALUES.validate_json(found.get_secret_value())
            kept = _OfAddress.model_validate_json(found.get_secret_value())
        except ValidationError:
            return {}
        return kept.headers if kept.origin == config.place.origin else {}


def _written(config: ServerConfig, values: dict[str, str]) -> str:
    if isinstance(config.place, RemoteAddress):
        return _OfAddress(origin=config.place.origin, headers=values).model_dump_json()
    return json.dumps(values)


def _name_of(server: str) -> str:
    return f"tool-server:{server}"
