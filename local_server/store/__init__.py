"""The service's database: conversations, messages, tool calls and keys."""
