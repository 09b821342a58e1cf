"""The command palette: chats, skills, agents and every action, a few letters away."""
