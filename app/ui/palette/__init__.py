"""The command palette: searches chats, skills, agents and commands."""
