"""File formats of chats, one module each."""
