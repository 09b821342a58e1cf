"""Tool servers (MCP) in the settings. QtCore only."""
