"""Who answers: agents, skills, the supervisor and the offline assistant."""
