"""The right panel: skills, tools, and the record of tool calls."""
