"""The sidebar: chats by day, deleting them, and how the connection is."""
