"""The composer: where a person writes, and what stands around the box."""
