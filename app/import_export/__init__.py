"""Chats that leave this computer's store, and chats that come from elsewhere. No Qt."""
