"""The user's tool servers (MCP): their file, secrets, processes and sign-ins. No Qt."""
