"""The tools that ship: the registry finds every `@tool` in the modules of this package."""
