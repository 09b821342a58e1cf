"""The user's own tools: found in a folder, registered once allowed. No Qt."""
