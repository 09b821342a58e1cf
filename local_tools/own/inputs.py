"""The inputs of a user's tool, checked against the schema that its manifest or its code says."""

from collections.abc import Mapping

from local_tools.canonical import CanonicalInput, FrozenJson, thaw
from local_tools.mcp.schema_gate import InputCheck
from local_tools.schema import Parameter, ParameterKind


class OwnInputs:
    """The inputs of a user's tool. Lives as long as the tool is known."""

    def __init__(self, schema: Mapping[str, FrozenJson], parameters: tuple[Parameter, ...]) -> None:
        self._parameters = parameters
        self._check = InputCheck(schema)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those that its function takes."""
        return self._parameters

    def names(self, *kinds: ParameterKind) -> tuple[str, ...]:
        """The parameters of these kinds, in order."""
        return tuple(item.name for item in self._parameters if item.kind in kinds)

    def plain_names(self, given: CanonicalInput) -> tuple[str, ...]:
        """Whatever is given and is no path."""
        paths = self.names("target")
        return tuple(name for name in given.value if name not in paths)

    def title(self, name: str) -> str:
        """The name as its author wrote it, in quotes, so that it reads as no label of ours."""
        return f"“{name}”"

    def complaints(self, given: CanonicalInput) -> tuple[str, ...]:
        """Why an input does not fit, as sentences; empty when it does."""
        known = {item.name for item in self._parameters if item.kind != "context"}
        strange = [name for name in given.value if name not in known]
        if strange:
            return tuple(f"“{name[:80]}” is not an input of this tool." for name in strange[:5])
        complaints = self._check.complaints(given)
        if complaints:
            return complaints
        missing = [name for name in self.names("target") if name not in given.value]
        return tuple(f"“{name}” is missing." for name in missing)

    def values(self, given: CanonicalInput) -> dict[str, object]:
        """What was given; the function fills in its own defaults."""
        return {name: thaw(value) for name, value in given.value.items()}

    def json_values(self, given: CanonicalInput) -> dict[str, object]:
        """The same."""
        return self.values(given)
