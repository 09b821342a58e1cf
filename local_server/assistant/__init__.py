"""Who answers: agents, skills, the supervisor, models and the built-in demo."""
