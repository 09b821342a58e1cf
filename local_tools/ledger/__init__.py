"""The record of tool calls: append-only and chained."""
