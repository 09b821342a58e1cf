"""Taking chats in and out of the program. QtCore only."""
