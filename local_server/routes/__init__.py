"""The routes: each parses a request, calls what answers it, and writes the response."""
