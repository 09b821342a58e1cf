"""What tool servers are told in secret: kept in the keyring, each server's under its name."""

import json
from typing import Final

from pydantic import SecretStr, TypeAdapter, ValidationError

from app.key_store import KeyStore
from app.tool_servers.kept import has_secrets, is_without_secrets, secrets_of, with_secrets
from local_tools.mcp.config import ServerConfig

_VALUES: Final = TypeAdapter(dict[str, str])


class ServerSecrets:
    """Keeps the values of variables and headers. Lives as long as the program."""

    def __init__(self, keys: KeyStore) -> None:
        self._keys = keys

    async def keep(self, config: ServerConfig) -> None:
        """Take what is secret of a server, if anything is."""
        if has_secrets(config):
            known = await self._known(config.name)
            values = {name: value for name, value in secrets_of(config).items() if value}
            text = SecretStr(json.dumps({**known, **values}))
            await self._keys.save(_origin(config.name), text)

    async def filled(self, config: ServerConfig) -> ServerConfig:
        """The server with what is kept of it."""
        if not is_without_secrets(config):
            return config
        return with_secrets(config, await self._known(config.name))

    async def forget(self, name: str) -> None:
        """Let go of all that a server was told."""
        await self._keys.forget(_origin(name))

    async def _known(self, name: str) -> dict[str, str]:
        found = await self._keys.load(_origin(name))
        try:
            return _VALUES.validate_json(found.get_secret_value()) if found else {}
        except ValidationError:
            return {}


def _origin(name: str) -> str:
    return f"tool-server:{name}"
