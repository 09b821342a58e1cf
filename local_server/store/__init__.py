"""Conversations and messages in a database."""
