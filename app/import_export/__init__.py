"""Export chats to files, and import chats from other programs' files. No Qt."""
