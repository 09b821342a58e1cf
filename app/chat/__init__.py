"""Conversations: sessions, turns, transcripts, tool calls. No Qt, no HTTP library."""
