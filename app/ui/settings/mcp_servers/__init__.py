"""The part of the settings about tool servers (MCP)."""
