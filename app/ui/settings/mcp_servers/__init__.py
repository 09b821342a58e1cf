"""The part of the settings about MCP servers."""
