"""The files that other programs write of their chats, each read in one module."""
