"""Everything that makes a reply: agents, skills, the supervisor, models and the demo."""
