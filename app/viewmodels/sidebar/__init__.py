"""The list of chats: its rows, archive, deletion and search. QtCore only."""
